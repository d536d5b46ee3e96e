// TEST labels=field+fault timeout=120 needs=unsanitized
// TEST labels=field+fault timeout=120 needs=unsanitized env=MFFT_IO_THREADS=4
// A writer killed at random moments leaves a whole file under the final name, the old one or the new one; and the partial
// file of a killed writer does not hinder later ones.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "field.h"

/* All values of the field of generation g are g. */
static const int64_t n[3] = {64, 128, 128}; /* 8 MiB */
static const char *const path = "kill.h5";

/* Writes its process id, then field after field; prints "w" when the first is complete. */
static void keep_writing(void) {
  char name[64];
  snprintf(name, sizeof name, "kill-%d.pid", world_rank());
  FILE *file = fopen(name, "w");
  fprintf(file, "%ld\n", (long)getpid());
  fclose(file);

  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  int64_t count = mfft_box_count(&box);
  double *values = malloc((size_t)(count + 1) * sizeof *values); /* [count + 1] */
  for (int generation = 1;; generation++) {
    for (int64_t i = 0; i < count; i++) values[i] = generation;
    mfft_status status = write_slabs(path, n, values);
    if (status != MFFT_SUCCESS) {
      fprintf(stderr, "%s: %s\n", mfft_strerror(status), mfft_last_error());
      exit(1);
    }
    if (generation == 1 && world_rank() == 0) {
      putchar('w');
      fflush(stdout);
    }
  }
}

static int check_whole(void) {
  mfft_box box = mfft_box_whole(n);
  int64_t count = mfft_box_count(&box), other = 0;
  double *values = malloc((size_t)count * sizeof *values); /* [count] */
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_DOUBLE, values, 0));
  for (int64_t i = 0; i < count; i++) other += values[i] != values[0];
  CHECK(other == 0 && values[0] >= 1, "%lld values of another generation than %g", (long long)other, values[0]);
  free(values);
  return test_end();
}

/* Runs this program again, with another task, under `launcher` unless that is NULL.  Its standard output is `out`. */
static pid_t start(const char *launcher, const char *task, int out) {
  char self[512] = "", command[2048];
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return -1;
  snprintf(command, sizeof command, "exec %s '%s' %s 2>%s", launcher ? launcher : "", self, task,
           launcher ? "/dev/null" : "&1"); /* a launcher prints much if its child was killed */
  pid_t child = fork();
  if (child == 0) {
    if (out >= 0) dup2(out, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  return child;
}

static pid_t pid_of(int rank) {
  char name[64];
  long pid = 0;
  snprintf(name, sizeof name, "kill-%d.pid", rank);
  FILE *file = fopen(name, "r");
  if (file && fscanf(file, "%ld", &pid) != 1) pid = 0;
  if (file) fclose(file);
  return (pid_t)pid;
}

/* Starts writers, kills the one of `victim` at a random moment, and checks the file. */
static void one_round(const char *launcher, int victim, uint64_t *state) {
  int ends[2], status;
  CHECK(pipe(ends) == 0);
  pid_t writer = start(launcher, "write", ends[1]);
  close(ends[1]);
  char begun = 0;
  CHECK(read(ends[0], &begun, 1) == 1, "the writer did not write");
  struct timespec wait = {0, (long)((test_random(state) + 0.5) * 150e6)};
  nanosleep(&wait, NULL);
  pid_t pid = pid_of(victim);
  CHECK(pid > 0 && kill(pid, SIGKILL) == 0, "rank %d had ended by itself", victim);
  waitpid(writer, &status, 0);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0, "the writers ended well");
  close(ends[0]);
  waitpid(start(NULL, "check", -1), &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the file is not whole after rank %d was killed", victim);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    MPI_Init(&argc, &argv);
    int bad = 0;
    if (!strcmp(argv[1], "write"))
      keep_writing();
    else
      bad = check_whole();
    MPI_Finalize();
    return bad;
  }

  uint64_t state = (uint64_t)time(NULL);
  for (int round = 0; round < 8; round++) one_round(NULL, 0, &state);
  const char *launcher = getenv("MFFT_TEST_MPIEXEC");
  if (launcher && launcher[0]) {
    char three[1024];
    snprintf(three, sizeof three, "%s 3", launcher);
    for (int round = 0; round < 6; round++) one_round(three, round % 3, &state);
  }
  remove(path);
  remove("kill.h5.mfft-partial");
  return test_end();
}
