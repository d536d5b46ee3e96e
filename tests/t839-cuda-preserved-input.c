// TEST labels=cuda timeout=300
// TEST labels=emulated timeout=300
/* C2R of two and three axes that preserves its input without space for a second half spectrum: results, input and the gaps
 * of the output, of rows of many lengths, in batches, in outputs that are aligned to reals only, and how much workspace
 * there is.
 */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

/* Executes a plan on arrays of which the output begins `shift` bytes behind the beginning of its allocation. */
static int run_shifted(const transform_case *c, size_t shift, void *result) {
  const mfft_backend *b = &mfft_backend_cuda;
  const size_t in_bytes = (size_t)c->in_reals * mfft_real_bytes(c->spec.precision),
               out_bytes = (size_t)c->out_reals * mfft_real_bytes(c->spec.precision);
  void *in = NULL, *work = NULL, *input_after = malloc(in_bytes);
  char *out = NULL;
  mfft_fft *fft = NULL;
  int good = b->fft_create(&c->spec, &fft) == MFFT_SUCCESS && b->alloc(in_bytes, &in) == MFFT_SUCCESS &&
             b->alloc(out_bytes + shift, (void **)&out) == MFFT_SUCCESS && b->alloc(fft->work_bytes, &work) == MFFT_SUCCESS;
  good = good && !gpu->copy_to_device((CUdeviceptr)in, c->in, in_bytes) &&
         !gpu->copy_to_device((CUdeviceptr)(out + shift), c->out, out_bytes);
  good = good && b->fft_execute(fft, in, out + shift, work, NULL) == MFFT_SUCCESS && !gpu->context_synchronize();
  good = good && !gpu->copy_to_host(result, (CUdeviceptr)(out + shift), out_bytes) &&
         !gpu->copy_to_host(input_after, (CUdeviceptr)in, in_bytes) && !memcmp(input_after, c->in, in_bytes);
  b->free(in);
  b->free(out);
  b->free(work);
  b->fft_destroy(fft);
  free(input_after);
  return good;
}

/* The bytes of the workspace are those of the ends and of passes whose axis takes workspace, less than the half spectrum. */
static void check_workspace(const mfft_fft_spec *s) {
  mfft_phases phases;
  mfft_fft_spec whole = *s;
  whole.preserved_between = -1;
  CHECK_OK(mfft_phases_make(s, &mfft_limits_sm90, &phases));
  const size_t bytes = phases.work_bytes;
  CHECK(phases.count == 5 && phases.ends_bytes, "%s: the ends are not in the workspace", spec_words(s));
  CHECK_OK(mfft_phases_make(&whole, &mfft_limits_sm90, &phases));
  CHECK(!phases.ends_bytes && bytes < phases.work_bytes, "%s: %zu bytes of workspace, else %zu", spec_words(s), bytes,
        phases.work_bytes);
}

static void check_shape(mfft_precision p, const int64_t n[3], int64_t batch, int gaps, int shifted) {
  const int naxes = n[2] ? 3 : 2;
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2R, MFFT_BACKWARD, p, naxes, n, batch, 0);
  s.preserved_between = 1;
  s.scale = 0.25;
  if (gaps) { /* rows and arrays of the output have gaps between them */
    for (int a = naxes - 2; a >= 0; a--) s.axis[a].os = (a == naxes - 2 ? n[a + 1] : s.axis[a + 1].os * n[a + 1]) + 2;
    s.loop[0].os = s.axis[0].os * n[0] + 4;
  }
  check_workspace(&s);
  if (!shifted) {
    gpu_check(&s, 3);
    return;
  }
  if (!test_sampled() || compile_only(&s)) return;
  transform_case c;
  CHECK(case_make(&c, &s, 5), "FFTW");
  void *result = malloc((size_t)c.out_reals * mfft_real_bytes(p));
  CHECK(run_shifted(&c, mfft_real_bytes(p), result), "%s: %s", spec_words(&s), mfft_last_error());
  CHECK(case_error(&c, result) <= case_bound(&s), "%s, shifted: error %.2e", spec_words(&s), case_error(&c, result));
  free(result);
  case_free(&c);
}

static void shapes(void) {
  static const struct {
    int64_t n[3], batch;
    int gaps, shifted;
  } list[] = {{{24, 40, 0}, 3, 0, 0},  {{16, 8, 0}, 2, 1, 1},   {{30, 4, 0}, 2, 0, 1},   {{64, 128, 0}, 1, 0, 1},
              {{8, 12, 20}, 3, 1, 0},  {{12, 10, 64}, 2, 0, 1}, {{4, 6, 512}, 1, 0, 0},  {{9, 7, 22}, 2, 1, 1},
              {{37, 5, 16}, 2, 0, 0},  {{6, 41, 30}, 1, 0, 1},  {{8, 1, 96}, 2, 0, 0},   {{5, 3, 126}, 1, 0, 0},
              {{10, 15, 60}, 1, 0, 0}, {{2, 2, 6}, 5, 0, 1},    {{32, 32, 32}, 2, 0, 0}, {{3, 16, 1000}, 1, 1, 1}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
      check_shape((mfft_precision)p, list[i].n, list[i].batch, list[i].gaps, list[i].shifted);
}

/* Transforms whose half spectrum is in the workspace as before: rows that are odd or take several passes, elements of rows
 * that are not neighbours, small ones by rule. */
static void others(void) {
  static const int64_t odd[3] = {16, 21}, even[3] = {16, 20}, lengthy[3] = {4, 1 << 18};
  for (int i = 0; i < 4; i++) {
    mfft_phases phases;
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2R, MFFT_BACKWARD, MFFT_SINGLE, 2, i == 0 ? odd : i == 1 ? lengthy : even, 2, 0);
    s.preserved_between = i < 3;
    if (i == 2) s.axis[1].os = 2, s.axis[0].os *= 2, s.loop[0].os *= 2;
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    CHECK(!phases.ends_bytes, "%s: ends in the workspace", spec_words(&s));
    if (i != 1) gpu_check(&s, 4);
  }
}

int main(void) {
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  shapes();
  others();
  return test_end();
}
#endif
