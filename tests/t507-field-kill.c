// TEST labels=field+fault timeout=120
// A writer killed at random moments leaves under the final name a whole file, the old one or the new one; and a partial file
// of a dead writer stops nobody.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "field.h"

/* The field of generation g is g everywhere. */
static const int64_t n[3] = {64, 128, 128}; /* 8 MiB */
static const char *const path = "kill.h5";

static void keep_writing(void) {
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, n, sizeof desc.n);
  mfft_field_dataset dataset = {"f", NULL};
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  mfft_box box = mfft_box_whole(n);
  int64_t count = mfft_box_count(&box);
  double *values = malloc((size_t)count * sizeof *values); /* [count] */
  for (int generation = 1;; generation++) {
    for (int64_t i = 0; i < count; i++) values[i] = generation;
    mfft_status status = mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values);
    if (status != MFFT_SUCCESS) {
      fprintf(stderr, "%s: %s\n", mfft_strerror(status), mfft_last_error());
      exit(1);
    }
    if (generation == 1) {
      if (write(STDOUT_FILENO, "w", 1) != 1) exit(1);
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

/* This program again, with another task.  Its standard output is `out`. */
static pid_t start(const char *self, const char *task, int out) {
  pid_t child = fork();
  if (child == 0) {
    if (out >= 0) dup2(out, STDOUT_FILENO);
    execl(self, self, task, (char *)NULL);
    _exit(127);
  }
  return child;
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
  for (int round = 0; round < 12; round++) {
    int ends[2];
    CHECK(pipe(ends) == 0, " ");
    pid_t writer = start("/proc/self/exe", "write", ends[1]);
    close(ends[1]);
    char begun = 0;
    CHECK(read(ends[0], &begun, 1) == 1, "the writer of round %d did not write", round);
    struct timespec wait = {0, (long)((test_random(&state) + 0.5) * 150e6)};
    nanosleep(&wait, NULL);
    kill(writer, SIGKILL);
    int status;
    waitpid(writer, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "round %d: the writer ended by itself", round);
    close(ends[0]);
    pid_t reader = start("/proc/self/exe", "check", -1);
    waitpid(reader, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "round %d: the file is not whole", round);
  }
  remove(path);
  remove("kill.h5.mfft-partial");
  return test_end();
}
