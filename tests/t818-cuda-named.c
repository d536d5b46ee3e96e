// TEST timeout=300
/* Merges by name: a schedule has the merges that were named, and is executed as t800 does; names that are impossible are
 * refused with the reason. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "play_schedule.h"

/* A packed line, or a batch of columns, of one type in one precision, with its merges named. */
static mfft_fft_spec named_spec(mfft_fft_type type, mfft_precision precision, int64_t n, const char *radices) {
  mfft_fft_spec s = {.type = type, .precision = precision, .scale = 1, .naxes = 1, .nloops = 1, .radices = {radices}};
  s.direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  s.axis[0] = (mfft_dim){n, 1, 1};
  s.loop[0] = (mfft_dim){3, type == MFFT_FFT_C2R ? n / 2 + 1 : n, type == MFFT_FFT_R2C ? n / 2 + 1 : n};
  return s;
}

/* The merges are those that were named, pass by pass, as the text of the schedule has them in parentheses. */
static void check_names(const mfft_fft_spec *s, const char *engine) {
  mfft_schedule schedule;
  char text[512], want[128], got[128] = "";
  CHECK_OK(mfft_schedule_make(s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  for (int i = 0; i < schedule.count; i++)
    for (int m = 0; m < schedule.pass[i].kernel.chain.merges; m++)
      snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d",
               m   ? ","
               : i ? "+"
                   : "",
               schedule.pass[i].kernel.chain.radix[m]);
  snprintf(want, sizeof want, "%.*s", (int)strcspn(s->radices[0], "x"), s->radices[0]);
  CHECK(strcmp(want, got) == 0 && strstr(text, engine), "%s was named, and the schedule is %s", want, text);
  for (int i = 0; i < schedule.count; i++) {
    const mfft_kernel *k = &schedule.pass[i].kernel;
    CHECK(k->tile.shared_bytes <= mfft_limits_sm90.shared_bytes &&
              k->chain.lines * k->chain.threads <= mfft_limits_sm90.threads,
          "%s", text);
  }
}

/* Half is requested on tensor cores. */
static void refused(mfft_precision precision, int64_t n, const char *radices, mfft_status status, const char *words) {
  mfft_schedule schedule;
  mfft_fft_spec s = named_spec(MFFT_FFT_C2C, precision, n, radices);
  if (precision == MFFT_HALF) s.compute = MFFT_COMPUTE_TENSOR;
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule), status, words);
}

static void check_named(void) {
  /* Butterflies, executed: any order, several passes, packed real ends, and only the axis that has names. */
  static const struct {
    mfft_fft_type type;
    int64_t n;
    const char *radices;
  } played[] = {{MFFT_FFT_C2C, 64, "2,2,2,2,2,2"},  {MFFT_FFT_C2C, 64, "8,8"},      {MFFT_FFT_C2C, 64, "2,32"},
                {MFFT_FFT_C2C, 60, "3,4,5"},        {MFFT_FFT_C2C, 256, "16,16"},   {MFFT_FFT_C2C, 256, "4,4+4,4"},
                {MFFT_FFT_C2C, 256, "2+2,8+4,2"},   {MFFT_FFT_C2C, 210, "7,5+3,2"}, {MFFT_FFT_R2C, 128, "16,4"},
                {MFFT_FFT_R2C, 256, "4,2+4,4"},     {MFFT_FFT_C2R, 128, "4,16"},    {MFFT_FFT_C2R, 256, "4,4+8"},
                {MFFT_FFT_C2C, 128, "8+16xignored"}};
  for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
    const mfft_fft_spec s = named_spec(played[i].type, MFFT_DOUBLE, played[i].n, played[i].radices);
    check(&s, &mfft_limits_sm90);
    check_names(&s, "");
  }
  mfft_fft_spec plane = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 2, .radices = {NULL, "2,4+2x"}};
  plane.axis[0] = (mfft_dim){12, 16, 16};
  plane.axis[1] = (mfft_dim){16, 1, 1};
  check(&plane, &mfft_limits_sm90);
  mfft_schedule schedule;
  CHECK_OK(mfft_schedule_make(&plane, &mfft_limits_sm90, &schedule));
  CHECK(schedule.count == 3 && schedule.pass[0].kernel.chain.n == 8 && schedule.pass[2].kernel.chain.n == 12, "%d passes",
        schedule.count);

  /* The merging kernels of tcFFT: every power of two from 16 to 8192 in one pass, with as many 16s as possible. */
  for (int bits = 4; bits <= 13; bits++) {
    char text[64] = "";
    for (int left = bits; left > 0; left -= 4)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", *text ? "," : "", left > 4 ? 16 : 1 << left);
    for (int p = MFFT_HALF; p <= MFFT_BFLOAT16; p++) {
      mfft_fft_spec s = named_spec(MFFT_FFT_C2C, (mfft_precision)p, 1 << bits, text);
      s.compute = MFFT_COMPUTE_TENSOR;
      check_names(&s, "tensor ");
    }
  }
  static const struct {
    int64_t n;
    const char *radices;
  } chains[] = {{65536, "16,16+16,16"},
                {65536, "16,16,16+16"},
                {65536, "16,16,16,2+8"},
                {131072, "16,16,2+16,16"},
                {1 << 20, "16,16+16,16+16"},
                {1 << 20, "16,16,4+16,16,4"},
                {1 << 27, "16,16,2+16,16,2+16,16,2"}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    mfft_fft_spec s = named_spec(MFFT_FFT_C2C, MFFT_HALF, chains[i].n, chains[i].radices);
    s.compute = MFFT_COMPUTE_TENSOR;
    check_names(&s, strstr(chains[i].radices, "+8") ? "tensor 8192" : "tensor ");
    s = named_spec(MFFT_FFT_C2C, MFFT_SINGLE, chains[i].n, chains[i].radices);
    check_names(&s, "16");
  }

  refused(MFFT_SINGLE, 256, "16,8", MFFT_ERR_ARG, "\"16,8\" multiply to 128, and the axis has 256");
  refused(MFFT_SINGLE, 256, "16,16,16,16,16", MFFT_ERR_ARG, "too many for the length 256");
  refused(MFFT_SINGLE, 256, "16,,16", MFFT_ERR_ARG, "\",16\" is no list");
  refused(MFFT_SINGLE, 256, "16,16+", MFFT_ERR_ARG, "is no list");
  refused(MFFT_SINGLE, 256, "16;16", MFFT_ERR_ARG, "\";16\" is no list");
  refused(MFFT_SINGLE, 256, "64,4", MFFT_ERR_ARG, "radices from 2 to 32");
  refused(MFFT_SINGLE, 256, "256,1", MFFT_ERR_ARG, "radices from 2 to 32");
  refused(MFFT_SINGLE, 32, "2+2+2+2+2", MFFT_ERR_ARG, "more than 4 passes");
  refused(MFFT_SINGLE, 30000, "30,30,30+2", MFFT_ERR_ARG, "multiply to 54000");
  refused(MFFT_SINGLE, 1 << 20, "16,16,16,16,16", MFFT_ERR_UNSUPPORTED, "1048576");
  refused(MFFT_HALF, 256, "4,4,16", MFFT_ERR_UNSUPPORTED, "merge 1 is named otherwise");
  refused(MFFT_HALF, 32768, "16,16,16,8", MFFT_ERR_UNSUPPORTED, "32768 elements, as radices name it, does not fit");
  refused(MFFT_HALF, 65536, "16,16,16,16", MFFT_ERR_UNSUPPORTED, "begin another with a +");
  mfft_fft_spec odd = named_spec(MFFT_FFT_R2C, MFFT_SINGLE, 256, "8,8+2");
  CHECK_FAILS(mfft_schedule_make(&odd, &mfft_limits_sm90, &schedule), MFFT_ERR_UNSUPPORTED, "multiple of 4");
}

int main(void) {
  check_named();
  return test_end();
}
#endif
