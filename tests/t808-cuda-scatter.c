// TEST labels=emulated timeout=300
/* Transforms whose last pass stores into separate arrays, as those of peers are; compared with FFTW. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "base/box.h"
#include "local/cuda/backend.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "schedule_case.h"

/* Lengths of the complex output of a spec, axes then loops. */
static void out_lengths(const mfft_fft_spec *s, int64_t n[3 + MFFT_MAX_LOOPS]) {
  for (int d = 0; d < s->naxes + s->nloops; d++) n[d] = d < s->naxes ? s->axis[d].n : s->loop[d - s->naxes].n;
  if (s->type == MFFT_FFT_R2C) n[s->naxes - 1] = n[s->naxes - 1] / 2 + 1;
}

/* Places the shares one after another, packed, their dimensions slow to fast as `order` says, with a gap before each; first
 * [count + 1] in elements.  The part of the divided axis that one share does not hold is in another. */
enum { GAP = 24 };
static void lay_out_shares(mfft_fft_spec *s, int count, const int *order, int64_t *first) {
  int64_t n[3 + MFFT_MAX_LOOPS], at = GAP;
  out_lengths(s, n);
  s->scatter.count = count;
  for (int i = 0; i < count; i++) {
    int64_t stride = 1;
    first[i] = at;
    for (int d = s->naxes + s->nloops - 1; d >= 0; d--) {
      const int dim = order[d];
      s->scatter.stride[i][dim] = stride;
      stride *= dim != s->scatter.axis ? n[dim] : mfft_part(n[dim], i + 1, count) - mfft_part(n[dim], i, count);
    }
    at += stride + GAP;
  }
  first[count] = at;
}

/* Moves the shares to the one array that the truth is compared with, and fills their memory with `empty`. */
static void gather(const mfft_fft_spec *s, char *shares, const int64_t *first, char *out, const char *empty) {
  const size_t bytes = 2 * mfft_real_bytes(s->precision);
  const int dims = s->naxes + s->nloops, cut = s->scatter.axis;
  int64_t n[3 + MFFT_MAX_LOOPS], all = 1;
  out_lengths(s, n);
  for (int d = 0; d < dims; d++) all *= n[d];
  for (int64_t i = 0; i < all; i++) {
    int64_t rest = i, index[3 + MFFT_MAX_LOOPS], to = 0, from;
    int share = 0;
    for (int d = dims - 1; d >= 0; d--) {
      index[d] = rest % n[d];
      rest /= n[d];
      to += index[d] * (d < s->naxes ? s->axis[d].os : s->loop[d - s->naxes].os);
    }
    while (mfft_part(n[cut], share + 1, s->scatter.count) <= index[cut]) share++;
    from = first[share];
    index[cut] -= mfft_part(n[cut], share, s->scatter.count);
    for (int d = 0; d < dims; d++) from += index[d] * s->scatter.stride[share][d];
    memcpy(out + (size_t)to * bytes, shares + (size_t)from * bytes, bytes);
    memcpy(shares + (size_t)from * bytes, empty, bytes);
  }
}

static void play_scattered(mfft_fft_spec *s, int count, const int *order, int backwards) {
  const size_t bytes = 2 * mfft_real_bytes(s->precision);
  const int cut = s->scatter.axis;
  int64_t first[MFFT_MAX_SHARES + 1], n[3 + MFFT_MAX_LOOPS];
  mfft_schedule schedule;
  transform_case c;
  char text[512];
  out_lengths(s, n);
  lay_out_shares(s, count, order, first);
  CHECK_OK(mfft_schedule_make(s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(strstr(text, " shares"), "%s", text);
  CHECK(case_make_of(&c, s, CASE_NOISE, 42), "FFTW");
  const size_t room = (size_t)first[count] * bytes, out_bytes = (size_t)c.out_reals * mfft_real_bytes(s->precision);
  char *shares = aligned_alloc(64, (room + 63) / 64 * 64), *empty = malloc(bytes), *work = NULL;
  memset(shares, 0x5a, room);
  memset(empty, 0x5a, bytes);
  char *in = on_device(c.in, (size_t)c.in_reals * mfft_real_bytes(s->precision)),
       *out = s->in_place ? in : on_device(c.out, out_bytes), *apart = on_device(shares, room);
  CHECK_OK(mfft_backend_cuda.alloc(schedule.work_bytes, (void **)&work));
  mfft_pass *last = &schedule.pass[schedule.count - 1];
  for (int i = 0; i < count; i++)
    last->args.scatter.out[i] =
        apart + (first[i] - mfft_part(n[cut], i, count) * s->scatter.stride[i][cut]) * (int64_t)bytes;
  const char *place[MFFT_PLACES];
  mfft_schedule_places(&schedule, in, out, work, place);
  choose_order(backwards ? 2 : 1);
  for (int i = 0; i < schedule.count; i++) run_pass(&schedule.pass[i], place);
  choose_order(0);
  gpu->copy_to_host(shares, (CUdeviceptr)apart, room);
  gpu->copy_to_host(c.out, (CUdeviceptr)out, out_bytes);
  if (!s->in_place)
    for (size_t i = 0; i < out_bytes / mfft_real_bytes(s->precision); i++)
      store_value(s->precision, c.out, (int64_t)i, 0.125); /* what lay between passes */
  gather(s, shares, first, c.out, empty);
  const double error = case_error(&c, c.out);
  size_t touched = 0;
  for (size_t i = 0; i < room; i++) touched += shares[i] != 0x5a;
  CHECK(error <= case_bound(s) + case_spacing(&c) && !touched, "%d shares, type %d, precision %d: error %.2e, %zu by %s",
        count, s->type, s->precision, error, touched, text);
  if (getenv("MFFT_TEST_VERBOSE")) printf("%.2e of %.2e %s\n", error, case_bound(s), text);
  mfft_backend_cuda.free(in);
  if (!s->in_place) mfft_backend_cuda.free(out);
  mfft_backend_cuda.free(apart);
  mfft_backend_cuda.free(work);
  free(empty);
  free(shares);
  case_free(&c);
}

/* The last pass before an exchange stores into separate arrays: of slabs (planes whose slow axis is divided, and columns),
 * of pencils (lines that are divided themselves), half spectra, in other memory orders; shares of equal and different shape,
 * of powers of two and not, some of them empty. */
static void scattered(void) {
  static const struct {
    mfft_fft_type type;
    int naxes, cut, sixteen;  /* 16 bits too */
    int64_t n[3];             /* axes, then loops */
    int before[3], shares[3]; /* order in memory, slow to fast */
  } shapes[] = {{MFFT_FFT_C2C, 2, 0, 0, {64, 32, 3}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_C2C, 2, 0, 0, {60, 20, 2}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_C2C, 1, 0, 1, {128, 5, 24}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_C2C, 1, 0, 1, {256, 3, 5}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 1, {512, 2, 33}, {1, 0, 2}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 1, {1024, 2, 3}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 1, {64, 4, 20}, {1, 2, 0}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 0, {90, 4, 5}, {1, 0, 2}, {1, 0, 2}},
                {MFFT_FFT_C2C, 1, 0, 0, {5, 7, 40}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 1, 0, 0, {13, 7, 40}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_R2C, 2, 0, 0, {64, 30, 3}, {2, 0, 1}, {2, 0, 1}},
                {MFFT_FFT_R2C, 1, 0, 0, {48, 5, 9}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_R2C, 1, 0, 0, {512, 2, 2}, {1, 2, 0}, {1, 2, 0}},
                {MFFT_FFT_C2C, 2, 1, 1, {24, 128, 3}, {0, 1, 2}, {0, 1, 2}},
                {MFFT_FFT_C2C, 3, 1, 0, {6, 20, 10}, {0, 1, 2}, {0, 1, 2}}}; /* [15] */
  static const int counts[] = {8, 3, 2, 16, 7, 4, 1, 8, 6, 4};               /* [10] */
  int run = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int k = 0; k < (shapes[i].sixteen ? 4 : 2); k++, run++) {
      mfft_fft_spec s = {.type = shapes[i].type,
                         .precision = (mfft_precision)(shapes[i].sixteen ? 3 - k : k),
                         .scale = 0.5,
                         .naxes = shapes[i].naxes,
                         .nloops = 3 - shapes[i].naxes,
                         .scatter.axis = shapes[i].cut};
      int64_t is = 1, os = 1;
      for (int d = 2; d >= 0; d--) {
        const int dim = shapes[i].before[d], halved = s.type == MFFT_FFT_R2C && dim == s.naxes - 1;
        const int64_t n = shapes[i].n[dim];
        *(dim < s.naxes ? &s.axis[dim] : &s.loop[dim - s.naxes]) = (mfft_dim){n, is, os};
        is *= n;
        os *= halved ? n / 2 + 1 : n;
      }
      if (s.type == MFFT_FFT_C2C && run % 4 == 1) s.direction = MFFT_BACKWARD;
      if (!test_small() || test_sampled()) play_scattered(&s, counts[run % 10], shapes[i].shares, run & 1);
    }

  /* Outputs that cannot be scattered. */
  const int64_t n = 1 << 15;
  mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 2, 0, MFFT_SINGLE);
  s.scatter.count = 2;
  mfft_schedule none;
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &none), MFFT_ERR_UNSUPPORTED, "shares");
  s = packed(MFFT_FFT_C2R, 1, &n, 2, 0, MFFT_SINGLE);
  s.scatter.count = 2;
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &none), MFFT_ERR_UNSUPPORTED, "shares");
}

int main(void) {
  if (!gpu_here()) return TEST_SKIPPED;
  scattered();
  return test_end();
}
#endif
