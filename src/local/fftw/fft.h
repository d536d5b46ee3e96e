/* fft.h: inside of a transform of the fftw backend.
 *
 * A transform walks pieces (see pieces.h) and runs each in one of five modes:
 *
 * - direct: one FFTW plan from in to out.
 *
 * - tiled: one strided axis.  A tile of lines is copied to the workspace, where the lines are contiguous, transformed and
 *   copied out; about twice as fast as FFTW on strided lines that do not fit in cache.
 *
 * - pair: several axes of a large array.  The faster axes are transformed plane by plane while they are in cache, and the
 *   slowest axis is tiled.
 *
 * - staged: C2R of several axes of a small array that must leave its input alone, which FFTW has no plan for.  The complex
 *   axes go from in to the workspace, then the last axis goes from the workspace to out.
 *
 * - narrow: 16-bit types are read into the workspace as single precision, transformed there in place, and stored with one
 *   rounding.
 *
 * A scale is applied to the result while it is in cache where loops allow it, and costs nothing where it is 1. */
#ifndef MFFT_LOCAL_FFTW_FFT_H
#define MFFT_LOCAL_FFTW_FFT_H

#include "local/fftw/pieces.h"
#include "local/fftw/plan.h"
#include "local/host/half.h"

typedef struct mfft_fftw_fft mfft_fftw_fft;

/* What one piece of `run` iterations of the cut loop needs; each way uses some of it. */
typedef struct mfft_fftw_part {
  int64_t run; /* 0: there is no such piece */
  mfft_fftw_plan step[2];
  mfft_fftw_walk load, store; /* narrow: to and from the workspace; store is also the walk of a scale */
  mfft_block in, out;         /* tiled */
  int64_t work_count;         /* tiled: reals in the workspace */
  mfft_fft *child[2];         /* pair: the transforms of one piece, first and second */
} mfft_fftw_part;

typedef struct mfft_fftw_mode {
  const char *name;
  int in_work;                             /* FFTW transforms in the workspace, which is always aligned */
  size_t (*bytes)(const mfft_fftw_fft *f); /* of one transform in a piece, in the workspace or in the larger array */
  size_t (*wanted)(const mfft_fftw_fft *f, size_t bytes);         /* of a piece */
  mfft_status (*prepare)(mfft_fftw_fft *f, mfft_fftw_part *part); /* raises base.work_bytes to its need */
  void (*run)(const mfft_fftw_fft *f, const mfft_fftw_part *part, const void *in, void *out, void *work);
} mfft_fftw_mode;

extern const mfft_fftw_mode mfft_fftw_direct, mfft_fftw_tiled, mfft_fftw_pair, mfft_fftw_staged, mfft_fftw_narrow;

struct mfft_fftw_fft {
  mfft_fft base;
  mfft_fft_spec spec;
  const mfft_fftw_api *api;
  const mfft_half_rows *half;     /* NULL in wide precisions */
  size_t in_element, out_element; /* bytes */
  const mfft_fftw_mode *mode;
  mfft_fftw_pieces pieces;
  mfft_fftw_part part[2]; /* whole pieces, and the rest */
  size_t held_bytes;      /* pair: of the array in the workspace */
  int empty;              /* a loop has no iterations */
  size_t running_bytes;   /* that FFTW may take in one run */
};

/* Pieces of this many bytes stay in a level-2 cache; direct transforms are cut only to bound the memory that planning takes.
 */
enum { MFFT_FFTW_CACHED = 1 << 20, MFFT_FFTW_PLANNED = 64 << 20 };

/* Elements along axis a of the input and of the output. */
static inline int64_t mfft_fftw_in_length(const mfft_fft_spec *s, int a) {
  return s->type == MFFT_FFT_C2R && a == s->naxes - 1 ? s->axis[a].n / 2 + 1 : s->axis[a].n;
}
static inline int64_t mfft_fftw_out_length(const mfft_fft_spec *s, int a) {
  return s->type == MFFT_FFT_R2C && a == s->naxes - 1 ? s->axis[a].n / 2 + 1 : s->axis[a].n;
}

/* Bytes of one transform in the larger of its arrays. */
size_t mfft_fftw_transform_bytes(const mfft_fftw_fft *f);

/* The loops of a piece, the cut one last. */
int mfft_fftw_piece_loops(const mfft_fftw_fft *f, const mfft_fftw_part *part, mfft_dim loop[MFFT_MAX_LOOPS]);

/* Plans one step with the effort and the threads of the transform. */
mfft_status mfft_fftw_step(const mfft_fftw_fft *f, const mfft_fftw_problem *problem, mfft_fftw_plan *plan);

/* The scale of a piece's result, where it is not 1. */
void mfft_fftw_scale_prepare(const mfft_fftw_fft *f, mfft_fftw_part *part);
void mfft_fftw_scale_run(const mfft_fftw_fft *f, const mfft_fftw_part *part, void *out);

/* Entries of the backend table.  Pair makes and runs its children through that table. */
int mfft_fftw_fuses(const mfft_fft_spec *spec);
mfft_status mfft_fftw_scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream);

static inline void mfft_fftw_want_work(mfft_fftw_fft *f, size_t bytes) {
  if (bytes > f->base.work_bytes) f->base.work_bytes = bytes;
}

#endif
