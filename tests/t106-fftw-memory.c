// TEST timeout=120 needs=unsanitized
/* FFTW in a process with little memory: planning and executing either succeed or return MFFT_ERR_MEMORY, and never end the
 * process, as FFTW does if an allocation of its own fails.  Each case is a child process whose limit on address space is a
 * little above its present use. */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int main(void) { return TEST_SKIPPED; } /* the shadow memory of a sanitizer takes the whole address space */
#else

typedef struct subject {
  int64_t n[3];
  int rank, threads;
  mfft_kind kind;
  mfft_effort effort;
} subject;

/* The result that a child returns. */
enum { DONE, NO_PLAN, NO_RUN, WRONG };

static size_t address_space_bytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static int run(const subject *s, const double *in, double *out) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = s->rank;
  for (int a = 0; a < s->rank; a++) d.n[a] = s->n[a];
  d.kind = s->kind;
  options.effort = s->effort;
  options.threads = s->threads;
  options.time_limit = 0.2;
  options.backend = "fftw";
  mfft_status status = mfft_plan_create(&d, &options, &plan);
  if (status == MFFT_ERR_MEMORY) return NO_PLAN;
  if (status != MFFT_SUCCESS) return WRONG;
  status = mfft_execute(plan, MFFT_FORWARD, in, out);
  return status == MFFT_SUCCESS ? DONE : status == MFFT_ERR_MEMORY ? NO_RUN : WRONG;
}

static int run_in_child(const subject *s, size_t more_bytes, const double *in, double *out) {
  int answer = 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20); /* a hang is a signal, too */
    const struct rlimit limit = {address_space_bytes() + more_bytes, address_space_bytes() + more_bytes};
    setrlimit(RLIMIT_AS, &limit);
    _exit(run(s, in, out));
  }
  CHECK(child > 0 && waitpid(child, &answer, 0) == child, "no child");
  CHECK(WIFEXITED(answer), "%lld x %lld, %zu bytes: ended by signal %d", (long long)s->n[0], (long long)s->n[1], more_bytes,
        WTERMSIG(answer));
  return WIFEXITED(answer) ? WEXITSTATUS(answer) : WRONG;
}

int main(void) {
  const subject subjects[] = {
      {{100003}, 1, 1, MFFT_C2C, MFFT_ESTIMATE},      {{100003}, 1, 1, MFFT_C2C, MFFT_MEASURE},
      {{262147}, 1, 1, MFFT_R2C, MFFT_ESTIMATE},      {{65537}, 1, 1, MFFT_C2C, MFFT_PATIENT},
      {{1 << 18}, 1, 1, MFFT_C2C, MFFT_MEASURE},      {{3 * 65537}, 1, 1, MFFT_C2C, MFFT_ESTIMATE},
      {{16, 10007, 2}, 3, 4, MFFT_C2C, MFFT_MEASURE}, {{10007, 16}, 2, 4, MFFT_R2C, MFFT_ESTIMATE},
  };
  enum { MOST = 1 << 20, STEP = 1 << 20, STEPS = 2000 };
  double *in = calloc(MOST, sizeof *in), *out = calloc(MOST, sizeof *out); /* before there is a limit */
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    int seen[WRONG + 1] = {0}, last = WRONG;
    for (size_t more = 0; more < STEPS && !seen[DONE]; more += more < 8 ? 1 : 1 + more / 8) {
      last = run_in_child(&subjects[i], more * STEP, in, out);
      seen[last]++;
    }
    CHECK(last == DONE && seen[NO_PLAN] > 0 && !seen[WRONG], "%lld: %d times done, %d no plan, %d no run, %d wrong",
          (long long)subjects[i].n[0], seen[DONE], seen[NO_PLAN], seen[NO_RUN], seen[WRONG]);
  }
  free(in);
  free(out);
  return test_end();
}
#endif
