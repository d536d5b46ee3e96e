/* report.c: see report.h. */
#include "report.h"

#include <errno.h>
#include <fftw3-mpi.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mfft_inspect.h"
#include "settings.h"

struct mfft_dropin_entry {
  struct mfft_dropin_entry *next; /* in the order of creation */
  char what[160], where[288];
  int64_t plans;
  _Atomic int64_t calls, run_ns; /* atomic instead of under the lock, since every execute adds to them */
  double planning_s;
  double trial_s; /* seconds of one execute by the other library; 0: no trial */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mfft_dropin_entry *entries;
static double loaded_s; /* time at which the library was loaded */
static int written;
static double trials_s; /* seconds that trials took, which are subtracted from the time of the run */

double mfft_dropin_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((constructor)) static void begin(void) { loaded_s = mfft_dropin_now(); }

/* ---- Entries --------------------------------------------------------------------------------------------------------- */

static const char *order_of(unsigned flags) {
  static const char *const orders[4] = {"natural", "transposed in", "transposed out", "transposed in and out"};
  return orders[!!(flags & FFTW_MPI_TRANSPOSED_IN) + 2 * !!(flags & FFTW_MPI_TRANSPOSED_OUT)];
}

static const char *effort_of(unsigned flags) {
  if (flags & FFTW_WISDOM_ONLY) return "wisdom only";
  if (flags & FFTW_ESTIMATE) return "estimate";
  return flags & FFTW_EXHAUSTIVE ? "exhaustive" : flags & FFTW_PATIENT ? "patient" : "measure";
}

/* Writes the kind, lengths, and numbers of arrays and of processes, "c2c 64x32 on 2 x 4"; returns its bytes. */
static size_t describe_shape(const mfft_dropin_request *r, char *text, size_t size) {
  static const char *const kinds[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};
  size_t at = (size_t)snprintf(text, size, "%s%s ", r->api == MFFT_DROPIN_PFFT ? "pfft " : "", kinds[r->kind]);
  for (int a = 0; a < r->rank && at < size; a++)
    at += (size_t)snprintf(text + at, size - at, "%s%td", a ? "x" : "", r->n[a]);
  for (int a = 0; a < r->rank && r->axis_kind && at < size; a++)
    at += (size_t)snprintf(text + at, size - at, "%s%s", a ? "," : " ", mfft_axis_kind_name(r->axis_kind[a]));
  if (r->howmany != 1 && at < size) at += (size_t)snprintf(text + at, size - at, " of %td", r->howmany);
  for (int d = 0; d < r->mesh.dims && at < size; d++)
    at += (size_t)snprintf(text + at, size - at, "%s%d", d ? " x " : " on ", r->mesh.n[d]);
  return at;
}

void mfft_dropin_describe_request(const mfft_dropin_request *r, char *text, size_t size) {
  static const char *const precisions[] = {
      [MFFT_DOUBLE] = "double", [MFFT_SINGLE] = "single", [MFFT_LONG_DOUBLE] = "long double"};
  const size_t at = describe_shape(r, text, size);
  const int pruned = mfft_dropin_is_shorter(r, 0) || mfft_dropin_is_shorter(r, 1);
  const int padded = r->api == MFFT_DROPIN_PFFT && !r->packed && (r->kind == MFFT_DROPIN_R2C || r->kind == MFFT_DROPIN_C2R);
  if (at < size)
    snprintf(text + at, size - at, " %s, %s, %s%s%s%s, %s", precisions[r->precision],
             r->in == r->out ? "in place" : "out of place", order_of(r->flags), padded ? ", padded" : "",
             r->signs.shifted[0] || r->signs.shifted[1] ? ", shifted" : "", pruned ? ", pruned" : "", effort_of(r->flags));
}

mfft_dropin_entry *mfft_dropin_entry_plan(const mfft_dropin_request *request, const char *where, double seconds) {
  char what[sizeof entries->what];
  mfft_dropin_describe_request(request, what, sizeof what);
  pthread_mutex_lock(&lock);
  mfft_dropin_entry **at = &entries;
  while (*at && (strcmp((*at)->what, what) || strcmp((*at)->where, where))) at = &(*at)->next;
  if (!*at && (*at = calloc(1, sizeof **at))) {
    snprintf((*at)->what, sizeof(*at)->what, "%s", what);
    snprintf((*at)->where, sizeof(*at)->where, "%s", where);
  }
  mfft_dropin_entry *entry = *at;
  if (entry) {
    entry->plans++;
    entry->planning_s += seconds;
  }
  pthread_mutex_unlock(&lock);
  return entry;
}

void mfft_dropin_entry_run(mfft_dropin_entry *entry, double seconds) {
  if (!entry) return;
  atomic_fetch_add_explicit(&entry->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&entry->run_ns, (int64_t)(1e9 * seconds), memory_order_relaxed);
}

void mfft_dropin_entry_trial(mfft_dropin_entry *entry, double seconds, double spent) {
  pthread_mutex_lock(&lock);
  trials_s += spent;
  if (entry) entry->trial_s = seconds;
  pthread_mutex_unlock(&lock);
}

int mfft_dropin_entry_tried(const mfft_dropin_entry *entry) { return entry && entry->trial_s > 0; }

/* ---- The report ------------------------------------------------------------------------------------------------------ */

/* Writes the bound of Amdahl's law: a run with a share f of its time in FFTs becomes at most 1/(1 - f) times as fast. */
static void write_ceiling(FILE *file, double fft_s, double wall_s) {
  const double share = fft_s < wall_s ? fft_s / wall_s : 1;
  fprintf(file, "FFT plans took %.3f s, %.1f %% of the run", fft_s, 100 * share);
  if (share < 0.999) fprintf(file, "; FFTs that took no time would make it %.2f times as fast", 1 / (1 - share));
  fprintf(file, "\n");
}

/* Writes the seconds that FFTW would have taken for all executes of the entries in which it was tried. */
static void write_trials(FILE *file) {
  double ours = 0, theirs = 0;
  for (const mfft_dropin_entry *e = entries; e; e = e->next) {
    ours += e->trial_s > 0 ? 1e-9 * (double)e->run_ns : 0;
    theirs += e->trial_s * (double)e->calls;
  }
  if (theirs > 0 && ours > 0)
    fprintf(file,
            "FFTW itself, by a trial of each kind, would have taken %.3f s for the executes for which mergefft took %.3f s, "
            "%.2f times as long\n",
            theirs, ours, theirs / ours);
}

static void write_entries(FILE *file, double wall_s) {
  double run_s = 0, planning_s = 0;
  const char *trials = trials_s > 0 ? "     FFTW [s]" : "";
  fprintf(file, "%12s %6s %8s %6s %12s%s  %s\n", "seconds", "%", "calls", "plans", "planning [s]", trials,
          "plan: where it ran");
  for (const mfft_dropin_entry *e = entries; e; e = e->next) {
    char trial[32] = "";
    const double seconds = 1e-9 * (double)e->run_ns;
    if (trials_s > 0) snprintf(trial, sizeof trial, " %12s", "-");
    if (e->trial_s > 0) snprintf(trial, sizeof trial, " %12.6f", e->trial_s * (double)e->calls);
    fprintf(file, "%12.6f %6.2f %8" PRId64 " %6" PRId64 " %12.6f%s  %s: %s\n", seconds, 100 * seconds / wall_s, e->calls,
            e->plans, e->planning_s, trial, e->what, e->where);
    run_s += seconds;
    planning_s += e->planning_s;
  }
  write_ceiling(file, run_s + planning_s, wall_s);
  write_trials(file);
}

void mfft_dropin_report(int rank, int ranks) {
  const char *name = mfft_dropin_report_file();
  const int wanted = name && rank == 0 && !written;
  written = 1;
  if (!wanted) return;
  const int to_stderr = !strcmp(name, "stderr");
  FILE *file = to_stderr ? stderr : fopen(name, "w");
  if (!file) {
    fprintf(stderr, "mergefft: warning: MFFT_FFTW_REPORT is \"%s\", which cannot be written: %s\n", name, strerror(errno));
    return;
  }
  const double wall_s = mfft_dropin_now() - loaded_s - trials_s;
  pthread_mutex_lock(&lock);
  if (ranks)
    fprintf(file, "mergefft: FFTW-MPI and PFFT plans, as measured on rank 0 of %d in %.3f s\n", ranks, wall_s);
  else /* MPI is finalized or was never initialized */
    fprintf(file, "mergefft: FFTW-MPI and PFFT plans, as measured on rank 0 in %.3f s\n", wall_s);
  if (entries)
    write_entries(file, wall_s);
  else
    fprintf(file,
            "no plan of FFTW-MPI or PFFT was made through this library: the program makes none, or has the library built in "
            "(docs/fftw.md)\n");
  pthread_mutex_unlock(&lock);
  if (to_stderr ? fflush(file) : fclose(file))
    fprintf(stderr, "mergefft: warning: the report %s is not complete: %s\n", name, strerror(errno));
}

/* The rank of this process in the environment of the launcher, since MPI may be finalized; 0 without a launcher. */
static int launched_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return atoi(getenv(names[i]));
  return 0;
}

/* Writes the report of a program that used MPI but no plan, or that ended without MPI_Finalize.  Launchers, which may load
 * this library too, do not use MPI and write none. */
__attribute__((destructor)) static void end(void) {
  int started = 0;
  MPI_Initialized(&started);
  if (started) mfft_dropin_report(launched_rank(), 0);
}
