// TEST labels=cuda timeout=900 args=--quick
/* The CUDA engine and cuFFT in one process, on the same data, natural order in and out: the result is checked before it is
 * timed.  Without a GPU or without cuFFT it is skipped.
 *
 *   t890-cuda-bench [--set 1d,smooth,lot,long,few,prime,2d,plane,3d,grid,one,r2c,c2r,375,432x432x432,...]
 * [--precision hsdb] [--min bits] [--max bits] [--total bits] [--largest bits] [--truth bits] [--repeat n] [--quick]
 * [--step bits] [--only 512x256,8192] [--alone] [--vkfft] [--graph] [--real] [--peer-effort estimate|measure|patient]
 * [--compute auto|butterfly|tensor] [--cluster 0,-1,4:16:256,c8,...]
 * [--columns filtered|solved|multiplied]
 *
 * cuFFT is called by the fastest of its calls (apps/bench/cufft_calls.h; --peer-effort measure tries more of them).
 *
 * One line for each case: the transform, cuFFT's median milliseconds, ours, ratio, passes (time x copy bandwidth / bytes
 * read and written), error of both against FFTW on the first and last arrays (batch_truth.h), the call of cuFFT, WORSE if
 * ours exceeds cuFFT's by 1 %, which is an error unless tensor cores are requested.  A number in --set is the length of a
 * line, 432x432 a plane; --step is the number of bits from one length of a real line to the next.  --total is log2 of the
 * elements of all arrays of a case, --largest that of one array of the sets 3d and grid [27, or as --total], --truth that
 * of the reals of an array that is compared with FFTW [25].
 *
 * --cluster times every case once for each item, which is blocks of a cluster, elements of a thread, and length of the
 * first transform: 0 leaves the choice to the library, -1 is none; c8:16 are columns in clusters of 8; t64:2 is 16-bit
 * numbers in resident tiles of 64 KB a block, of two blocks, at64:2 the same with a double buffer, t-1 none; p18 is parts
 * of 18 MB, p18:256 of a long axis except a pass of 256, p-1 none; k2:256:1:3 is the second chain of register butterflies
 * in blocks of at most 256 threads, without prefetching (blocks + 1; -1, -2, -3: loads, stores, both marked as the last
 * use), loads not staged and stores staged (bits + 1), a fifth number the bytes of a segment of strided lines and a sixth 1
 * or 2 for registers without or with a bound, a seventh 1 or 2 for twiddles loaded before exchanges or after butterflies, 3
 * for those of later merges in shared memory, an eighth 1, 2 or 3 for twiddles of which the usual number, more or most are
 * products, 4 for fast sines and cosines, 5 for computed ones, 0 for what the rule says, a ninth the blocks of a
 * multiprocessor that bound the registers; n5x12x12x5:360:1:4 is that chain by 360 threads a line, 1 line a block,
 * registers for 4 blocks, and then the third to eighth number of k, by which a line of a prime beyond 31 is convolved if it
 * is long enough; both are for passes whose letters and length follow @, if these do: r contiguous lines, s strided ones, l
 * in parts that stay in the cache, m over the whole array (k0:128@s1000); r0:8.4_12.4 are radices of axis 0, between dots,
 * of passes between underscores; items joined by + are one; w1 is a C2R that keeps its input and has what is between its
 * passes in the output, w-1 one that has it in the workspace; items that do not suit a case, or repeat another, are
 * skipped.
 *
 * --columns times a pass of cubes alone, the slowest axis of complexes or of a half spectrum (--set 432x432x432,r2c):
 * filtered and transformed back, or transformed forward, filtered or multiplied by a spectrum, and transformed back. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <dlfcn.h>

#ifdef MFFT_HAVE_CUFFT
#include "../apps/bench/cufft_calls.c"
#include "../apps/bench/cufft_library.c"
#include "../apps/bench/peer_driver.c"
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#ifdef MFFT_HAVE_VKFFT
#include "../apps/bench/vkfft_library.c"
#endif
#else /* a build without cuFFT's headers times ours alone */
typedef struct mfft_cufft_call mfft_cufft_call;
#endif

#include "cuda_bench_columns.h"
#include "cuda_bench_job.h"
#include "cuda_bench_peers.h"
#include "cuda_bench_sets.h"
#include "cuda_bench_trials.h"

static double copy_bandwidth; /* bytes per millisecond, read plus write */

static int run_copy(const job *j) {
  (void)j;
  return gpu->copy_on_device((CUdeviceptr)out, (CUdeviceptr)in, room / 2, NULL) == CUDA_SUCCESS;
}

static mfft_compute compute;
static double log_ratios, log_best; /* of cuFFT's time, or of the better one's of cuFFT and VkFFT, to ours */
static int ratios, bests;

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

static int truth_bits = 25; /* --truth */

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
  known = case_reals(spec, 0) / spec->loop[0].n <= INT64_C(1) << truth_bits && batch_truth_make(&truth, spec, in);
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
  const batch_truth *truth = columns ? NULL : truth_of(spec); /* t807 compares filtered transforms */
  const int known = truth != NULL;
  double ours = NAN, theirs = NAN, our_error = -1, their_error = -1;
  double planned = seconds();
  mfft_status made = mfft_backend_cuda.fft_create(spec, &j.fft);
  planned = seconds() - planned;
  if (j.fft && columns) j.fft->factors = columns_factors(spec);
  CHECK(!j.fft || !columns || j.fft->factors, "%s: no factors", spec_words(spec));
  if (j.fft && columns && !j.fft->factors) {
    mfft_backend_cuda.fft_destroy(j.fft);
    return;
  }
  if (made == MFFT_SUCCESS && j.fft->work_bytes <= room && run_ours(&j) && !gpu->context_synchronize()) {
    if (known) our_error = batch_error(truth, out);
    if (spec->convolved) our_error = columns_off(spec);
    ours = median(run_ours, &j);
  }
  CHECK(ours == ours, "%s: %s", spec_words(spec), mfft_last_error());
  const double bound = (spec->convolved ? 20 : 1) * case_bound(spec); /* a solve's is the largest of 65536 differences */
  CHECK(our_error <= bound, "%s: error %.2e", spec_words(spec), our_error);
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
  const size_t used = strlen(text);
  if (j.fft) snprintf(text + used, sizeof text - used, " | workspace %.1f MiB", (double)j.fft->work_bytes / 1048576);
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
static const char *only;         /* sizes; all where NULL */

static void bench(const char *set, const mfft_fft_spec *spec, void *context) {
  const int *alone = context;
  static uint64_t known[MOST_WISHES]; /* [count] */
  static char item[128];
  int first = 1, count = 0;
  char name[64] = "";
  name_size(spec, name);
  if ((only && !chosen(only, name)) || (columns && spec->naxes < 3)) return;
  for (const char *wish = wishes; wish; wish = strchr(wish, ','), wish = wish ? wish + 1 : NULL) {
    mfft_fft_spec s = columns ? columns_of(spec) : *spec;
    s.compute = compute;
    if (!wish_for_all(wish, &s) || is_repeated(&s, &count, known)) continue;
    snprintf(item, sizeof item, "%.*s", (int)strcspn(wish, ","), wish);
    wish_in_hand = item;
    bench_one(set, &s, *alone || !first || columns);
    first = 0;
  }
}

int main(int argc, char **argv) {
  bench_request r = {
      .sets = "1d,2d,3d,one,r2c,c2r", .precisions = "hsd", .low = 4, .high = 27, .step = 2, .total = 27, .largest = 27};
  int alone = 0;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--set"))
      r.sets = value, i++;
    else if (!strcmp(argv[i], "--precision"))
      r.precisions = value, i++;
    else if (!strcmp(argv[i], "--min"))
      r.low = atoi(value), i++;
    else if (!strcmp(argv[i], "--max"))
      r.high = atoi(value), i++;
    else if (!strcmp(argv[i], "--step"))
      r.step = atoi(value), i++;
    else if (!strcmp(argv[i], "--total"))
      r.total = atoi(value), i++;
    else if (!strcmp(argv[i], "--largest"))
      r.largest = atoi(value), i++;
    else if (!strcmp(argv[i], "--truth"))
      truth_bits = atoi(value), i++;
    else if (!strcmp(argv[i], "--repeat"))
      repeats = atoi(value) < 64 ? atoi(value) : 63, i++;
    else if (!strcmp(argv[i], "--compute"))
      compute = *value == 't' ? MFFT_COMPUTE_TENSOR : *value == 'b' ? MFFT_COMPUTE_BUTTERFLY : MFFT_COMPUTE_AUTO, i++;
    else if (!strcmp(argv[i], "--only"))
      only = value, i++;
    else if (!strcmp(argv[i], "--columns"))
      columns = value, i++;
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
      r.first_type = 1;
    else if (!strcmp(argv[i], "--quick"))
      r.sets = "1d,2d,plane,3d,r2c,c2r", r.precisions = "hsdb", r.low = 1, r.high = 17, r.total = 22, r.step = 1;
    else
      return fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]), 2;
  }
  if (r.largest < r.total) r.largest = r.total;
  if (!columns_are_known())
    return fprintf(stderr, "%s: --columns %s; use filtered, solved or multiplied\n", argv[0], columns), 2;
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  if (!compiles_only()) {
    size_t widest = strchr(r.precisions, 'd') ? 16 : strchr(r.precisions, 's') ? 8 : 4;
    room = test_small() ? widest << (r.total + 1) : (widest << r.largest) + ((size_t)1 << 28);
    noise = malloc((size_t)noise_reals * 8);
    void *block[4];
    if (getenv("MFFT_TEST_VKFFT")) room = 1 << 20;
    for (int i = 0; i < 4; i++)
      if (mfft_backend_cuda.alloc(i < 3 ? room : (size_t)noise_reals * 8, &block[i]) != MFFT_SUCCESS)
        return printf("%s\n", mfft_last_error()), TEST_SKIPPED;
    in = block[0], out = block[1], work = block[2], noise_there = block[3];
    gpu->event_create(&from, 0);
    gpu->event_create(&till, 0);
    copy_bandwidth = (double)(room / 2 * 2) / median(run_copy, NULL);
    printf("copy %.0f GB/s%s\n", copy_bandwidth / 1e6, open_cufft());
    if (with_vkfft) open_vkfft();
  }
  visit_cases(&r, bench, &alone);
  if (bests) printf("geometric mean of %d ratios with the better of cuFFT and VkFFT %.3f\n", bests, exp(log_best / bests));
  if (ratios) printf("geometric mean of %d ratios %.3f\n", ratios, exp(log_ratios / ratios));
  return test_end();
}
#endif
