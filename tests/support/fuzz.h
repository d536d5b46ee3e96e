/* fuzz.h: random tries by a seed.
 *
 * Try number i of a seed draws all that it needs from a generator that begins anew at (seed, i), so that any try can be
 * repeated alone, by the line that a failing one prints:
 *
 *     t990-fuzz-flips --seed 7 --first 1234 --tries 1            --here too: in this process, for a debugger
 *
 * Tries run in batches in forked children, so that a crash or a hang ends one child and is counted by the library whose code
 * ran: the innermost frame of HDF5 or of the test program, which contains mergefft's objects.  A crash that an earlier try
 * of the batch may have caused is distinguished by repeating the try alone.  --counts FILE appends a line "harness TAB fault
 * TAB outcome TAB count" for each outcome that occurred; scripts/fuzz adds them up. */
#ifndef MFFT_TESTS_FUZZ_H
#define MFFT_TESTS_FUZZ_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first include: dladdr and MAP_ANONYMOUS"
#endif
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Outcomes of a try: a status of the library, or one of these. */
enum {
  FUZZ_WRONG = MFFT_STATUS_COUNT, /* success with a wrong result, or another violation of the specification */
  FUZZ_DIED,                      /* in code of mergefft */
  FUZZ_HUNG,
  FUZZ_DIED_HDF5, /* in code of HDF5 */
  FUZZ_HUNG_HDF5,
  FUZZ_UNSEEN, /* success with other values, where the specification allows that */
  FUZZ_OUTCOMES,
  FUZZ_MOST_ROWS = 32,
  FUZZ_BATCH = 500,        /* tries of a child */
  FUZZ_MOST_REPORTED = 10, /* failing tries of which each is reported */
  FUZZ_EXIT_LEAKS = 4,
  FUZZ_EXIT_SIGNAL = 5
};

typedef struct fuzz_try {
  uint64_t state; /* of the generator */
  long number;
  int row, wrong;
} fuzz_try;

typedef struct fuzz_harness {
  const char *name;
  const char *const *row; /* [rows] kinds of faults */
  int rows, seconds;      /* limit of one try */
  size_t memory;          /* address space of a child, 0: no limit; not under sanitizers, which reserve more than there is */
  int (*attempt)(fuzz_try *); /* the outcome: a status; sets `row` first */
} fuzz_harness;

/* The record that a child sends to its parent. */
typedef struct fuzz_shared {
  volatile long at; /* number of the try in progress */
  volatile int row, culprit, signal;
  volatile long reported, later; /* failing tries that were printed; crashes that an earlier try caused */
  long count[FUZZ_MOST_ROWS][FUZZ_OUTCOMES];
} fuzz_shared;

typedef struct fuzz_run {
  const fuzz_harness *harness;
  const char *program, *counts;
  uint64_t seed;
  long first, tries;
  int here;
} fuzz_run;

static fuzz_shared *fuzz_page;
static const fuzz_run *fuzz_now;
static const char *fuzz_own; /* file name of the program, as dladdr returns it */

/* 0 .. n - 1 */
static inline int64_t fuzz_draw(fuzz_try *t, int64_t n) { return (int64_t)((test_random(&t->state) + 0.5) * (double)n); }
static inline int fuzz_one_in(fuzz_try *t, int n) { return fuzz_draw(t, n) == 0; }

static inline void fuzz_set_row(fuzz_try *t, int row) { t->row = row, fuzz_page->row = row; }

static inline void fuzz_tell_repeat(long number) {
  fprintf(stderr, "    repeat: %s --seed %llu --first %ld --tries 1\n", fuzz_now->program,
          (unsigned long long)fuzz_now->seed, number);
}

/* The specification was violated in this try. */
__attribute__((format(printf, 2, 3))) static inline void fuzz_wrong(fuzz_try *t, const char *format, ...) {
  if (!t->wrong++ && fuzz_page->reported++ < FUZZ_MOST_REPORTED) {
    va_list args;
    fprintf(stderr, "%s, %s: ", fuzz_now->harness->name, fuzz_now->harness->row[t->row]);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    fuzz_tell_repeat(t->number);
  }
}

/* ---- Whose code ran -------------------------------------------------------------------------------------------------- */

static inline int fuzz_frame_is_own(void *frame) {
  Dl_info info;
  return dladdr(frame, &info) && strcmp(info.dli_fname, fuzz_own) == 0;
}

/* FUZZ_DIED or FUZZ_DIED_HDF5.  The program's first frames, after those of a sanitizer's own backtrace, are this function
 * and its callers. */
static inline int fuzz_culprit(void) {
  void *frame[64];
  Dl_info info;
  const int count = backtrace(frame, 64);
  int i = 0;
  while (i < count && !fuzz_frame_is_own(frame[i])) i++;
  while (i < count && fuzz_frame_is_own(frame[i])) i++;
  for (; i < count && !fuzz_frame_is_own(frame[i]); i++)
    if (dladdr(frame[i], &info) && strstr(info.dli_fname, "libhdf5")) return FUZZ_DIED_HDF5;
  return FUZZ_DIED;
}

static inline void fuzz_on_signal(int signal) {
  const int culprit = fuzz_culprit();
  fuzz_page->culprit = signal == SIGALRM ? culprit - FUZZ_DIED + FUZZ_HUNG : culprit;
  fuzz_page->signal = signal;
  _exit(FUZZ_EXIT_SIGNAL);
}

#ifdef __SANITIZE_ADDRESS__
int __lsan_do_recoverable_leak_check(void);
void __sanitizer_set_death_callback(void (*callback)(void));
static inline void fuzz_on_report(void) { fuzz_page->culprit = fuzz_culprit(); }
/* The handler decides whose code raised a signal; HDF5 allocates as much as a damaged header says, and handles the failure.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=2048:handle_segv=0:handle_sigbus=0:handle_abort=0:"
         "handle_sigfpe=0:handle_sigill=0";
}
#endif

static inline void fuzz_catch_signals(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGXFSZ};
  static char stack[1 << 17];
  const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action;
  void *frame[4];
  backtrace(frame, 4);           /* loads the unwinder before a handler calls it */
  sigaltstack(&alternate, NULL); /* for stacks that overflow */
  memset(&action, 0, sizeof action);
  action.sa_handler = fuzz_on_signal;
  action.sa_flags = SA_ONSTACK;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

/* ---- Running --------------------------------------------------------------------------------------------------------- */

static inline void fuzz_attempt(const fuzz_run *run, long number) {
  /* Seeds and numbers that differ by little begin at unrelated states. */
  fuzz_try t = {.state = run->seed * 0xd1342543de82ef95u + (uint64_t)number * 0xaef17502108ef2d9u, .number = number};
  test_random(&t.state);
  fuzz_page->at = number;
  const int outcome = run->harness->attempt(&t);
  fuzz_page->count[t.row][t.wrong ? FUZZ_WRONG : outcome]++;
}

/* In a child: tries [from, to), then the end of the process. */
static inline void fuzz_work(const fuzz_run *run, long from, long to) {
#ifndef __SANITIZE_ADDRESS__
  if (run->harness->memory) {
    const struct rlimit limit = {run->harness->memory, run->harness->memory};
    setrlimit(RLIMIT_AS, &limit);
  }
#endif
  fuzz_catch_signals();
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(fuzz_on_report);
#endif
  for (long i = from; i < to; i++) {
    alarm((unsigned)run->harness->seconds);
    fuzz_attempt(run, i);
  }
  alarm(0);
  fflush(NULL);
#ifdef __SANITIZE_ADDRESS__
  if (__lsan_do_recoverable_leak_check()) _exit(FUZZ_EXIT_LEAKS);
#endif
  _exit(0);
}

/* Forks a child for tries [from, to) and waits for it: 0, or the code that it ended with, or minus a signal. */
static inline int fuzz_child(const fuzz_run *run, long from, long to) {
  int ended = 0;
  fuzz_page->at = from;
  fuzz_page->culprit = FUZZ_DIED;
  fuzz_page->signal = 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) fuzz_work(run, from, to);
  if (child < 0 || waitpid(child, &ended, 0) != child) exit(3);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

static inline const char *fuzz_outcome_name(int outcome) {
  static const char *const own[] = {"WRONG",        "died in mergefft", "hung in mergefft",
                                    "died in HDF5", "hung in HDF5",     "other values"};
  static char name[64];
  if (outcome >= MFFT_STATUS_COUNT) return own[outcome - MFFT_STATUS_COUNT];
  if (outcome == MFFT_SUCCESS) return "exact";
  snprintf(name, sizeof name, "%.*s", (int)strcspn(mfft_strerror((mfft_status)outcome), ":"),
           mfft_strerror((mfft_status)outcome));
  return name;
}

/* The child ended in try `at`: counts whose fault that is.  A crash in code of ours is repeated alone; if the try succeeds
 * then, which counts its outcome, an earlier try has corrupted memory. */
static inline void fuzz_died(const fuzz_run *run, int code) {
  const long at = fuzz_page->at;
  const int row = fuzz_page->row, signal = code < 0 ? -code : fuzz_page->signal;
  int outcome = fuzz_page->culprit;
  const int alone = outcome != FUZZ_DIED || fuzz_child(run, at, at + 1) != 0;
  if (alone)
    fuzz_page->count[row][outcome = fuzz_page->culprit]++;
  else
    fuzz_page->later++;
  fuzz_page->at = at;
  if (outcome == FUZZ_DIED_HDF5 || outcome == FUZZ_HUNG_HDF5 || fuzz_page->reported++ >= FUZZ_MOST_REPORTED) return;
  fprintf(stderr, "%s, %s: %s, signal %d, exit code %d%s\n", run->harness->name, run->harness->row[row],
          fuzz_outcome_name(outcome), signal, code, alone ? "" : ", but not when it was repeated alone");
  fuzz_tell_repeat(at);
}

static inline void fuzz_write_counts(const fuzz_run *run) {
  FILE *file = run->counts ? fopen(run->counts, "a") : NULL;
  for (int row = 0; file && row < run->harness->rows; row++)
    for (int outcome = 0; outcome < FUZZ_OUTCOMES; outcome++)
      if (fuzz_page->count[row][outcome])
        fprintf(file, "%s\t%s\t%s\t%ld\n", run->harness->name, run->harness->row[row], fuzz_outcome_name(outcome),
                fuzz_page->count[row][outcome]);
  if (run->counts) CHECK(file && fclose(file) == 0, "%s cannot be written", run->counts);
}

static inline int fuzz_arguments(fuzz_run *run, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--here") == 0) {
      run->here = 1;
      continue;
    }
    if (i + 1 == argc) return 0;
    const char *name = argv[i], *value = argv[++i];
    if (strcmp(name, "--seed") == 0)
      run->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--first") == 0)
      run->first = atol(value);
    else if (strcmp(name, "--tries") == 0)
      run->tries = atol(value);
    else if (strcmp(name, "--counts") == 0)
      run->counts = value;
    else
      return 0;
  }
  return 1;
}

/* How many of so many tries are made where no option says it: all with scripts/test --all, else half of them under the
 * address sanitizer, which notices most, and elsewhere a quarter, which are the first of those. */
static inline long fuzz_usual(long tries) {
#ifdef TEST_ADDRESS_SANITIZER
  return test_all() ? tries : tries / 2;
#else
  return test_all() ? tries : tries / 4;
#endif
}

/* Runs all tries; a wrong result, a crash or a hang in code of ours is a failed check. */
static inline void fuzz_main(const fuzz_harness *harness, long tries, int argc, char **argv) {
  fuzz_run run = {.harness = harness, .program = argv[0], .seed = 1, .tries = fuzz_usual(tries)};
  Dl_info info;
  if (!fuzz_arguments(&run, argc, argv)) {
    fprintf(stderr, "usage: %s [--seed S] [--first I] [--tries N] [--counts FILE] [--here]\n", argv[0]);
    exit(2);
  }
  fuzz_now = &run;
  fuzz_own = dladdr((void *)fuzz_died, &info) ? info.dli_fname : "";
  fuzz_page = mmap(NULL, sizeof *fuzz_page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fuzz_page == MAP_FAILED) exit(3);
  const long end = run.first + run.tries;
  for (long at = run.first; at < end && !run.here; at = fuzz_page->at + 1) {
    const long to = at + FUZZ_BATCH < end ? at + FUZZ_BATCH : end;
    const int code = fuzz_child(&run, at, to);
    fuzz_page->at = code == 0 ? to - 1 : fuzz_page->at;
    CHECK(code != FUZZ_EXIT_LEAKS, "tries %ld to %ld leak memory", at, to);
    if (code == FUZZ_EXIT_LEAKS) fuzz_page->at = to - 1;
    if (code != 0 && code != FUZZ_EXIT_LEAKS) fuzz_died(&run, code);
  }
  for (long at = run.first; at < end && run.here; at++) fuzz_attempt(&run, at);
  for (int row = 0; row < harness->rows; row++) {
    static const int bad[] = {FUZZ_WRONG, FUZZ_DIED, FUZZ_HUNG};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
      CHECK(fuzz_page->count[row][bad[i]] == 0, "%s, %s: %ld %s of seed %llu", harness->name, harness->row[row],
            fuzz_page->count[row][bad[i]], fuzz_outcome_name(bad[i]), (unsigned long long)run.seed);
  }
  CHECK(fuzz_page->later == 0, "%s: %ld tries died of what an earlier one had spoilt", harness->name, fuzz_page->later);
  fuzz_write_counts(&run);
}

#endif
