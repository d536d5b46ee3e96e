/* round_trip.c: see round_trip.h. */
#include "local/cuda/planner/round_trip.h"

#include <string.h>

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/schedule.h"

/* The spec of the transform forward alone, which is in place in the input. */
static mfft_fft_spec forward_of(const mfft_fft_spec *both) {
  mfft_fft_spec s = *both;
  memset(&s.scatter, 0, sizeof s.scatter);
  s.convolved = MFFT_CONVOLVED_NOT;
  s.filtered = MFFT_FILTER_NONE;
  s.scale = 1;
  s.in_place = 1;
  s.axis[0].os = s.axis[0].is;
  for (int l = 0; l < s.nloops; l++) s.loop[l].os = s.loop[l].is;
  return s;
}

static mfft_fft_spec backward_of(const mfft_fft_spec *both) {
  mfft_fft_spec s = *both;
  s.convolved = MFFT_CONVOLVED_NOT;
  s.filtered = MFFT_FILTER_INPUT;
  s.direction = MFFT_BACKWARD;
  return s;
}

mfft_status mfft_round_trip_check(const mfft_fft_spec *spec, const mfft_device_limits *limits, const mfft_schedule *both) {
  const mfft_fft_spec alone[2] = {forward_of(spec), backward_of(spec)};
  for (int d = 0; d < 2; d++) {
    mfft_schedule one;
    MFFT_TRY(mfft_schedule_make(&alone[d], limits, &one));
    if (one.count == 1 && mfft_engine_of(&one.pass[0].kernel) == mfft_engine_general() &&
        mfft_same_merges(&one.pass[0].kernel, &both->pass[0].kernel))
      continue;
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: lines of %lld elements have other merges forward and back than alone",
                     (long long)spec->axis[0].n);
  }
  return MFFT_SUCCESS;
}
