/* trigonometric_steps.h: a transform with axes of cosines or sines as a list of DFTs, each with the lines that it
 * transforms and the pieces in which it does so.  Pure C: no device is needed. */
#ifndef MFFT_CUDA_TRIGONOMETRIC_STEPS_H
#define MFFT_CUDA_TRIGONOMETRIC_STEPS_H

#include "local/cuda/planner/limits.h"
#include "local/cuda/planner/trigonometric.h"

/* One axis.  Where its DFT is one pass, that loads and stores the lines of the array itself (`fused`).  Else the lines pass
 * through the workspace piece by piece: a piece stays in the L2 cache, and the array is then read and written once. */
enum { MFFT_TRIGONOMETRIC_DIMS = 3 + MFFT_MAX_LOOPS };
typedef struct mfft_trigonometric_axis {
  mfft_axis_kind kind;
  mfft_dim dim;
  mfft_dim loop[MFFT_TRIGONOMETRIC_DIMS]; /* [loops] around the lines, inner to outer; strides of single numbers */
  int loops;
  int in_place; /* in and out are one array */
  mfft_trigonometric_dft dft;
  double scale;
  int fused;             /* spec[0] is the DFT of all lines, in the array; pieces are not used */
  int64_t lines, piece;  /* all, and of a piece; the last piece may have fewer */
  int by_line;           /* 1: neighbours in the workspace are of neighbouring lines, else of one line */
  size_t area_bytes[2];  /* of a piece before and behind the DFT; [1] is 0 where the DFT works in place */
  mfft_fft_spec spec[2]; /* the DFT of a piece, and of the last one */
} mfft_trigonometric_axis;

/* A transform with at least one such axis: first the DFTs of the spec, if it has any, from in to out, then the others, in
 * place in out; or these alone, the first of them from in to out.  Fused axes that lie in parts of the array which stay in
 * the L2 cache are done part by part, before the last axis, or before the next array of a batch. */
typedef struct mfft_trigonometric_steps {
  int has_dfts;
  mfft_fft_spec dfts;
  mfft_trigonometric_axis axis[3]; /* [axes] in the order in which they run: the fastest first */
  int axes;
  int grouped;                           /* the first so many axes are of one part; 0: none */
  int64_t parts;                         /* of these axes */
  int64_t in_step_bytes, out_step_bytes; /* from part to part; of axes from in to out, and in place in out */
} mfft_trigonometric_steps;

/* Makes the steps of a spec with kinds.  MFFT_ERR_UNSUPPORTED if no DFT of the backend computes one of them. */
mfft_status mfft_trigonometric_plan(const mfft_fft_spec *spec, const mfft_device_limits *limits,
                                    mfft_trigonometric_steps *steps);

#endif
