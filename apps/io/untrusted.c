/* untrusted.c: see untrusted.h.  The child, untrusted_child.c, writes to its standard output a '.' for each piece that it
 * has copied, and in the end "!STATUS CHECKSUMMED TEXT"; what it writes to stderr goes to a file beside the copy. */
#include "io/untrusted.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/untrusted_child.h"

extern char **environ;

#define AT(field) offsetof(mfft_untrusted_options, field)
const mfft_cli_option mfft_untrusted_options_table[] = {
    {"untrusted", 0, MFFT_CLI_FLAG, AT(untrusted), NULL,
     .help = "for the file of a field that may be made to do harm: a process of its own copies the dataset beside the "
             "output (else to "
             "TMPDIR, a folder that all nodes see) and the copy is read, so that HDF5's crashes over the file are errors"},
    {"untrusted-time", 0, MFFT_CLI_REAL, AT(time), "S", "seconds without progress that end that process", .fallback = "60",
     .min = 1e-3, .max = 1e6},
    {"untrusted-memory", 0, MFFT_CLI_REAL, AT(memory), "GIB", "memory that it may take", .fallback = "4", .min = 1e-3,
     .max = 1e6},
    {0}};
#undef AT

enum { PATH_BYTES = 4096 };

/* The copy. */
static struct {
  char path[PATH_BYTES]; /* "" where there is none */
  int checksummed;       /* whether the file has checksums of the dataset */
} copy;

/* ---- The folder of the copy ------------------------------------------------------------------------------------------ */

static const char folder_name[] = "mergefft-untrusted-XXXXXX";

/* The files that the folder may contain. */
static const char *const contents[] = {"/copy.h5", "/copy.h5.mfft-partial", "/log"};
enum { COPY, PARTIAL, LOG, CONTENTS };

/* The bytes of a path before its last slash, or 0. */
static int folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash - path) : 0;
}

static void content_of(int i, char path[PATH_BYTES]) {
  snprintf(path, PATH_BYTES, "%.*s%s", folder_length(copy.path), copy.path, contents[i]);
}

/* Beside a file that will be written, where there is such a file, else where temporary files go. */
static mfft_status make_folder(const char *beside) {
  struct stat about;
  const char *temporary = getenv("TMPDIR");
  const int plain = beside && strcmp(beside, "-") && (stat(beside, &about) || S_ISREG(about.st_mode));
  const int own = plain && strchr(beside, '/') ? folder_length(beside) + 1 : 0; /* with the slash */
  const int length =
      plain ? snprintf(copy.path, sizeof copy.path, "%.*s%s", own, beside, folder_name)
            : snprintf(copy.path, sizeof copy.path, "%s/%s", temporary && *temporary ? temporary : "/tmp", folder_name);
  mfft_status status = MFFT_SUCCESS;
  if (length < 0 || length + strlen(contents[PARTIAL]) >= sizeof copy.path)
    status = mfft_app_fail(MFFT_ERR_ARG, "--untrusted: the name of the folder for a copy has %d bytes; use a shorter one",
                           length);
  else if (!mkdtemp(copy.path))
    status =
        mfft_app_fail(MFFT_ERR_IO, "--untrusted: cannot make a folder '%s' for a copy: %s; set TMPDIR or write elsewhere",
                      copy.path, strerror(errno));
  if (status == MFFT_SUCCESS)
    strcat(copy.path, contents[COPY]);
  else
    copy.path[0] = '\0';
  return status;
}

static void remove_copy(void) {
  char path[PATH_BYTES];
  if (copy.path[0] && mfft_app_rank() == 0) {
    for (int i = 0; i < CONTENTS; i++) {
      content_of(i, path);
      unlink(path);
    }
    path[folder_length(path)] = '\0';
    rmdir(path);
  }
  copy.path[0] = '\0';
}

/* Repeats the lines that the child wrote to stderr. */
static void repeat_remarks(void) {
  static const char prefix[] = "mergefft: ";
  char path[PATH_BYTES], line[1100];
  content_of(LOG, path);
  FILE *log = fopen(path, "r");
  while (log && fgets(line, sizeof line, log)) {
    line[strcspn(line, "\n")] = '\0';
    mfft_app_note("%s", line + (strncmp(line, prefix, sizeof prefix - 1) ? 0 : sizeof prefix - 1));
  }
  if (log) fclose(log);
}

/* ---- The child ------------------------------------------------------------------------------------------------------- */

/* The end of the child, and its result. */
typedef struct outcome {
  int silent, ended; /* 1: the child made no progress for too long; how it ended, as waitpid says */
  char result[1200]; /* "!STATUS CHECKSUMMED TEXT", or "" where it ended before */
} outcome;

static int start(const char *const *argv, pid_t *child, int *output) {
  int ends[2]; /* to read, to write */
  char log[PATH_BYTES];
  sigset_t none;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (pipe(ends)) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  sigemptyset(&none);
  content_of(LOG, log);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT, 0600);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int error = posix_spawn(child, "/proc/self/exe", &files, &attributes, (char *const *)(uintptr_t)argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  if (error) close(ends[0]);
  *output = ends[0];
  return error;
}

/* Reads the output of the child until it ends or is silent for `patience` seconds. */
static void listen(int output, double patience, outcome *o) {
  char piece[1024];
  size_t used = 0;
  for (double last = mfft_app_time();;) {
    const double left = last + patience - mfft_app_time();
    struct pollfd watched = {.fd = output, .events = POLLIN};
    const int ready = left > 0 ? poll(&watched, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) o->silent = 1;
    if (ready <= 0) break;
    const ssize_t got = read(output, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    last = mfft_app_time();
    for (ssize_t i = 0; i < got; i++)
      if ((used || piece[i] == '!') && used + 1 < sizeof o->result) o->result[used++] = piece[i];
  }
  o->result[used] = '\0';
}

static mfft_status check_outcome(const mfft_untrusted_options *options, const char *name, const outcome *o) {
  const char *version = mfft_field_hdf5_version();
  const int digits = (int)strcspn(version, " ");
  int status, text = 0;
  if (o->silent)
    return mfft_app_fail(
        MFFT_ERR_CORRUPT,
        "'%s': HDF5 %.*s did not finish reading it in %g s and was stopped: the file is damaged, made to do harm, "
        "or on a slow disk: give a larger --untrusted-time",
        name, digits, version, options->time);
  if (sscanf(o->result, "!%d %d %n", &status, &copy.checksummed, &text) < 2 || !text) {
    char how[64]; /* a sanitizer ends a process by an exit code, all else by a signal */
    if (WIFSIGNALED(o->ended))
      snprintf(how, sizeof how, "%s", strsignal(WTERMSIG(o->ended)));
    else
      snprintf(how, sizeof how, "exit code %d", WEXITSTATUS(o->ended));
    return mfft_app_fail(
        MFFT_ERR_CORRUPT,
        "'%s': HDF5 %.*s crashed while reading it (%s): the file is damaged or made to do harm; copy it again from its "
        "source",
        name, digits, version, how);
  }
  if (status == MFFT_ERR_MEMORY)
    return mfft_app_fail(
        MFFT_ERR_CORRUPT,
        "'%s': reading it takes more than %g GiB: the file is damaged, made to do harm, or packed in pieces that "
        "need a larger --untrusted-memory (%s)",
        name, options->memory, o->result + text);
  return status == MFFT_SUCCESS ? MFFT_SUCCESS : mfft_app_fail((mfft_status)status, "%s", o->result + text);
}

/* Rank 0. */
static mfft_status make_copy(const mfft_untrusted_options *options, const char *name, const char *dataset,
                             const char *beside) {
  mfft_status status = make_folder(beside);
  if (status != MFFT_SUCCESS) return status;
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%.0f", options->memory * 0x1p30);
  const char *const argv[] = {"mergefft", MFFT_UNTRUSTED_CHILD, name, dataset ? dataset : "", copy.path, bytes, NULL};
  outcome o = {0, 0, ""};
  pid_t child;
  int output = -1;
  const int error = start(argv, &child, &output);
  if (error) return mfft_app_fail(MFFT_ERR_IO, "--untrusted: cannot start a process: %s", strerror(error));
  mfft_progress_start("copying", 0);
  listen(output, options->time, &o);
  kill(child, SIGKILL); /* does nothing to one that has ended */
  while (waitpid(child, &o.ended, 0) < 0 && errno == EINTR) continue;
  close(output);
  mfft_progress_end();
  status = check_outcome(options, name, &o);
  if (status == MFFT_SUCCESS) repeat_remarks();
  return status;
}

int mfft_untrusted_run(const mfft_untrusted_options *options, const char *name, const char *dataset, const char *beside,
                       int (*work)(void *context), void *context) {
  if (!options->untrusted) return work(context);
  const mfft_status status = mfft_app_rank() == 0 ? make_copy(options, name, dataset, beside) : MFFT_SUCCESS;
  int code = MFFT_EXIT_FAILED;
  if (!mfft_app_failed(status)) {
    mfft_app_broadcast(&copy, sizeof copy, 0, "sharing the name of a copy");
    code = work(context);
  }
  remove_copy();
  return code;
}

const char *mfft_untrusted_path(const char *name) { return copy.path[0] ? copy.path : name; }

mfft_status mfft_untrusted_query(const char *name, const char *dataset, mfft_field_info *info) {
  const mfft_status status = mfft_field_query(MPI_COMM_WORLD, mfft_untrusted_path(name), dataset, info);
  if (status == MFFT_SUCCESS && copy.path[0]) info->checksummed = copy.checksummed;
  return status;
}
