// TEST labels=cuda timeout=600
// TEST labels=emulated timeout=300
/* Algorithms of a transform: timed as the effort says, stored in wisdom, and all of them right. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "base/wisdom_store.h"
#include "gpu_case.h"
#include "mfft_inspect.h"
#include "wisdom.h"

/* Enough to occupy all multiprocessors, and a key of its own for each. */
static int64_t many_arrays(int key) { return (test_small() ? 9 : 199) + 2 * key; }

static mfft_desc plane(int key, mfft_effort effort, mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  mfft_options_init(options);
  d.rank = 2;
  d.n[0] = d.n[1] = 32;
  d.batch = many_arrays(key);
  d.precision = MFFT_SINGLE;
  options->backend = "cuda";
  options->effort = effort;
  options->time_limit = 300; /* an emulated GPU takes long */
  return d;
}

/* The number of algorithms tried for a plan; how it was chosen in *by. */
static int64_t trials_of(const mfft_desc *d, const mfft_options *options, mfft_chosen *by) {
  mfft_plan plan = NULL;
  const char *candidate = NULL;
  int64_t count = -1;
  CHECK_OK(mfft_plan_create(d, options, &plan));
  if (!plan) return count;
  CHECK_OK(mfft_plan_chosen(plan, by, &candidate));
  CHECK_OK(mfft_plan_trial_count(plan, &count));
  double rule = 0, least = 0, won = 0;
  for (int64_t i = 0; i < count; i++) { /* of each transform one after another, the rule's first */
    mfft_trial t;
    CHECK_OK(mfft_plan_trial(plan, i, &t));
    const int first = strcmp(t.parameter, "rule") == 0;
    CHECK(first == (strcmp(t.candidate, "rule") == 0), "%s %s", t.parameter, t.candidate);
    if (first) rule = least = t.seconds;
    if (!t.why_not && t.seconds < least) least = t.seconds;
    if (t.won) won = t.seconds;
    mfft_trial next = {.parameter = "rule"};
    if (i + 1 < count) CHECK_OK(mfft_plan_trial(plan, i + 1, &next));
    if (strcmp(next.parameter, "rule") == 0)
      CHECK(won > 0 && won <= rule && 0.97 * won <= least, "%g s was chosen, %g s is the least, %g s by rule", won, least,
            rule);
  }
  char text[8192] = "";
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK((strstr(text, ": measured, ") != NULL) == (count > 0), "%s", text);
  mfft_plan_destroy(plan);
  return count;
}

static void efforts(void) {
  mfft_chosen by;
  mfft_options options;
  mfft_desc d = plane(1, MFFT_ESTIMATE, &options);
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_BY_RULE, "by %d", by);
  options.effort = MFFT_MEASURE;
  const int64_t few = trials_of(&d, &options, &by);
  CHECK(few >= 4 && by == MFFT_CHOSEN_BY_TIMING, "%lld trials, by %d", (long long)few, by);
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_FROM_WISDOM, "by %d", by);
  options.effort = MFFT_ESTIMATE;
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_FROM_WISDOM, "by %d", by);
  char text[8192] = "";
  CHECK_OK(mfft_plan_outline(&d, &options, text, sizeof text, NULL));
  CHECK(strstr(text, "transforms: from wisdom"), "the outline is %s", text);
  if (test_small()) return; /* a patient plan takes long on an emulated GPU */
  options.effort = MFFT_PATIENT;
  const int64_t many = trials_of(&d, &options, &by);
  CHECK(many > few && by == MFFT_CHOSEN_BY_TIMING, "%lld trials, %lld with less effort", (long long)many, (long long)few);
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_FROM_WISDOM, "by %d", by);
}

/* No trial: a transform with one algorithm, an algorithm that is named, no time. */
static void nothing(void) {
  mfft_chosen by;
  mfft_options options;
  mfft_desc d = plane(2, MFFT_MEASURE, &options);
  d.rank = 1, d.n[0] = 1024;
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_BY_RULE, "one pass");
  d = plane(2, MFFT_PATIENT, &options);
  options.compute = MFFT_COMPUTE_BUTTERFLY;
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_BY_RULE, "butterflies by name");
  d = plane(2, MFFT_PATIENT, &options);
  options.radices = "8,4";
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_BY_RULE, "radices by name");
  d = plane(2, MFFT_PATIENT, &options);
  options.time_limit = 1e-6;
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_BY_RULE, "no time");
  options.time_limit = 300;
  options.effort = MFFT_MEASURE;
  CHECK(trials_of(&d, &options, &by) > 0, "a plan without time was remembered as if it had been timed");
}

/* Wisdom of a transform names one of its algorithms, or is ignored. */
static void wrong_wisdom(void) {
  static const char *const wrong[] = {"", "tensor", "0 8 16 0", "quantum measure", "timed measure"};
  mfft_chosen by;
  mfft_options options;
  mfft_desc d = plane(3, MFFT_MEASURE, &options);
  trials_of(&d, &options, &by);
  char *text = exported_wisdom(), key[512] = "", loop[16];
  snprintf(loop, sizeof loop, ",x%lld:", (long long)d.batch);
  for (char *at = text; (at = strstr(at, "\nplan cuda,")); at++)
    if (strstr(at, loop)) snprintf(key, sizeof key, "%.*s", (int)strcspn(at + 6, " \n"), at + 6);
  free(text);
  CHECK(strstr(key, ",direction=") != NULL, "the key is \"%s\"", key);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_OK(mfft_wisdom_put(key, wrong[i]));
    CHECK(trials_of(&d, &options, &by) > 0 && by == MFFT_CHOSEN_BY_TIMING, "\"%s\" was believed", wrong[i]);
  }
  CHECK_OK(mfft_wisdom_put(key, "blocks measure"));
  CHECK(trials_of(&d, &options, &by) == 0 && by == MFFT_CHOSEN_FROM_WISDOM, "by %d", by);
}

/* Every algorithm that fits computes the transform. */
static void right(void) {
  static const int64_t n[2] = {32, 32};
  for (const mfft_algorithm *algorithm = mfft_backend_cuda.algorithms; algorithm->name; algorithm++) {
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 2, n, 3, 0);
    if (!mfft_algorithm_suits(algorithm, s.precision, s.compute)) continue;
    if (test_small() && !mfft_effort_reaches(MFFT_MEASURE, algorithm->alone)) continue; /* t803 and t810 have them all */
    mfft_algorithm_apply(algorithm, &s);
    gpu_check(&s, 4);
  }
}

int main(int argc, char **argv) {
  static void (*const part[])(void) = {efforts, nothing, wrong_wisdom, right}; /* [4] */
  if (!gpu_here()) return TEST_SKIPPED;
  for (int i = 0; i < 4; i++)
    if (argc < 2 || atoi(argv[1]) == i) part[i]();
  return test_end();
}
#endif
