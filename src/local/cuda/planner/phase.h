/* phase.h: passes that run over the whole array, or part by part while each part is in the L2 cache. */
#ifndef MFFT_CUDA_PHASE_H
#define MFFT_CUDA_PHASE_H

#include "local/cuda/planner/pass.h"
#include "local/cuda/tuned/tuned.h"

enum { MFFT_MAX_PHASES = 5, MFFT_MAX_REST_PASSES = 4 };

typedef struct mfft_phase {
  mfft_schedule schedule;               /* of one part */
  int64_t parts[2];                     /* outer and inner loop over parts; 1, 1 for all at once */
  int uneven;                           /* 1 + the loop over parts whose last part has fewer lines; 0: all parts are equal */
  mfft_pass rest[MFFT_MAX_REST_PASSES]; /* [schedule.count] the passes of that part, by the tables of the schedule */
  int64_t in_step_bytes[2], out_step_bytes[2];
  int64_t share_step_bytes[2][MFFT_MAX_SHARES]; /* of a scattered output, from part to part */
  int64_t share_first_bytes[MFFT_MAX_SHARES];   /* from where the share begins to element 0 of its first line: at most 0 */
  mfft_place_id src, dst; /* the input, the output, what lies between phases in the workspace, or rows in the output */
  int64_t src_first_bytes, dst_first_bytes; /* from where the input, or output, begins to what the phase accesses first */
  int64_t ends_step_bytes[2];               /* of the ends of half spectra, from part to part */
  int beside, joins;                        /* 1: runs on the second stream beside the phase that joins it; 1: joins that */
  int rows;                /* mfft_fft_spec.ends of the rows that the output has space for: 1: aligned to complexes; 2: not;
                              the phase runs for no other output; 0: it runs for all */
  int64_t twiddle_step[2]; /* steps of the twiddle index from part to part */
  double bytes;            /* bytes that each of its passes reads and writes, with all zeros */
  double share; /* of these bytes that the lines which exist have; what a pass leaves out of them: mfft_pass.share */
} mfft_phase;

typedef struct mfft_phases {
  mfft_phase phase[MFFT_MAX_PHASES]; /* [count] */
  int count;
  int streams; /* 1: some phase has parts, which want a second stream */
  int64_t launches;
  size_t work_bytes;
  size_t
      between_offset_bytes; /* in the workspace: the whole array where it is between phases, or the ends of half spectra */
  size_t ends_bytes;        /* of these ends; 0: there are none */
  double bytes;             /* of the complex side, about */
  const mfft_tuned *tuned;  /* the numbers by which it was planned */
} mfft_phases;

/* Whether a phase runs in several parts. */
static inline int mfft_in_parts(const mfft_phase *p) { return p->parts[0] * p->parts[1] > 1; }

/* Whether part `index` of the outer and the inner loop over parts is one that has fewer lines. */
static inline int mfft_is_rest(const mfft_phase *p, const int64_t index[2]) {
  return p->uneven && index[p->uneven - 1] == p->parts[p->uneven - 1] - 1;
}

#endif
