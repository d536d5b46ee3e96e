// TEST ranks=4 labels=dist
// TEST ranks=4 labels=dist+large+nightly timeout=240 args=costs
// TEST ranks=2 labels=dist+cuda timeout=600 args=cuda
// TEST ranks=2 labels=dist+emulated+nightly timeout=300 args=cuda
/* Tuning finds the fastest of whole plans: here messages and FFTW's plans take times that this file sets.  It ends within
 * its limit, on all ranks together; its result is used without timing; wrong wisdom is ignored.  On a GPU, where messages
 * take their real time, only effort and wisdom are tested. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <time.h>

#include "base/wisdom_store.h"
#include "dist.h"
#include "mfft_inspect.h"
#include "wisdom.h"

static int rank, ranks;
static const char *backend = "fftw", *transport = "pairwise", *by_rule = "estimate";

/* ---- A network and an FFTW with costs of our own --------------------------------------------------------------------- */

static double message_s, byte_s,
    measured_s; /* seconds for each message, for each byte of it, for a transform by FFTW_MEASURE */

static void spend(double seconds) {
  struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  if (seconds > 0) nanosleep(&t, NULL);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  int bytes;
  MPI_Type_size(type, &bytes);
  spend(message_s + byte_s * count * bytes);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Ialltoallv(const void *from, const int *from_counts, const int *from_places, MPI_Datatype from_type, void *to,
                   const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request) {
  spend(3 * message_s);
  return PMPI_Ialltoallv(from, from_counts, from_places, from_type, to, to_counts, to_places, to_type, comm, request);
}

/* Plans by FFTW_MEASURE are marked; plans from before a mark are forgotten at the next mark. */
enum { MOST_MARKED = 64 };
static const void *marked[MOST_MARKED];
static int marks;

fftw_plan fftw_plan_guru64_dft(int rank_of, const fftw_iodim64 *dims, int loops, const fftw_iodim64 *loop, fftw_complex *in,
                               fftw_complex *out, int sign, unsigned flags) {
  fftw_plan (*real)(int, const fftw_iodim64 *, int, const fftw_iodim64 *, fftw_complex *, fftw_complex *, int, unsigned);
  *(void **)&real = dlsym(RTLD_NEXT, "fftw_plan_guru64_dft");
  fftw_plan plan = real(rank_of, dims, loops, loop, in, out, sign, flags);
  for (int i = 0; i < MOST_MARKED; i++)
    if (marked[i] == plan) marked[i] = NULL; /* the address of a destroyed plan */
  if (!(flags & FFTW_ESTIMATE)) marked[marks++ % MOST_MARKED] = plan;
  return plan;
}

void fftw_execute_dft(const fftw_plan plan, fftw_complex *in, fftw_complex *out) {
  void (*real)(const fftw_plan, fftw_complex *, fftw_complex *);
  *(void **)&real = dlsym(RTLD_NEXT, "fftw_execute_dft");
  for (int i = 0; i < MOST_MARKED; i++)
    if (measured_s > 0 && marked[i] == plan) spend(measured_s);
  real(plan, in, out);
}

/* ---- Questions ------------------------------------------------------------------------------------------------------- */

static mfft_desc cube(mfft_options *options) {
  static int64_t n = 11; /* each test has a shape of its own, for which there is no wisdom */
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.n[0] = d.n[1] = 16;
  d.n[2] = n = mfft_next_fast_length(n + 1);
  d.order = MFFT_ORDER_TRANSPOSED;
  options->backend = backend;
  options->effort = MFFT_TUNE_MEASURE;
  options->time_limit = 60;
  return d;
}

typedef struct outcome {
  mfft_chosen by;
  char candidate[256];
  int64_t trials; /* that were timed */
  int64_t left_out;
  double best, rule; /* seconds */
} outcome;

/* Makes plans, and compares the ranks. */
static outcome plan_of(const mfft_desc *d, const mfft_options *options) {
  outcome o = {.candidate = ""};
  mfft_plan plan = NULL;
  const char *candidate = NULL;
  int64_t count = 0;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan));
  if (!plan) return o;
  CHECK_OK(mfft_plan_chosen(plan, &o.by, &candidate));
  snprintf(o.candidate, sizeof o.candidate, "%s", candidate);
  CHECK_OK(mfft_plan_trial_count(plan, &count));
  uint64_t hash = 14695981039346656037u;
  int winners = 0;
  for (int64_t i = 0; i < count; i++) {
    mfft_trial t;
    CHECK_OK(mfft_plan_trial(plan, i, &t));
    CHECK((t.why_not != NULL) == (t.seconds == 0), "%s took %g s", t.candidate, t.seconds);
    if (t.won) o.best = t.seconds, winners++;
    if (strcmp(t.parameter, "rule") == 0) o.rule = t.seconds;
    if (t.why_not)
      o.left_out++;
    else
      o.trials++;
    for (const char *c = t.candidate; *c; c++) hash = hash * 31 + (unsigned char)*c;
    hash = hash * 31 + (uint64_t)(1e9 * t.seconds);
  }
  CHECK(winners == (count > 0), "%d trials of %lld are marked as the best", winners, (long long)count);
  mfft_trial none;
  CHECK_FAILS(mfft_plan_trial(plan, count, &none), MFFT_ERR_ARG, "counted from 0");
  CHECK_FAILS(mfft_plan_trial(plan, -1, &none), MFFT_ERR_ARG, "trial -1");
  uint64_t most = hash, least = hash;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  CHECK(most == least, "ranks list different trials");
  char text[8192] = "";
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  const char *words[] = {"plan: estimated", "plan: measured, ", "plan: from wisdom, "};
  CHECK(strstr(text, words[o.by]) && strstr(text, o.candidate), "%s", text);
  CHECK((strstr(text, "    * ") != NULL) == (count > 0), "%s", text);
  mfft_plan_destroy(plan);
  return o;
}

static int has(const outcome *o, const char *words) { return strstr(o->candidate, words) != NULL; }

/* The same request again is answered by wisdom, without a trial. */
static void known(const mfft_desc *d, const mfft_options *options, const outcome *first) {
  const outcome again = plan_of(d, options);
  CHECK(again.by == MFFT_CHOSEN_FROM_WISDOM && again.trials + again.left_out == 0, "%lld trials, %s",
        (long long)again.trials, again.candidate);
  CHECK(strcmp(again.candidate, first->candidate) == 0, "\"%s\", and first \"%s\"", again.candidate, first->candidate);
}

/* ---- Parameters ------------------------------------------------------------------------------------------------------ */

static void transports(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 1;
  message_s = 0.01;
  outcome o = plan_of(&d, &options);
  CHECK(o.by == MFFT_CHOSEN_BY_TIMING && has(&o, "transport p2p") && has(&o, " grid 4x1 chunks 1 "), "%s", o.candidate);
  CHECK(o.rule > 0.05 && o.best < o.rule / 2, "%g s by rule, %g s", o.rule, o.best);
  known(&d, &options, &o);
  options.transport = "alltoallv"; /* one that is named stays */
  o = plan_of(&d, &options);
  CHECK(has(&o, "transport alltoallv"), "%s", o.candidate);
  message_s = 0;
}

/* Slabs send three messages once, a grid of 2 x 2 one message twice, but a third more bytes in total. */
static void grids(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "pairwise", options.chunks = 1;
  message_s = 0.02;
  outcome o = plan_of(&d, &options);
  CHECK(has(&o, "grid 2x2"), "where messages cost: %s", o.candidate);
  known(&d, &options, &o);
  message_s = 0;
  byte_s = 6e-6;
  d = cube(&options);
  options.transport = "pairwise", options.chunks = 1;
  o = plan_of(&d, &options);
  CHECK(has(&o, "grid 4x1") || has(&o, "grid 1x4"), "where bytes cost: %s", o.candidate);
  byte_s = 0;
}

static void chunks(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "pairwise", options.grid[0] = ranks, options.grid[1] = 1;
  message_s = 0.01;
  setenv("MFFT_CHUNK_BYTES", "2048", 1); /* many by rule */
  outcome o = plan_of(&d, &options);
  CHECK(has(&o, "chunks 1 "), "%s", o.candidate);
  known(&d, &options, &o);
  setenv("MFFT_CHUNK_BYTES", "", 1);
  message_s = 0;
}

static void wires(void) {
  static const double stated[] = {[MFFT_DOUBLE] = 6e-8, [MFFT_SINGLE] = 5e-4};
  for (int p = 0; p < 2; p++) {
    mfft_options options;
    mfft_desc d = cube(&options);
    options.transport = "pairwise", options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 1;
    d.precision = (mfft_precision)p;
    options.wire = MFFT_WIRE_AUTO;
    options.tolerance = 0.99 * stated[p];
    byte_s = p == MFFT_DOUBLE ? 3e-6 : 6e-6;
    outcome o = plan_of(&d, &options);
    CHECK(has(&o, "wire full"), "half the width although its error is not allowed: %s", o.candidate);
    options.tolerance = stated[p];
    o = plan_of(&d, &options);
    CHECK(has(&o, "wire half") && o.best < 0.8 * o.rule, "%s, %g and %g s", o.candidate, o.rule, o.best);
    known(&d, &options, &o);
    options.tolerance = 1;
    known(&d, &options, &o); /* a higher tolerance changes nothing */
    byte_s = 0;
    dist_check(MPI_COMM_WORLD, &d, &options, "half the width, as found");
    options.effort = MFFT_MEASURE;
    o = plan_of(&d, &options);
    CHECK(o.by == MFFT_CHOSEN_BY_RULE && o.trials == 0, "%s", o.candidate);
    mfft_plan plan = NULL;
    mfft_wire wire = MFFT_WIRE_AUTO;
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    CHECK_OK(mfft_plan_wire(plan, &wire));
    CHECK(wire == MFFT_WIRE_FULL, "half the width, untimed");
    mfft_plan_destroy(plan);
  }
}

static void local_algorithms(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "pairwise", options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 1;
  measured_s = 0.02;
  outcome o = plan_of(&d, &options);
  CHECK(has(&o, "local estimate") && o.trials == 2, "%lld trials, %s", (long long)o.trials, o.candidate);
  known(&d, &options, &o);
  measured_s = 0;
}

/* ---- Effort and time ------------------------------------------------------------------------------------------------- */

static void efforts(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  char local[32];
  options.transport = transport, options.chunks = 1;
  options.effort = MFFT_TUNE_ESTIMATE;
  outcome o = plan_of(&d, &options);
  snprintf(local, sizeof local, "local %s", by_rule);
  CHECK(o.by == MFFT_CHOSEN_BY_RULE && o.trials == 0 && has(&o, local), "%s", o.candidate);
  options.effort = MFFT_TUNE_MEASURE;
  o = plan_of(&d, &options);
  CHECK(o.by == MFFT_CHOSEN_BY_TIMING && o.trials > 1, "%lld trials", (long long)o.trials);
  const outcome measured = o;
  options.effort = MFFT_TUNE_ESTIMATE;
  known(&d, &options, &measured);
  options.effort = MFFT_TUNE_PATIENT; /* more than wisdom has seen */
  o = plan_of(&d, &options);
  CHECK(o.by == MFFT_CHOSEN_BY_TIMING && o.trials > measured.trials, "%lld trials, %lld before", (long long)o.trials,
        (long long)measured.trials);
  options.effort = MFFT_TUNE_MEASURE;
  known(&d, &options, &o);
}

static void time_limits(void) {
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "pairwise";
  options.effort = MFFT_TUNE_PATIENT;
  message_s = 0.02;
  options.time_limit = 1;
  double begin = MPI_Wtime();
  outcome o = plan_of(&d, &options);
  const double spent = MPI_Wtime() - begin;
  CHECK(o.trials >= 1 && o.trials < 8, "%lld trials in a second", (long long)o.trials);
  CHECK(spent < 5, "%g s with a limit of one", spent);
  known(&d, &options, &o); /* for as much time it would find no more */
  options.time_limit = 1.5;
  const outcome more = plan_of(&d, &options);
  CHECK(more.by == MFFT_CHOSEN_BY_TIMING && more.trials >= 1, "%lld trials", (long long)more.trials);

  d = cube(&options);
  options.transport = transport;
  options.time_limit = 0;
  setenv("MFFT_TUNE_S", rank ? "60" : "0", 1); /* the clock and the limit are those of rank 0 */
  o = plan_of(&d, &options);
  CHECK(o.by == MFFT_CHOSEN_BY_RULE && o.trials == 0, "%lld trials in no time", (long long)o.trials);
  setenv("MFFT_TUNE_S", "", 1);
  message_s = 0;
}

/* More ranks than planes, a descriptor whose workspace the caller provides, and an array in place. */
static void empty_ranks(void) {
  for (int in_place = 0; in_place < 2; in_place++) {
    mfft_options options;
    mfft_desc d = cube(&options);
    d.n[0] = 2, d.n[1] = 1;
    options.user_workspace = 1;
    d.placement = in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    const outcome o = plan_of(&d, &options);
    CHECK(o.by == MFFT_CHOSEN_BY_TIMING && o.trials > 1, "%lld trials", (long long)o.trials);
    known(&d, &options, &o);
  }
}

/* ---- Ranks that are dealt to two nodes in turn ----------------------------------------------------------------------- */

static int dealt;

/* Of the plans that are made meanwhile, by p2p, topology.c alone divides ranks by colors: into nodes. */
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  return PMPI_Comm_split(comm, dealt ? key % 2 : color, key, made);
}

/* ---- Wisdom ---------------------------------------------------------------------------------------------------------- */

/* Keys of tuned plans in this process; the text of the last one. */
static int keys(char *last, size_t size) {
  int count = 0;
  char *text = exported_wisdom();
  for (char *at = text; (at = strstr(at, "\nplan v")); at++, count++)
    snprintf(last, size, "%.*s", (int)strcspn(at + 6, " \n"), at + 6);
  free(text);
  return count;
}

static void wrong_wisdom(void) {
  static const char *const wrong[] = {
      "",
      "grid 4x1 transport pairwise chunks 0",
      "effort measure complete 1 limit 5 seconds 0.1",
      "effort measure complete 1 limit 5 seconds 0.1 transport pigeon grid 4x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 3x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks -1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire half local measure",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local rule",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure and",
      "effort measure complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks 1 overlap-split -2 copy-blocks auto "
      "copy-lanes auto wire full local measure",
      "effort hard complete 1 limit 5 seconds 0.1 transport p2p grid 4x1 chunks 1 overlap-split auto copy-blocks auto "
      "copy-lanes auto wire full local measure",
  };
  char key[1024] = "";
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "p2p", options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 1;
  const outcome first = plan_of(&d, &options);
  outcome o = first;
  keys(key, sizeof key);
  setenv("MFFT_LOG", "0", 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_OK(mfft_wisdom_put(key, wrong[i]));
    o = plan_of(&d, &options);
    CHECK(o.by == MFFT_CHOSEN_BY_TIMING && o.trials == first.trials, "\"%s\" was accepted: %s", wrong[i], o.candidate);
  }
  setenv("MFFT_LOG", "", 1);
  known(&d, &options, &o);
  if (strcmp(backend, "cuda") == 0) return; /* which has no reproducible plans */
  options.reproducible = 1;
  CHECK(plan_of(&d, &options).by == MFFT_CHOSEN_BY_TIMING, "a reproducible plan takes the wisdom of another");
}

/* If the rule divides an exchange along two axes, on devices, one axis is a candidate; otherwise one axis is the plan by
 * rule, and is not timed. */
static void overlap_splits(void) {
  const int cuts_two = strcmp(backend, "cuda") == 0;
  char key[1024] = "", words[256];
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "p2p", options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 4;
  mfft_plan plan = NULL;
  int64_t count = 0;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_OK(mfft_plan_trial_count(plan, &count));
  int tried = 0, timed = 0;
  for (int64_t i = 0; i < count; i++) {
    mfft_trial t;
    CHECK_OK(mfft_plan_trial(plan, i, &t));
    if (strcmp(t.parameter, "overlap-split") != 0) continue;
    CHECK(strstr(t.candidate, " overlap-split -1 ") != NULL, "the short list has %s", t.candidate);
    tried++;
    timed += !t.why_not;
  }
  CHECK(tried == 1 && timed == cuts_two, "no overlap split: tried %d times, timed %d times", tried, timed);
  mfft_plan_destroy(plan);

  keys(key, sizeof key);
  snprintf(
      words, sizeof words,
      "effort patient complete 1 limit 60 seconds 0.1 transport p2p grid %dx1 chunks 4 overlap-split -1 copy-blocks auto "
      "copy-lanes auto wire full local %s",
      ranks, strcmp(by_rule, "estimate") ? by_rule : "measure");
  CHECK_OK(mfft_wisdom_put(key, words));
  const outcome o = plan_of(&d, &options);
  CHECK(o.by == MFFT_CHOSEN_FROM_WISDOM && has(&o, " overlap-split -1 "), "%s", o.candidate);
}

/* The key contains what changes the choice, and nothing else. */
static void key_parts(void) {
  char last[1024];
  mfft_options options;
  mfft_desc d = cube(&options);
  options.transport = "p2p", options.grid[0] = ranks, options.grid[1] = 1, options.chunks = 1;
  plan_of(&d, &options);
  int before = keys(last, sizeof last);
  char words[96];
  snprintf(words, sizeof words, ",nodes=1,per-node=%d,mapping=", ranks);
  CHECK(strstr(last, words) && strstr(last, ",precision=0,") && strstr(last, ",wire=full,"), "%s", last);
  snprintf(words, sizeof words, ",ranks=%d,backend=%s,", ranks, backend);
  CHECK(strstr(last, words), "%s", last);
#define CHANGES(change)                                                                     \
  do {                                                                                      \
    mfft_desc other = d;                                                                    \
    mfft_options other_options = options;                                                   \
    change;                                                                                 \
    plan_of(&other, &other_options);                                                        \
    CHECK(keys(last, sizeof last) == ++before, #change " is the same to wisdom: %s", last); \
  } while (0)
  CHANGES(other.precision = MFFT_SINGLE);
  CHANGES(other_options.threads = 2);
  CHANGES(other.allow_destroy_input = 1);
  CHANGES(other_options.wire = MFFT_WIRE_HALF);
  CHANGES((other_options.wire = MFFT_WIRE_AUTO, other_options.tolerance = 1e-6));
  CHANGES(other_options.chunks = 2);
  CHANGES((other_options.backend = "ref", other.n[0] = other.n[1] = 8, other_options.chunks = 0));
  setenv("MFFT_NODE_RANKS", ranks == 2 ? "1" : "2", 1);
  CHANGES((void)other);
  snprintf(words, sizeof words, ",nodes=2,per-node=%d,", ranks / 2);
  CHECK(strstr(last, words), "%s", last);
  if (ranks > 2) { /* as many nodes with as many ranks, in turn */
    dealt = 1;
    CHANGES((void)other);
    dealt = 0;
    CHECK(strstr(last, words), "%s", last);
  }
  setenv("MFFT_NODE_RANKS", "", 1);
  setenv("MFFT_OVERLAP_BYTES", "0", 1);
  CHANGES((void)other);
  setenv("MFFT_OVERLAP_BYTES", "", 1);
  if (strcmp(backend, "cuda") == 0 && test_small()) { /* of the emulated GPU */
    CHECK(strstr(last, ",links=nvlink,"), "%s", last);
    setenv("MFFT_EMULATED_LINKS", "1", 1);
    CHANGES((void)other);
    CHECK(strstr(last, ",links=pcie,"), "%s", last);
    unsetenv("MFFT_EMULATED_LINKS");
  }
  plan_of(&d, &options);
  CHECK(keys(last, sizeof last) == before, "the first is forgotten");
}

/* Tests with times set by this file, and those that have a meaning on a GPU too. */
static void (*const slow[])(void) = {transports, grids, chunks, wires, local_algorithms, time_limits}; /* [6] */
static void (*const rest[])(void) = {efforts, overlap_splits, wrong_wisdom, key_parts, empty_ranks};   /* [5] */

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int costs = argc > 1 && strcmp(argv[1], "costs") == 0, device = argc > 1 && strcmp(argv[1], "cuda") == 0;
  if (device && !mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  if (device) backend = "cuda", transport = "p2p", by_rule = "rule";
  for (int i = 0; i < (costs ? 6 : 5); i++) (costs ? slow : rest)[i]();
  MPI_Finalize();
  return test_end();
}
