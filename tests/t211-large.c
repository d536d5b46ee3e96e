// TEST labels=large timeout=300
/* Arrays so large that the fftw backend transforms the axes separately, plane by plane and in tiles, against FFTW's own plan
 * of the whole: complex and real, both directions, in place, input preserved and not, with and without a scale. */
#include <fftw3.h>

#include "check.h"
#include "mfft_inspect.h"

typedef struct large_case {
  int rank;
  int64_t n[3];
  mfft_kind kind;
  mfft_placement placement;
  int destroy;
  mfft_scale scale;
} large_case;

static const large_case cases[] = {
    {3, {136, 140, 120}, MFFT_C2C, MFFT_OUT_OF_PLACE, 0, MFFT_SCALE_NONE},
    {3, {136, 140, 120}, MFFT_C2C, MFFT_IN_PLACE, 0, MFFT_SCALE_SQRT},
    {3, {162, 162, 161}, MFFT_R2C, MFFT_OUT_OF_PLACE, 0, MFFT_SCALE_FULL},
    {3, {162, 162, 162}, MFFT_R2C, MFFT_OUT_OF_PLACE, 1, MFFT_SCALE_NONE},
    {3, {162, 162, 162}, MFFT_R2C, MFFT_IN_PLACE, 0, MFFT_SCALE_SQRT},
    {2, {150, 28500}, MFFT_R2C, MFFT_OUT_OF_PLACE, 0, MFFT_SCALE_NONE},
};

/* FFTW's plan from packed arrays, rows of the real side `row` reals long. */
static fftw_plan peer_of(const large_case *c, int direction, int64_t row, double *in, double *out) {
  fftw_iodim64 axis[3];
  int64_t real = 1, complex = 1;
  const int64_t last = c->n[c->rank - 1];
  for (int a = c->rank - 1; a >= 0; a--) {
    axis[a] = (fftw_iodim64){c->n[a], real, complex};
    real *= a == c->rank - 1 ? row : c->n[a];
    complex *= a == c->rank - 1 && c->kind == MFFT_R2C ? last / 2 + 1 : c->n[a];
  }
  for (int a = 0; a < c->rank; a++) {
    if (c->kind == MFFT_C2C) axis[a].is = axis[a].os;
    if (direction == MFFT_BACKWARD && c->kind == MFFT_R2C) {
      int64_t is = axis[a].is;
      axis[a].is = axis[a].os, axis[a].os = is;
    }
  }
  if (c->kind == MFFT_C2C)
    return fftw_plan_guru64_dft(c->rank, axis, 0, NULL, (fftw_complex *)in, (fftw_complex *)out,
                                direction == MFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  return direction == MFFT_FORWARD
             ? fftw_plan_guru64_dft_r2c(c->rank, axis, 0, NULL, in, (fftw_complex *)out, FFTW_ESTIMATE)
             : fftw_plan_guru64_dft_c2r(c->rank, axis, 0, NULL, (fftw_complex *)in, out, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

static void one(const large_case *c) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = c->rank;
  memcpy(d.n, c->n, sizeof d.n);
  d.kind = c->kind;
  d.placement = c->placement;
  d.allow_destroy_input = c->destroy;
  d.scale[0] = d.scale[1] = c->scale;
  options.effort = MFFT_ESTIMATE;
  options.backend = "fftw";
  mfft_plan plan = NULL;
  char text[2000];
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  if (!plan) return;
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strstr(text, "pair"), "the case is too small to be done axis by axis: %s", text);

  const int64_t last = c->n[c->rank - 1], row = c->placement == MFFT_IN_PLACE ? 2 * (last / 2 + 1) : last;
  double n = 1;
  for (int a = 0; a < c->rank; a++) n *= (double)c->n[a];
  const double scale = c->scale == MFFT_SCALE_NONE ? 1 : c->scale == MFFT_SCALE_SQRT ? 1 / sqrt(n) : 1 / n;
  for (int direction = 0; direction < 2; direction++) {
    size_t in_bytes = 0, out_bytes = 0, most;
    CHECK_OK(mfft_plan_bytes(plan, direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, &in_bytes));
    CHECK_OK(mfft_plan_bytes(plan, direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN, &out_bytes));
    most = in_bytes > out_bytes ? in_bytes : out_bytes;
    double *in = fftw_malloc(most), *copy = fftw_malloc(most), *want = fftw_malloc(most), *out = in;
    if (c->placement == MFFT_OUT_OF_PLACE) out = fftw_malloc(most);
    uint64_t state = 211;
    for (size_t i = 0; i < most / 8; i++) in[i] = test_random(&state);
    memcpy(copy, in, most);
    memset(want, 0, most);
    fftw_plan peer = peer_of(c, direction, row, copy, want);
    fftw_execute(peer);
    fftw_destroy_plan(peer);
    memcpy(copy, in, in_bytes);
    CHECK_OK(mfft_execute(plan, (mfft_direction)direction, in, out));
    if (out != in && !c->destroy) CHECK(memcmp(in, copy, in_bytes) == 0, "the input changed");
    double error = 0, norm = 0;
    const int real_out = c->kind == MFFT_R2C && direction == MFFT_BACKWARD;
    for (int64_t i = 0; i < (int64_t)(out_bytes / 8); i++) {
      if (real_out && i % row >= last) continue; /* padding */
      const double w = want[i] * scale;
      error += (out[i] - w) * (out[i] - w);
      norm += w * w;
    }
    const double bound = 2 * 4e-16 * sqrt(log2(n)); /* both err */
    CHECK(sqrt(error / norm) <= bound, "direction %d: relative L2 difference %.3g, bound %.3g", direction,
          sqrt(error / norm), bound);
    if (out != in) fftw_free(out);
    fftw_free(in);
    fftw_free(copy);
    fftw_free(want);
  }
  mfft_plan_destroy(plan);
}

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) one(&cases[i]);
  return test_end();
}
