/* cuda_bench_peers.h: times cuFFT and VkFFT in t890.  A peer whose headers the build does not find is never timed.  The
 * functions of apps/bench/cufft_calls.h and vkfft_plans.h are those of the command. */
#ifndef MFFT_TESTS_CUDA_BENCH_PEERS_H
#define MFFT_TESTS_CUDA_BENCH_PEERS_H

#include "cuda_bench_job.h"

/* cuFFT, of whose calls the fastest one is timed. */
static mfft_effort peer_effort = MFFT_ESTIMATE;
#ifdef MFFT_HAVE_CUFFT
static const mfft_cufft_library *cufft; /* NULL: there is no cuFFT */

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
/* VkFFT (--vkfft), whose compiled plans are stored in $MFFT_CACHE_DIR. */
static int with_vkfft;
#ifdef MFFT_HAVE_VKFFT
static const mfft_vkfft_plans *vkfft; /* NULL: there is no VkFFT */

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

/* With MFFT_TEST_VKFFT=part/parts the process only makes VkFFT's plans for its share of the cases, and stores them for a
 * later run that times them. */
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
  fill(j->spec->precision, case_reals(j->spec, 0), j->spec->type == MFFT_FFT_C2C);
  if (run_vkfft(j) && !gpu->context_synchronize()) {
    if (truth) error = batch_error(truth, out);
    time = median(run_vkfft, j);
  }
  snprintf(text + used, size - used, " | VkFFT %.4f error %.2e", time, error);
  free_vkfft(j);
  return time;
}

#endif
