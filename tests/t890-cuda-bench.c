// TEST labels=cuda timeout=900 args=--quick
/* The CUDA engine and cuFFT in one process, on the same data, natural order in and out: the result is checked before it is
 * timed.  Without a GPU or without cuFFT it is skipped.
 *
 *   t890-cuda-bench [--set 1d,smooth,lot,long,few,2d,plane,3d,one,r2c,c2r] [--precision hsdb] [--min bits] [--max bits]
 * [--repeat n]
 * [--quick]
 * [--step bits] [--only 512x256,8192] [--alone] [--vkfft] [--graph] [--real] [--peer-effort estimate|measure|patient]
 * [--compute auto|butterfly|tensor] [--cluster 0,-1,4:16:256,c8,...]
 *
 * cuFFT is called by the fastest of its calls (apps/bench/cufft_calls.h; --peer-effort measure tries more of them).
 *
 * One line for each case: the transform, cuFFT's median milliseconds, ours, ratio, passes (time x copy bandwidth / bytes
 * read and written), error of both against FFTW on the first and last arrays (batch_truth.h), the call of cuFFT, WORSE if
 * ours exceeds cuFFT's by 1 %, which is an error unless tensor cores are requested.  --step is the number of bits from one
 * length of a real line to the next.
 *
 * --cluster times every case once for each item, which is blocks of a cluster, elements of a thread, and length of the first
 * transform: 0 leaves the choice to the library, -1 is none; c8:16 are columns in clusters of 8; t64:2 is 16-bit numbers in
 * resident tiles of 64 KB a block, of two blocks, at64:2 the same with a double buffer, t-1 none; p18:256 is a long axis in
 * parts of 18 MB except a pass of 256, p-1 none; k2:256:1:3 is the second chain of register butterflies in blocks of at
 * most 256 threads, without prefetching (blocks + 1), loads not staged and stores staged (bits + 1), and a fifth number the
 * bytes of a segment of strided lines, 0 for what the rule says; items that do not suit a case, or repeat another, are
 * skipped. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <dlfcn.h>
#include <time.h>

#include "batch_truth.h"
#include "local/cuda/planner/phases.h"

#ifdef MFFT_HAVE_CUFFT
#include "../apps/bench/cufft_calls.c"
#include "../apps/bench/cufft_library.c"
#include "../apps/bench/peer_driver.c"
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#ifdef MFFT_HAVE_VKFFT
#include "../apps/bench/vkfft_library.c"
#endif
#else /* a build without cuFFT's headers times ours alone */
typedef struct mfft_cufft_call mfft_cufft_call;
#endif

static double copy_bandwidth; /* bytes per millisecond, read plus write */
static int repeats = 11;
static CUevent from, till;
static char *in, *out, *work; /* device */
static size_t room;
static unsigned char *noise; /* [noise_reals] of every precision in turn */
static const int64_t noise_reals = 1 << 23;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct job {
  const mfft_fft_spec *spec;
  mfft_fft *fft;
  mfft_cufft_call *theirs;
  void *vkfft;
  CUstream stream; /* that is captured; else NULL */
  CUgraphExec graph;
} job;
static int run_ours(const job *j) { return mfft_backend_cuda.fft_execute(j->fft, in, out, work, j->stream) == MFFT_SUCCESS; }

/* The peer: the fastest of cuFFT's calls, reduced to an interface if there is no cuFFT. */
static mfft_effort peer_effort = MFFT_ESTIMATE;
#ifdef MFFT_HAVE_CUFFT
static const mfft_cufft_library *cufft; /* NULL: none */

static int run_theirs(const job *j) { return mfft_cufft_call_execute(j->theirs) == MFFT_SUCCESS; }
static void make_theirs(job *j) {
  const mfft_fft_spec *s = j->spec;
  mfft_cufft_transform t = {.rank = s->naxes,
                            .batch = s->loop[0].n,
                            .kind = s->type == MFFT_FFT_C2C ? MFFT_C2C : MFFT_R2C,
                            .direction = s->direction,
                            .precision = s->precision,
                            .placement = MFFT_OUT_OF_PLACE,
                            .effort = peer_effort,
                            .in = in,
                            .out = out};
  for (int a = 0; a < s->naxes; a++) t.n[a] = s->axis[a].n;
  if (cufft && mfft_cufft_call_create(cufft, &t, &j->theirs) != MFFT_SUCCESS) printf("%s\n", mfft_app_message());
}
static const char *words_of_theirs(const job *j) { return j->theirs ? mfft_cufft_call_words(j->theirs) : "none"; }
static void free_theirs(const job *j) { mfft_cufft_call_destroy(j->theirs); }
static const char *open_cufft(void) { return mfft_cufft_open("cufft", &cufft) == MFFT_SUCCESS ? "" : ", no cuFFT"; }
#else
static int run_theirs(const job *j) { return j->theirs != NULL; }
static void make_theirs(job *j) { j->theirs = NULL; }
static const char *words_of_theirs(const job *j) { return j->theirs ? "" : "none"; }
static void free_theirs(const job *j) { (void)j; }
static const char *open_cufft(void) { return ", no cuFFT"; }
#endif
/* VkFFT beside them (--vkfft), compiled plans in $MFFT_CACHE_DIR. */
static int with_vkfft;
#ifdef MFFT_HAVE_VKFFT
static const mfft_vkfft_plans *vkfft; /* NULL: none */

static int run_vkfft(const job *j) { return !vkfft->execute(j->vkfft); }
static void make_vkfft(job *j) {
  const mfft_fft_spec *s = j->spec;
  char why[MFFT_VKFFT_WHY_BYTES];
  mfft_vkfft_transform t = {.rank = s->naxes,
                            .batch = s->loop[0].n,
                            .kind = s->type == MFFT_FFT_C2C ? MFFT_C2C : MFFT_R2C,
                            .direction = s->direction,
                            .precision = s->precision,
                            .placement = MFFT_OUT_OF_PLACE,
                            .in = in,
                            .out = out,
                            .stream = j->stream,
                            .cache_folder = getenv("MFFT_CACHE_DIR")};
  for (int a = 0; a < s->naxes; a++) t.n[a] = s->axis[a].n;
  if (vkfft->create(&t, &j->vkfft, why)) printf("VkFFT: %s\n", why);
}
static void free_vkfft(const job *j) {
  if (vkfft) vkfft->destroy(j->vkfft);
}
static void open_vkfft(void) {
  if (mfft_vkfft_open(&vkfft) != MFFT_SUCCESS) printf("%s\n", mfft_app_message());
  with_vkfft = vkfft != NULL;
}
#else
static int run_vkfft(const job *j) { return j->vkfft != NULL; }
static void make_vkfft(job *j) { j->vkfft = NULL; }
static void free_vkfft(const job *j) { (void)j; }
static void open_vkfft(void) { printf("this build has no VkFFT\n"), with_vkfft = 0; }
#endif
static int run_graph(const job *j) { return gpu->graph_launch(j->graph, NULL) == CUDA_SUCCESS; }

static int run_copy(const job *j) {
  (void)j;
  return gpu->copy_on_device((CUdeviceptr)out, (CUdeviceptr)in, room / 2, NULL) == CUDA_SUCCESS;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double warm_s = 2e-3;

/* Median milliseconds of one run; short ones are timed several at a time. */
static double median(int (*run)(const job *), const job *j) {
  double times[64] = {0};
  float ms = 0;
  int inner = 1;
  const double begun = seconds();
  for (int i = 0; i < 2 || seconds() - begun < warm_s; i++) { /* until clocks are up and caches know the arrays */
    if (!run(j)) return NAN;
    if (i >= 1 && gpu->context_synchronize()) return NAN;
  }
  gpu->event_record(from, NULL);
  if (!run(j)) return NAN;
  gpu->event_record(till, NULL);
  if (gpu->event_synchronize(till)) return NAN;
  gpu->event_elapsed(&ms, from, till);
  if (ms < 0.2f) inner = 20;
  for (int i = 0; i < repeats; i++) {
    gpu->event_record(from, NULL);
    for (int k = 0; k < inner; k++) run(j);
    gpu->event_record(till, NULL);
    if (gpu->event_synchronize(till)) return NAN;
    gpu->event_elapsed(&ms, from, till);
    times[i] = ms / inner;
  }
  qsort(times, (size_t)repeats, sizeof *times, by_value);
  return times[repeats / 2];
}

/* Fills `reals` of the input with noise that has no period of a power of two; not again while it is unchanged, if transforms
 * preserve it. */
static void fill(mfft_precision p, int64_t reals, int kept) {
  size_t b = mfft_real_bytes(p);
  static int made = -1;
  static int64_t filled;
  if (made == (int)p && filled == reals && kept) return;
  filled = kept ? reals : 0;
  if (made != (int)p) {
    uint64_t seed = 99;
    for (int64_t i = 0; i < noise_reals; i++) { /* products: all bits of a double, not a grid on which sums are exact */
      const double x = test_random(&seed);
      store_value(p, noise, i, x * (1.5 + test_random(&seed)));
    }
    made = (int)p;
  }
  int64_t shift = 0;
  for (int64_t at = 0; at < reals;) {
    int64_t count = noise_reals - shift;
    if (count > reals - at) count = reals - at;
    gpu->copy_to_device((CUdeviceptr)(in + (size_t)at * b), noise + (size_t)shift * b, (size_t)count * b);
    at += count;
    shift = (shift + 1000003) % (noise_reals / 2);
  }
}

static mfft_compute compute;
static double log_ratios, log_best; /* of cuFFT's time, or of the better one's of cuFFT and VkFFT, to ours */
static int ratios, bests;

static void name_size(const mfft_fft_spec *spec, char name[64]) {
  for (int a = 0, used = 0; a < spec->naxes; a++)
    used += snprintf(name + used, 64 - (size_t)used, "%s%lld", a ? "x" : "", (long long)spec->axis[a].n);
}

/* Adds the trial of blocks, and what the text of a plan of one pass of butterflies leaves out: blocks ahead, blocks
 * together, staged ends, gaps, bytes. */
static void print_block(const mfft_fft_spec *spec, char *text, size_t size) {
  mfft_phases phases;
  size_t used = strlen(text);
  const mfft_block_trial *b = &spec->block;
  used += (size_t)snprintf(text + used, size - used, " | k%d:%d:%d:%d:%d", b->rank, b->threads, b->prefetch, b->staging,
                           b->segment);
  if (mfft_phases_make(spec, &mfft_limits_sm90, &phases) != MFFT_SUCCESS || phases.phase[0].schedule.count > 1) return;
  const mfft_kernel *k = &phases.phase[0].schedule.pass[0].kernel;
  snprintf(text + used, size - used, " ahead %d, together %d, staged %d%d, gap %d, %d bytes",
           k->hints.prefetch / mfft_limits_sm90.sms, k->tile.min_blocks, k->in.staging, k->out.staging, k->tile.gap,
           k->tile.shared_bytes);
}

/* MFFT_TEST_VKFFT=part/parts: only makes VkFFT's plans, of this process's share of the cases, for those that come after. */
static int only_vkfft(const mfft_fft_spec *spec) {
  static int part, parts, count;
  const char *words = getenv("MFFT_TEST_VKFFT");
  job j = {.spec = spec};
  if (!words) return 0;
  CHECK(parts || (sscanf(words, "%d/%d", &part, &parts) == 2 && parts > 0), "MFFT_TEST_VKFFT is \"%s\"", words);
  if (!with_vkfft || !parts || count++ % parts != part) return 1;
  make_vkfft(&j);
  free_vkfft(&j);
  return 1;
}

/* Times VkFFT on the same arrays, and adds its time and error to the text. */
static double bench_vkfft(job *j, const batch_truth *truth, char *text, size_t size) {
  const size_t used = strlen(text);
  double error = -1, time = NAN;
  make_vkfft(j);
  if (!j->vkfft) return NAN;
  fill(j->spec->precision, case_reals(j->spec, 0), 0);
  if (run_vkfft(j) && !gpu->context_synchronize()) {
    if (truth) error = batch_error(truth, out);
    time = median(run_vkfft, j);
  }
  snprintf(text + used, size - used, " | VkFFT %.4f error %.2e", time, error);
  free_vkfft(j);
  return time;
}

/* Milliseconds of a graph of one transform that a user has captured; NAN where it cannot be. */
static double median_of_graph(int (*run)(const job *), job *j) {
  CUgraph graph = NULL;
  double time = NAN;
  j->graph = NULL;
  if (gpu->capture_begin(j->stream, CU_STREAM_CAPTURE_MODE_RELAXED)) return NAN;
  const int ran = run(j);
  if (!gpu->capture_end(j->stream, &graph) && ran && !gpu->graph_instantiate(&j->graph, graph, 0))
    time = median(run_graph, j);
  if (j->graph) gpu->graph_exec_destroy(j->graph);
  if (graph) gpu->graph_destroy(graph);
  return time;
}

/* --graph: adds the times of such graphs of ours and VkFFT's. */
static int with_graphs;
static void bench_graphs(const mfft_fft_spec *spec, mfft_fft *fft, int alone, char *text, size_t size) {
  job j = {.spec = spec, .fft = fft};
  double theirs = NAN;
  if (!with_graphs || !fft || gpu->stream_create(&j.stream, CU_STREAM_NON_BLOCKING)) return;
  const double ours = median_of_graph(run_ours, &j);
  if (with_vkfft && !alone) make_vkfft(&j);
  if (j.vkfft) theirs = median_of_graph(run_vkfft, &j);
  if (j.vkfft) free_vkfft(&j);
  const size_t used = strlen(text);
  snprintf(text + used, size - used, " | graph %.4f VkFFT %.4f", ours, theirs);
  gpu->stream_destroy(j.stream);
}

/* The truth of the input that was filled last, made once for all wishes for a case; NULL: there is none. */
static const batch_truth *truth_of(const mfft_fft_spec *spec) {
  static batch_truth truth;
  static mfft_fft_spec last;
  static int made, known;
  const int same = made && last.type == spec->type && last.precision == spec->precision && last.naxes == spec->naxes &&
                   last.direction == spec->direction && last.loop[0].n == spec->loop[0].n &&
                   !memcmp(last.axis, spec->axis, sizeof last.axis);
  if (same) return known ? &truth : NULL;
  if (made) batch_truth_free(&truth);
  known = batch_truth_make(&truth, spec, in);
  last = *spec;
  made = 1;
  return known ? &truth : NULL;
}

static void bench_one(const char *set, const mfft_fft_spec *given, int alone) {
  mfft_fft_spec asked = *given;
  const mfft_fft_spec *spec = &asked;
  asked.compute = compute;
  static const char letter[] = "dshb"; /* [precision] */
  if (compile_only(spec) || (!alone && only_vkfft(spec))) return;
  mfft_precision p = spec->precision;
  size_t in_bytes = (size_t)case_reals(spec, 0) * mfft_real_bytes(p),
         out_bytes = (size_t)case_reals(spec, 1) * mfft_real_bytes(p);
  char name[64] = "";
  name_size(spec, name);
  if (in_bytes > room || out_bytes > room) return;
  fill(p, case_reals(spec, 0), spec->type == MFFT_FFT_C2C);

  job j = {.spec = spec};
  const batch_truth *truth = truth_of(spec);
  const int known = truth != NULL;
  double ours = NAN, theirs = NAN, our_error = -1, their_error = -1;
  double planned = seconds();
  mfft_status made = mfft_backend_cuda.fft_create(spec, &j.fft);
  planned = seconds() - planned;
  if (made == MFFT_SUCCESS && j.fft->work_bytes <= room && run_ours(&j) && !gpu->context_synchronize()) {
    if (known) our_error = batch_error(truth, out);
    ours = median(run_ours, &j);
  }
  CHECK(ours == ours, "%s: %s", spec_words(spec), mfft_last_error());
  CHECK(our_error <= case_bound(spec), "%s: error %.2e", spec_words(spec), our_error);
  if (!alone) make_theirs(&j);
  if (j.theirs) {
    fill(p, case_reals(spec, 0), spec->type == MFFT_FFT_C2C); /* a C2R uses its input up */
    if (run_theirs(&j) && !gpu->context_synchronize()) {
      if (known) their_error = batch_error(truth, out);
      theirs = median(run_theirs, &j);
    }
  }
  /* In C2R cuFFT may use imaginary parts that a half spectrum cannot have, as noise has. */
  CHECK(spec->type == MFFT_FFT_C2R || !(their_error > 0.1), "%s: cuFFT's error %.2e by %s", spec_words(spec), their_error,
        words_of_theirs(&j));
  const int worse = known && their_error >= 0 && !(our_error <= batch_margin * their_error);
  /* Cases where cuFFT is known to be faster: lines that are no powers of two, real ones and a few short others; or if tensor
   * cores are requested. */
  const int64_t fast = spec->axis[spec->naxes - 1].n;
  const int odd = (fast & (fast - 1)) != 0 && (spec->type != MFFT_FFT_C2C || fast < 64);
  const int ahead = (spec->naxes == 1 && odd) || compute == MFFT_COMPUTE_TENSOR || spec->tile_bytes > 0;
  CHECK(!worse || ahead, "%s: error %.3e, cuFFT's %.3e", spec_words(spec), our_error, their_error);
  double passes = ours * copy_bandwidth / (double)(in_bytes + out_bytes);
  char text[700] = "";
  if (j.fft) mfft_backend_cuda.fft_print(j.fft, text, sizeof text);
  print_block(spec, text, sizeof text);
  const double third = with_vkfft && !alone ? bench_vkfft(&j, truth, text, sizeof text) : NAN;
  bench_graphs(spec, j.fft, alone, text, sizeof text);
  printf(
      "%-4s %c %-16s b=%-8lld cufft %8.4f ours %8.4f ratio %5.2f passes %5.2f err %9.2e cufft %9.2e%s plan %6.1f ms | %s | "
      "cuFFT: "
      "%s\n",
      set, letter[p], name, (long long)spec->loop[0].n, theirs, ours, theirs / ours, passes, our_error, their_error,
      worse ? " WORSE" : "", 1e3 * planned, text, words_of_theirs(&j));
  fflush(stdout);
  if (theirs / ours > 0) log_ratios += log(theirs / ours), ratios++;
  if (third / ours > 0) log_best += log(fmin(third, theirs > 0 ? theirs : third) / ours), bests++;
  free_theirs(&j);
  mfft_backend_cuda.fft_destroy(j.fft);
}

static const char *wishes = "0"; /* for clusters */

enum { MOST_STAGED = 768 }; /* elements of lines that are worth a trial of staging */

/* Puts a request into a spec; returns whether the plan then has a pass of that kind. */
static int wish_for(const char *wish, mfft_fft_spec *s) {
  double part = 0;
  int blocks = 0;
  const int columns = *wish == 'c';
  int tile = 0;
  if (*wish == 'k') {
    mfft_block_trial *b = &s->block;
    sscanf(wish, "k%d:%d:%d:%d:%d", &b->rank, &b->threads, &b->prefetch, &b->staging, &b->segment);
    return !b->staging || s->axis[s->naxes - 1].n <= MOST_STAGED;
  }
  s->tile_double_buffered = *wish == 'a';
  if (*wish == 't' || *wish == 'a')
    sscanf(wish + s->tile_double_buffered, "t%d:%d", &tile, &blocks), s->tile_bytes = tile * INT64_C(1024);
  else if (*wish == 'p')
    sscanf(wish, "p%lf:%d", &part, &s->part_alone), s->part_bytes = part > 0 ? (int64_t)(part * 1e6) : -1;
  else
    sscanf(wish + columns, "%d:%d:%d", &blocks, &s->cluster_values, &s->cluster_first);
  *(columns ? &s->columns : &s->cluster) = blocks;
  if (blocks <= 0 && tile <= 0 && part <= 0) return 1;
  mfft_phases phases;
  int suits = 0;
  if (mfft_phases_make(s, &mfft_limits_sm90, &phases) != MFFT_SUCCESS) return 0;
  for (int p = 0; p < phases.count; p++)
    for (int i = 0; i < phases.phase[p].schedule.count; i++) {
      const mfft_kernel *k = &phases.phase[p].schedule.pass[i].kernel;
      suits |= part > 0 ? phases.count > 1
               : tile   ? k->engine == MFFT_ENGINE_RESIDENT
                        : k->cluster.blocks == blocks && (k->cluster.columns > 1) == columns;
    }
  return suits;
}

static const char *only; /* sizes; all where NULL */

static int chosen(const char *list, const char *word) {
  const char *at = strstr(list, word);
  size_t n = strlen(word);
  return at && (at == list || at[-1] == ',') && (at[n] == ',' || !at[n]);
}

/* Whether a spec has the kernels of an earlier wish for the same case, or none. */
enum { MOST_WISHES = 64 };
static int is_repeated(const mfft_fft_spec *spec, int *count, mfft_kernel known[MOST_WISHES]) {
  mfft_phases phases;
  if (mfft_phases_make(spec, &mfft_limits_sm90, &phases) != MFFT_SUCCESS) return 1;
  if (phases.count > 1 || phases.phase[0].schedule.count > 1 || *count == MOST_WISHES) return 0;
  const mfft_kernel *k = &phases.phase[0].schedule.pass[0].kernel;
  for (int i = 0; i < *count; i++)
    if (!memcmp(&known[i], k, sizeof *k)) return 1;
  known[(*count)++] = *k;
  return 0;
}

static void bench(const char *set, const mfft_fft_spec *spec, int alone) {
  static mfft_kernel known[MOST_WISHES];
  int first = 1, count = 0;
  char name[64] = "";
  name_size(spec, name);
  if (only && !chosen(only, name)) return;
  for (const char *wish = wishes; wish; wish = strchr(wish, ','), wish = wish ? wish + 1 : NULL) {
    mfft_fft_spec s = *spec;
    s.compute = compute;
    if (!wish_for(wish, &s) || is_repeated(&s, &count, known)) continue;
    bench_one(set, &s, alone || !first);
    first = 0;
  }
}

/* Lengths drawn by lot among those of 300 to 65536 without a prime factor above 13, uniform in their logarithm. */
enum { MOST_LOTS = 100 };
static int64_t lot(int number) {
  uint64_t seed = 1811;
  for (int found = -1;;) {
    const int64_t n = (int64_t)(300 * exp((test_random(&seed) + 0.5) * log(65536.0 / 300)));
    int64_t rest = n;
    for (int prime = 2; prime <= 13; prime++)
      while (rest % prime == 0) rest /= prime;
    if (rest == 1 && ++found == number) return n;
  }
}

int main(int argc, char **argv) {
  const char *sets = "1d,2d,3d,one,r2c,c2r", *precisions = "hsd";
  int low = 4, high = 27, alone = 0, total = 27, first_type = 0, step = 2;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--set"))
      sets = value, i++;
    else if (!strcmp(argv[i], "--precision"))
      precisions = value, i++;
    else if (!strcmp(argv[i], "--min"))
      low = atoi(value), i++;
    else if (!strcmp(argv[i], "--max"))
      high = atoi(value), i++;
    else if (!strcmp(argv[i], "--step"))
      step = atoi(value), i++;
    else if (!strcmp(argv[i], "--total"))
      total = atoi(value), i++;
    else if (!strcmp(argv[i], "--repeat"))
      repeats = atoi(value) < 64 ? atoi(value) : 63, i++;
    else if (!strcmp(argv[i], "--compute"))
      compute = *value == 't' ? MFFT_COMPUTE_TENSOR : *value == 'b' ? MFFT_COMPUTE_BUTTERFLY : MFFT_COMPUTE_AUTO, i++;
    else if (!strcmp(argv[i], "--only"))
      only = value, i++;
    else if (!strcmp(argv[i], "--cluster"))
      wishes = value, i++;
    else if (!strcmp(argv[i], "--peer-effort"))
      peer_effort = *value == 'e' ? MFFT_ESTIMATE : *value == 'm' ? MFFT_MEASURE : MFFT_PATIENT, i++;
    else if (!strcmp(argv[i], "--alone"))
      alone = 1;
    else if (!strcmp(argv[i], "--graph"))
      with_graphs = 1;
    else if (!strcmp(argv[i], "--vkfft"))
      with_vkfft = 1;
    else if (!strcmp(argv[i], "--real"))
      first_type = 1;
    else if (!strcmp(argv[i], "--quick"))
      sets = "1d,2d,plane,3d,r2c,c2r", precisions = "hsdb", low = 1, high = 17, total = 22, step = 1;
    else
      return fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]), 2;
  }
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  if (!compiles_only()) {
    size_t widest = strchr(precisions, 'd') ? 16 : strchr(precisions, 's') ? 8 : 4;
    room = test_small() ? widest << (total + 1) : (widest << (total > 27 ? total : 27)) + ((size_t)1 << 28);
    noise = malloc((size_t)noise_reals * 8);
    void *block[3];
    if (getenv("MFFT_TEST_VKFFT")) room = 1 << 20;
    for (int i = 0; i < 3; i++)
      if (mfft_backend_cuda.alloc(room, &block[i]) != MFFT_SUCCESS) return printf("%s\n", mfft_last_error()), TEST_SKIPPED;
    in = block[0], out = block[1], work = block[2];
    gpu->event_create(&from, 0);
    gpu->event_create(&till, 0);
    copy_bandwidth = (double)(room / 2 * 2) / median(run_copy, NULL);
    printf("copy %.0f GB/s%s\n", copy_bandwidth / 1e6, open_cufft());
    if (with_vkfft) open_vkfft();
  }
  static const int64_t planes[][2] = {{256, 256},  {256, 512},   {256, 1024},  {512, 256},   {512, 512},
                                      {512, 1024}, {1024, 1024}, {2048, 2048}, {4096, 4096}, {8192, 8192}};
  static const int64_t cubes[] = {32, 64, 128, 256, 512, 1024};
  static const char letters[] = "dshb";
  for (int type = first_type; type < 3; type++)
    for (const char *c = precisions; *c; c++) {
      mfft_precision p = (mfft_precision)(strchr(letters, *c) - letters);
      const char *prefix = type == 0 ? "" : type == 1 ? "r" : "c";
      if (type == 1 && !chosen(sets, "r2c")) continue;
      if (type == 2 && !chosen(sets, "c2r")) continue;
      char name[8];
      mfft_direction d = type == 2 ? MFFT_BACKWARD : MFFT_FORWARD;
      if (chosen(sets, "1d"))
        for (int bits = low; bits <= high && bits <= total; bits += type ? step : 1) {
          int64_t n = 1ll << bits, batch = 1ll << (total - bits);
          mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 1, &n, batch, 0);
          snprintf(name, sizeof name, "%s1d", prefix);
          bench(name, &s, alone);
        }
      static const int64_t smooth[] = {3,    5,    6,    7,    9,    10,   11,    12,    13,   14,   15,   18,   24,
                                       27,   30,   36,   49,   60,   81,   96,    100,   121,  125,  144,  169,  180,
                                       210,  216,  243,  250,  343,  360,  400,   480,   500,  625,  729,  768,  800,
                                       960,  1000, 1001, 1200, 1331, 1536, 1920,  2187,  2197, 2401, 3000, 3125, 3600,
                                       4000, 4095, 5040, 6930, 7680, 8190, 10000, 12000, 15625};
      for (size_t i = 0;
           chosen(sets, "smooth") && (p == MFFT_SINGLE || p == MFFT_DOUBLE) && i < sizeof smooth / sizeof *smooth; i++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 1, &smooth[i], (1ll << total) / smooth[i], 0);
        snprintf(name, sizeof name, "%s1d", prefix);
        bench(name, &s, alone);
      }
      /* Long lines, powers of two and others, one at a time; and few arrays that stay in the cache. */
      static const int64_t longs[] = {1000000,   1 << 20,   10000000,  1 << 23,   35831808, 40353607,   1 << 26,
                                      100000000, 129140163, 134217728, 244140625, 1 << 28,  1000000000, 1 << 30};
      for (size_t i = 0; chosen(sets, "long") && i < sizeof longs / sizeof *longs && longs[i] <= 1ll << total; i++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 1, &longs[i], 1, 0);
        bench("long", &s, alone);
      }
      static const int64_t few[][4] = {/* slow to fast, arrays */
                                       {1 << 18, 0, 0, 4}, {1 << 18, 0, 0, 1}, {1 << 16, 0, 0, 4}, {1 << 16, 0, 0, 1},
                                       {1 << 14, 0, 0, 8}, {10000, 0, 0, 16},  {100000, 0, 0, 4},  {1000000, 0, 0, 1},
                                       {1024, 1024, 0, 1}, {512, 512, 0, 1},   {256, 256, 0, 1},   {1000, 1000, 0, 1},
                                       {64, 64, 64, 1},    {100, 100, 100, 1}, {128, 128, 128, 1}};
      for (size_t i = 0; chosen(sets, "few") && i < sizeof few / sizeof *few; i++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, few[i][2] ? 3 : few[i][1] ? 2 : 1, few[i], few[i][3], 0);
        bench("few", &s, alone);
      }
      for (int i = 0; chosen(sets, "lot") && i < MOST_LOTS; i++) {
        const int64_t n = lot(i);
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 1, &n, (1ll << total) / n, 0);
        snprintf(name, sizeof name, "%slot", prefix);
        bench(name, &s, alone);
      }
      for (int i = 0; chosen(sets, "2d") && i < 10; i++) {
        int64_t area = planes[i][0] * planes[i][1];
        if (area > 1ll << total) continue;
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 2, planes[i], (1ll << total) / area, 0);
        s.destroy_input = type == 2;
        snprintf(name, sizeof name, "%s2d", prefix);
        bench(name, &s, alone);
      }
      static const int64_t small[][2] = {{32, 32}, {64, 64}, {64, 128}, {128, 128}, {128, 256}}; /* planes of one pass */
      for (int i = 0; chosen(sets, "plane") && i < 5; i++) {
        int64_t area = small[i][0] * small[i][1];
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, p, 2, small[i], (1ll << total) / area, 0);
        s.destroy_input = type == 2;
        bench("plane", &s, alone);
      }
      for (int i = 0; chosen(sets, "3d") && i < 6; i++) {
        int64_t n[3] = {cubes[i], cubes[i], cubes[i]}, volume = n[0] * n[1] * n[2];
        if (volume > 1ll << (total > 27 ? total : 27) && total <= 27) continue;
        mfft_fft_spec s =
            packed_spec((mfft_fft_type)type, d, p, 3, n, volume < 1ll << total ? (1ll << total) / volume : 1, 0);
        s.destroy_input = type == 2;
        snprintf(name, sizeof name, "%s3d", prefix);
        bench(name, &s, alone);
      }
      if (type == 0 && chosen(sets, "one")) {
        static const int64_t ones[][3] = {{1 << 17, 0, 0}, {512, 256, 0}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}};
        for (int i = 0; i < 5; i++) {
          mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, d, p, ones[i][2] ? 3 : ones[i][1] ? 2 : 1, ones[i], 1, 0);
          bench("one", &s, alone);
        }
      }
    }
  if (bests) printf("geometric mean of %d ratios with the better of cuFFT and VkFFT %.3f\n", bests, exp(log_best / bests));
  if (ratios) printf("geometric mean of %d ratios %.3f\n", ratios, exp(log_ratios / ratios));
  return test_end();
}
#endif
