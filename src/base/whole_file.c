/* whole_file.c: see whole_file.h. */
#define _DEFAULT_SOURCE /* realpath */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"

#define START(text) text, sizeof text - 1
const mfft_file_kind mfft_field_kind = {"an HDF5 file", START("\x89HDF\r\n\x1a\n"), 0, 0};
const mfft_file_kind mfft_png_kind = {"a PNG picture", START("\x89PNG\r\n\x1a\n"), 0, 0};
const mfft_file_kind mfft_svg_kind = {"an SVG picture", START("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "), 0, 0};
const mfft_file_kind mfft_pdf_kind = {"a PDF document", START("%PDF-"), 0, 0};
const mfft_file_kind mfft_json_kind = {"a JSON object", START("{"), 1, 0};
const mfft_file_kind mfft_table_kind = {"a table of mergefft", START("# mergefft "), 1, 0};
const mfft_file_kind mfft_wisdom_kind = {"wisdom of mergefft", START("mergefft-wisdom "), 0, 0};
const mfft_file_kind mfft_kernel_kind = {"a compiled kernel", START(""), 0, 1};
enum { LONGEST_START = 64 };

static int refuse(char *why, int error, const char *words) {
  snprintf(why, MFFT_WHY_BYTES, "%s", words);
  return error;
}

static int refuse_error(char *why, int error) { return refuse(why, error, mfft_posix_reason(error)); }

/* ---- Checking the target ---------------------------------------------------------------------------------------------- */

/* The open descriptor that `path` names, as /dev/stdout does; -1: none. */
static int open_descriptor(const char *path) {
  static const struct {
    const char *name;
    int descriptor;
  } streams[] = {{"/dev/stdout", 1}, {"/dev/stderr", 2}};
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
    if (strcmp(path, streams[i].name) == 0) return streams[i].descriptor;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const char *number = path + strlen(folders[i]);
    if (strncmp(path, folders[i], strlen(folders[i])) == 0 && *number && strspn(number, "0123456789") == strlen(number))
      return strlen(number) < 9 ? atoi(number) : -1;
  }
  return -1;
}

/* Devices that accept bytes and store none. */
static int is_sink(const char *path) { return strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/full") == 0; }

/* Only regular files are opened: opening a pipe may block for ever, and opening a device may have side effects. */
static int check_regular(const struct stat *about, char *why) {
  if (S_ISDIR(about->st_mode)) return refuse(why, EISDIR, "it is a directory and not a regular file; name a file in it");
  return S_ISREG(about->st_mode) ? 0 : refuse(why, EINVAL, "it is there and is not a regular file; choose another name");
}

static int open_regular(const char *path, int *fd, struct stat *about, char *why) {
  if (stat(path, about) != 0) return refuse_error(why, errno);
  int error = check_regular(about, why);
  if (error) return error;
  *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0) return refuse_error(why, errno);
  /* The name may refer to another file since the first check. */
  error = fstat(*fd, about) == 0 ? check_regular(about, why) : refuse_error(why, errno);
  if (error) close(*fd);
  return error;
}

static int read_all(int fd, char *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    const ssize_t got = read(fd, bytes + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return EIO; /* the file has been truncated meanwhile */
    done += (size_t)got;
  }
  return 0;
}

/* Whether the file at `path` may be replaced by one of this kind. */
static int check_kind(const char *path, const mfft_file_kind *kind, char *why) {
  struct stat about;
  char start[LONGEST_START] = "";
  int fd, error = open_regular(path, &fd, &about, why);
  if (error) return error;
  const size_t length = (size_t)about.st_size;
  int same = length == 0;
  if (length && length >= kind->length) {
    error = read_all(fd, start, kind->length);
    same = memcmp(start, kind->start, kind->length) == 0;
  }
  close(fd);
  if (error) return refuse_error(why, error);
  if (same) return access(path, W_OK) == 0 ? 0 : refuse_error(why, errno);
  snprintf(why, MFFT_WHY_BYTES, "the file is there and is not %s, so it is not replaced; remove it or name another",
           kind->name);
  return EEXIST;
}

int mfft_file_resolve(const char *path, const mfft_file_kind *kind, char **target, char why[MFFT_WHY_BYTES]) {
  struct stat about;
  const int is_link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
  char *found = is_link ? realpath(path, NULL) : strdup(path);
  if (!found && is_link) return refuse(why, ENOENT, "it is a link that leads nowhere; remove it or name another");
  if (!found) return refuse_error(why, ENOMEM);
  int error = check_kind(found, kind, why);
  if (error == ENOENT) error = 0; /* the file will be created */
  if (error)
    free(found);
  else
    *target = found;
  return error;
}

/* Whether a file can be created in the folder of `path`. */
static int check_folder(const char *path, char *why) {
  char *folder = mfft_system_folder(path);
  struct stat about;
  if (!folder) return refuse_error(why, ENOMEM);
  int error = 0;
  if (stat(folder, &about) || (S_ISDIR(about.st_mode) && access(folder, W_OK | X_OK)))
    error = errno;
  else if (!S_ISDIR(about.st_mode))
    error = ENOTDIR;
  free(folder);
  return error ? refuse_error(why, error) : 0;
}

static int check_descriptor(int fd, const mfft_file_kind *kind, char *why) {
  if (!kind->is_text) return refuse(why, EINVAL, "only texts can go there; name a file");
  return fcntl(fd, F_GETFD) < 0 ? refuse_error(why, errno) : 0;
}

int mfft_file_check(const char *path, const mfft_file_kind *kind, char why[MFFT_WHY_BYTES]) {
  const int open_already = open_descriptor(path);
  char *target = NULL;
  if (open_already >= 0) return check_descriptor(open_already, kind, why);
  if (is_sink(path)) return 0;
  int error = mfft_file_resolve(path, kind, &target, why);
  if (!error) error = check_folder(target, why);
  free(target);
  return error;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    const ssize_t put = write(fd, bytes + done, length - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) { /* a pipe in non-blocking mode */
      struct pollfd pipe = {.fd = fd, .events = POLLOUT};
      poll(&pipe, 1, -1);
      continue;
    }
    if (put < 0) return errno;
    done += (size_t)put;
  }
  return 0;
}

/* A new file beside the target; its name, to be freed. */
static int make_beside(const char *target, char **name) {
  enum { TRIES = 100 };
  static atomic_int made; /* counts names: no two threads use the same one */
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  const size_t size = strlen(target) + sizeof host + 48;
  *name = malloc(size);
  if (!*name) return errno = ENOMEM, -1;
  for (int i = 0; i < TRIES; i++) {
    snprintf(*name, size, "%s.tmp.%s.%ld.%d", target, host, (long)getpid(), atomic_fetch_add(&made, 1));
    const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static int replace(const char *target, const mfft_file_kind *kind, const void *bytes, size_t length, char *why) {
  char *beside = NULL;
  const int fd = make_beside(target, &beside);
  int error = fd < 0 ? errno : write_all(fd, bytes, length);
  if (!error && !kind->is_cache && fsync(fd) != 0) error = errno;
  if (fd >= 0 && close(fd) != 0 && !error) error = errno;
  if (!error && rename(beside, target) != 0) error = errno;
  if (error && fd >= 0) unlink(beside);
  free(beside);
  if (!error && !kind->is_cache) error = mfft_system_sync_folder(target);
  return error ? refuse_error(why, error) : 0;
}

static int write_directly(int fd, const void *bytes, size_t length, char *why) {
  const int error = fd < 0 ? errno : write_all(fd, bytes, length);
  return error ? refuse_error(why, error) : 0;
}

static int write_sink(const char *path, const void *bytes, size_t length, char *why) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC), error = write_directly(fd, bytes, length, why);
  if (fd >= 0) close(fd);
  return error;
}

int mfft_file_write(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length,
                    char why[MFFT_WHY_BYTES]) {
  const int open_already = open_descriptor(path);
  char *target = NULL;
  mfft_posix_signals signals;
  int error;
  mfft_posix_quiet(&signals);
  if (open_already >= 0) {
    error = check_descriptor(open_already, kind, why);
    if (!error) error = write_directly(open_already, bytes, length, why);
  } else if (is_sink(path)) {
    error = write_sink(path, bytes, length, why);
  } else {
    error = mfft_file_resolve(path, kind, &target, why);
    if (!error) error = replace(target, kind, bytes, length, why);
    free(target);
  }
  mfft_posix_restore(&signals);
  return error;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------------- */

int mfft_file_read(const char *path, size_t most, char **bytes, size_t *length, char why[MFFT_WHY_BYTES]) {
  struct stat about;
  int fd, error = open_regular(path, &fd, &about, why);
  if (error) return error;
  const size_t size = (size_t)about.st_size;
  char *found = size <= most ? malloc(size + 1) : NULL;
  error = size > most ? EFBIG : !found ? ENOMEM : read_all(fd, found, size);
  close(fd);
  if (error) {
    free(found);
    if (error != EFBIG) return refuse_error(why, error);
    snprintf(why, MFFT_WHY_BYTES, "it has %zu bytes, and at most %zu are read", size, most);
    return error;
  }
  found[size] = '\0';
  *bytes = found;
  *length = size;
  return 0;
}
