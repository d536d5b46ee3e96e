// TEST
/* Plans for devices that were not measured (tuned/tuned.h): with 108 multiprocessors or 144, with other caches and without
 * clusters.  The number of blocks suffices for the multiprocessors of that device, measured choices are used if its figures
 * allow them and not otherwise, and parts are half of its cache. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/schedule.h"

static mfft_device_limits device(int arch, int sms, int cluster, int cache_bytes) {
  mfft_device_limits limits = mfft_limits_sm90;
  limits.arch = arch;
  limits.sms = sms;
  limits.cluster = cluster;
  limits.part_bytes = mfft_tuned_part_bytes(arch, cache_bytes);
  return limits;
}

/* One pass over packed lines. */
static mfft_pass pass_of(mfft_precision precision, int64_t n, int64_t batch, const mfft_device_limits *limits) {
  mfft_fft_spec s = {.precision = precision, .scale = 1, .naxes = 1, .axis[0] = {n, 1, 1}, .nloops = 1};
  mfft_schedule schedule;
  s.loop[0] = (mfft_dim){batch, n, n};
  CHECK_OK(mfft_schedule_make(&s, limits, &schedule));
  CHECK(schedule.count == 1, "%lld: %d passes", (long long)n, schedule.count);
  return schedule.pass[0];
}

/* Lines share a block only if there are two blocks for each multiprocessor, or its threads do not fill a warp. */
static void busy(const mfft_device_limits *limits) {
  static const int64_t lengths[] = {12, 60, 96, 240, 1000, 3000}; /* [6] */
  for (int i = 0; i < 6; i++)
    for (int64_t batch = 1; batch < 1 << 16; batch = 2 * batch + 3) {
      const mfft_pass p = pass_of(MFFT_SINGLE, lengths[i], batch, limits);
      const mfft_chain *c = &p.kernel.chain;
      const int shares = c->lines > 1, fewer = c->lines / 2 * c->threads;
      CHECK(!shares || fewer < 32 || batch / c->lines >= 2 * limits->sms,
            "%d multiprocessors, %lld lines of %lld: %d a block", limits->sms, (long long)batch, (long long)lengths[i],
            c->lines);
    }
}

/* As many lines as fill the smaller device by two blocks for each multiprocessor share blocks there, and not on the larger
 * one. */
static void by_multiprocessors(const mfft_device_limits *small, const mfft_device_limits *large) {
  const int64_t batch = 2 * 8 * small->sms;
  const mfft_pass few = pass_of(MFFT_SINGLE, 240, batch, small), many = pass_of(MFFT_SINGLE, 240, batch, large);
  CHECK(few.kernel.chain.lines > many.kernel.chain.lines, "%d and %d lines a block", few.kernel.chain.lines,
        many.kernel.chain.lines);
}

/* A measured chain of 4 lines a block: used for more blocks than a device runs at once, with the prefetch of that device. */
static void measured(const mfft_device_limits *small, const mfft_device_limits *large) {
  const int64_t batch = 4 * (mfft_busy_blocks(small) + 2);
  const mfft_pass taken = pass_of(MFFT_DOUBLE, 512, batch, small), not = pass_of(MFFT_DOUBLE, 512, batch, large);
  CHECK(taken.kernel.chain.lines == 4 && taken.kernel.hints.prefetch == small->sms, "%d lines, %d blocks ahead",
        taken.kernel.chain.lines, taken.kernel.hints.prefetch);
  CHECK(not .kernel.chain.lines < 4, "%d lines on a device that they leave idle", not .kernel.chain.lines);
}

/* A plane that clusters transform on an H200, on a device without them. */
static void no_clusters(const mfft_device_limits *limits) {
  mfft_fft_spec s = {.precision = MFFT_SINGLE, .scale = 1, .naxes = 2, .nloops = 1};
  mfft_schedule schedule;
  s.axis[0] = (mfft_dim){128, 128, 128};
  s.axis[1] = (mfft_dim){128, 1, 1};
  s.loop[0] = (mfft_dim){512, 128 * 128, 128 * 128};
  CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
  CHECK(schedule.count == 1 && schedule.pass[0].kernel.cluster.blocks > 1, "%d passes on an H200", schedule.count);
  CHECK_OK(mfft_schedule_make(&s, limits, &schedule));
  CHECK(schedule.count == 2 && !schedule.pass[0].kernel.cluster.blocks, "%d passes", schedule.count);
}

/* Parts of a large cube have about the size of a third of the device's cache: up to half of it, of which 0.68. */
static void parts(const mfft_device_limits *limits) {
  static mfft_phases phases;
  mfft_fft_spec s = {.precision = MFFT_SINGLE, .scale = 1, .naxes = 3};
  for (int a = 2, stride = 1; a >= 0; stride *= 512, a--) s.axis[a] = (mfft_dim){512, stride, stride};
  CHECK_OK(mfft_phases_make(&s, limits, &phases));
  double largest = 0;
  for (int i = 0; i < phases.count; i++) {
    const mfft_phase *p = &phases.phase[i];
    if (mfft_in_parts(p)) largest = fmax(largest, phases.bytes / (double)(p->parts[0] * p->parts[1]));
  }
  CHECK(largest > 0.2 * limits->part_bytes && largest <= 1.3 * limits->part_bytes, "parts of %g bytes, not %d", largest,
        limits->part_bytes);
}

int main(void) {
  enum { MIB = 1 << 20 };
  CHECK(mfft_tuned_part_bytes(90, 60 * MIB) == mfft_limits_sm90.part_bytes, "an H200");
  CHECK(mfft_tuned_part_bytes(90, 50 * MIB) == 25 * MIB, "an H100");
  CHECK(mfft_tuned_part_bytes(80, 40 * MIB) == 20 * MIB, "an A100");
  CHECK(mfft_tuned_part_bytes(100, 126 * MIB) == 63 * MIB, "a B200");
  const mfft_device_limits small = device(80, 108, 0, 40 * MIB), large = device(103, 144, 16, 96 * MIB);
  CHECK(mfft_tuned_for(&small) == mfft_tuned_for(&mfft_limits_sm90), "no choices for a device that was not measured");
  const mfft_device_limits *both[] = {&small, &large};
  for (int i = 0; i < 2; i++) busy(both[i]), parts(both[i]);
  by_multiprocessors(&small, &large);
  measured(&small, &large);
  no_clusters(&small);
  return test_end();
}
#endif
