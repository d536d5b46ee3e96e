// TEST
/* A local plan as an object: sizes, arrays that are missing or overlap, workspace given and shared, description, timing. */
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static mfft_desc describe(int64_t a, int64_t b, int64_t c, mfft_kind kind, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.n[0] = a, d.n[1] = b, d.n[2] = c;
  d.kind = kind;
  options->effort = MFFT_ESTIMATE;
  options->backend = "fftw";
  return d;
}

static void check_sizes(void) {
  static const struct {
    mfft_kind kind;
    mfft_placement placement;
    int64_t batch, in, out;
  } cases[] = {
      {MFFT_C2C, MFFT_OUT_OF_PLACE, 1, 4 * 6 * 9, 4 * 6 * 9},
      {MFFT_R2C, MFFT_OUT_OF_PLACE, 1, 4 * 6 * 9, 4 * 6 * 5},
      {MFFT_R2C, MFFT_IN_PLACE, 1, 4 * 6 * 10, 4 * 6 * 5},
      {MFFT_R2C, MFFT_IN_PLACE, 3, 3 * 4 * 6 * 10, 3 * 4 * 6 * 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mfft_options options;
    mfft_desc d = describe(4, 6, 9, cases[i].kind, &options);
    mfft_plan plan = NULL;
    mfft_box box;
    int64_t in = 0, out = 0;
    size_t in_bytes = 0, out_bytes = 0;
    d.placement = cases[i].placement;
    d.batch = cases[i].batch;
    CHECK_OK(mfft_plan_create(&d, &options, &plan));
    CHECK_OK(mfft_plan_count(plan, MFFT_IN, &in));
    CHECK_OK(mfft_plan_count(plan, MFFT_OUT, &out));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &in_bytes));
    CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &out_bytes));
    CHECK(in == cases[i].in && out == cases[i].out, "case %zu: %lld and %lld", i, (long long)in, (long long)out);
    CHECK(in_bytes == (size_t)in * (cases[i].kind == MFFT_R2C ? 8 : 16) && out_bytes == (size_t)out * 16, "case %zu", i);
    CHECK_OK(mfft_plan_box(plan, MFFT_OUT, &box));
    CHECK(box.hi[0] == 4 && box.hi[1] == 6 && box.hi[2] == (cases[i].kind == MFFT_R2C ? 5 : 9), "case %zu: the box", i);
    mfft_plan_destroy(plan);
  }
}

static void check_arrays(void) {
  mfft_options options;
  mfft_desc d = describe(4, 4, 4, MFFT_C2C, &options);
  mfft_plan plan = NULL, in_place = NULL;
  double a[256], b[256];
  memset(a, 0, sizeof a);
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  d.placement = MFFT_IN_PLACE;
  CHECK_OK(mfft_plan_create(&d, &options, &in_place));
  CHECK_FAILS(mfft_execute(NULL, MFFT_FORWARD, a, b), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, NULL, b), MFFT_ERR_ARG, "in is NULL");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, a, NULL), MFFT_ERR_ARG, "out is NULL");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, a, a), MFFT_ERR_ARG, "MFFT_IN_PLACE");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, a, a + 64), MFFT_ERR_ARG, "overlap");
  CHECK_FAILS(mfft_execute(in_place, MFFT_FORWARD, a, b), MFFT_ERR_ARG, "in place");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, (const char *)a + 4, b), MFFT_ERR_ARG, "aligned to the 8 bytes");
  CHECK_FAILS(mfft_execute(plan, MFFT_BACKWARD, a, (char *)b + 1), MFFT_ERR_ARG, "out is ");
  CHECK_FAILS(mfft_execute(plan, (mfft_direction)2, a, b), MFFT_ERR_ARG, "direction is 2");
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, a, b));
  CHECK_OK(mfft_execute(in_place, MFFT_BACKWARD, a, a));
  mfft_plan_destroy(plan);
  mfft_plan_destroy(in_place);
  mfft_plan_destroy(NULL);
}

/* Two plans with workspaces of different sizes that alternate on one workspace give the results of plans with workspaces of
 * their own. */
static void check_workspace(void) {
  enum { MOST = 16 * 16 * 18 };
  static const int64_t size[2] = {16, 10};
  mfft_plan plan[2] = {NULL, NULL}, own[2] = {NULL, NULL};
  size_t bytes[2] = {0, 0}, most = 0;
  void *work = NULL;
  static double in[MOST], out[MOST], want[MOST];
  for (int i = 0; i < 2; i++) {
    mfft_options options;
    mfft_desc d = describe(size[i], size[i], size[i], MFFT_R2C, &options);
    CHECK_OK(mfft_plan_create(&d, &options, &own[i]));
    options.user_workspace = 1;
    CHECK_OK(mfft_plan_create(&d, &options, &plan[i]));
    CHECK_OK(mfft_plan_workspace_bytes(plan[i], &bytes[i]));
    if (bytes[i] > most) most = bytes[i];
  }
  CHECK(bytes[0] > 0, "C2R of three axes that preserves its input needs a workspace");
  CHECK_FAILS(mfft_execute(plan[0], MFFT_BACKWARD, in, out), MFFT_ERR_STATE, "mfft_plan_set_workspace");
  CHECK_OK(mfft_alloc(most + 64, &work));
  CHECK_FAILS(mfft_plan_set_workspace(plan[0], work, bytes[0] - 1), MFFT_ERR_ARG, "the plan needs");
  CHECK_FAILS(mfft_plan_set_workspace(plan[0], (char *)work + 8, most), MFFT_ERR_ARG, "64 bytes");
  CHECK_FAILS(mfft_plan_set_workspace(plan[0], NULL, most), MFFT_ERR_ARG, "NULL");
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_plan_set_workspace(plan[i], work, most));
  CHECK_FAILS(mfft_execute(plan[0], MFFT_BACKWARD, in, work), MFFT_ERR_ARG, "out is ");
  CHECK(strstr(mfft_last_error(), "overlaps the plan's workspace"), "%s", mfft_last_error());
  memset((char *)work + most, 0x5a, 64);
  uint64_t state = 102;
  for (int i = 0; i < MOST; i++) in[i] = test_random(&state);
  for (int round = 0; round < 4; round++) {
    memset(work, 0xff, most);
    CHECK_OK(mfft_execute(plan[round % 2], MFFT_BACKWARD, in, out));
    CHECK_OK(mfft_execute(own[round % 2], MFFT_BACKWARD, in, want));
    int64_t n = size[round % 2];
    CHECK(memcmp(out, want, (size_t)(n * n * n) * sizeof *out) == 0, "round %d differs", round);
  }
  for (int i = 0; i < 64; i++) CHECK(((unsigned char *)work)[most + (size_t)i] == 0x5a, "beyond the workspace, byte %d", i);
  CHECK_OK(mfft_plan_set_stream(plan[0], NULL));
  CHECK_FAILS(mfft_plan_set_stream(plan[0], work), MFFT_ERR_UNSUPPORTED, "has no streams");
  for (int i = 0; i < 2; i++) mfft_plan_destroy(plan[i]), mfft_plan_destroy(own[i]);
  mfft_free(work);
}

static void check_text_and_time(void) {
  mfft_options options;
  mfft_desc d = describe(8, 8, 8, MFFT_R2C, &options);
  mfft_plan plan = NULL;
  mfft_timing timing;
  size_t needed = 0;
  char text[2000], part[20];
  static double in[512], out[8 * 8 * 10];
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_describe(plan, NULL, 0, &needed));
  CHECK(needed > 20 && needed < sizeof text, "%zu bytes", needed);
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strlen(text) + 1 == needed && strstr(text, "8 x 8 x 8") && strstr(text, "fftw") && strstr(text, "fft x,y,z"), "%s",
        text);
  memset(part, 'x', sizeof part);
  char outline[2000];
  CHECK_OK(mfft_plan_outline(&d, &options, outline, sizeof outline, NULL));
  CHECK(strcmp(outline, text) == 0, "an outline is the text of the plan: %s", outline);
  CHECK_FAILS(mfft_plan_outline(NULL, NULL, outline, sizeof outline, NULL), MFFT_ERR_ARG, "desc is NULL");
  CHECK_OK(mfft_plan_describe(plan, part, 10, &needed));
  CHECK(strlen(part) == 9 && part[10] == 'x' && strncmp(part, text, 9) == 0, "a short buffer");

  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_timing(plan, &timing));
  CHECK(timing.executes == 1 && timing.fft > 0 && timing.total >= timing.fft && timing.exchange == 0, "%g of %g s",
        timing.fft, timing.total);
  CHECK_OK(mfft_plan_timing_reset(plan));
  CHECK_OK(mfft_plan_timing(plan, &timing));
  CHECK(timing.executes == 0 && timing.total == 0, "the clock did not go back");
  mfft_plan_destroy(plan);
}

int main(void) {
  check_sizes();
  check_arrays();
  check_workspace();
  check_text_and_time();
  return test_end();
}
