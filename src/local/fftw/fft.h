/* fft.h: the parts of a transform of the fftw backend.
 *
 * A transform consists of pieces (see pieces.h), each of which runs in one of six modes:
 *
 * - direct: one FFTW plan from in to out.
 *
 * - tiled: one strided axis, or one whose lines end in zeros.  A tile of lines is copied to the workspace, where the lines
 *   are contiguous, transformed and copied out; this is about twice as fast as FFTW for strided lines that do not fit in the
 *   cache.  Cosines and sines of cosine.h are transformed line by line in the tile, contiguous lines too.  Zeros are written
 *   to the tile alone.  Reproducible transforms are tiled axis by axis, and one FFTW plan of a single line transforms line
 *   after line: the bits of a line then depend on its values alone, and not on the number of lines, on their strides or on
 *   the alignment of the arrays.
 *
 * - pair: several axes of a large array, or axes that end in zeros, or of which some are cosines and sines of cosine.h.  The
 *   faster axes are transformed plane by plane while a plane is in the cache, and the slowest axis is tiled.
 *
 * - staged: C2R of several axes of a small array that must preserve its input, for which FFTW has no plan.  The complex
 *   axes are transformed from in to the workspace, then the last axis from the workspace to out.
 *
 * - narrow: 16-bit types are read into the workspace as single precision, transformed there in place, and stored with one
 *   rounding.
 *
 * - mixed: cosines or sines on some axes and DFTs on others, or cosines and sines of complex numbers, for which FFTW has no
 *   plan.  The DFTs are computed from in to out, then the cosines and sines in place in out, as real numbers.
 *
 * A scale other than 1 is applied to the result while it is in the cache, if the loops allow that. */
#ifndef MFFT_LOCAL_FFTW_FFT_H
#define MFFT_LOCAL_FFTW_FFT_H

#include "local/fftw/cosine.h"
#include "local/fftw/pieces.h"
#include "local/fftw/plan.h"
#include "local/host/half.h"

typedef struct mfft_fftw_fft mfft_fftw_fft;

/* The array in which the first transform of a pair stores its result. */
typedef enum mfft_fftw_middle { MFFT_FFTW_IN_OUTPUT = 0, MFFT_FFTW_IN_INPUT, MFFT_FFTW_IN_WORK } mfft_fftw_middle;

/* One piece of `run` iterations of the divided loop; each mode uses some of the fields. */
typedef struct mfft_fftw_part {
  int64_t run;                /* 0: no such piece */
  mfft_fftw_plan step[2];     /* [step] */
  mfft_fftw_walk load, store; /* narrow: from and to the workspace; other modes: store is the loop nest of the scale */
  mfft_block in, out;         /* tiled */
  int64_t work_count;         /* tiled, narrow: real numbers in the workspace */
  int64_t lines, line_bytes;  /* tiled */
  size_t line_work;           /* tiled, cosine.h: position in the workspace of that of a line */
  mfft_fft *child[2];         /* pair, mixed: the transforms of one piece; mixed: NULL without a DFT */
} mfft_fftw_part;

typedef struct mfft_fftw_mode {
  const char *name;
  int in_work;                             /* 1: FFTW transforms in the workspace, which is always aligned */
  size_t (*bytes)(const mfft_fftw_fft *f); /* bytes of one transform in a piece, in the workspace or in the larger array */
  size_t (*wanted)(const mfft_fftw_fft *f, size_t bytes);         /* bytes wanted in a piece */
  mfft_status (*prepare)(mfft_fftw_fft *f, mfft_fftw_part *part); /* raises base.work_bytes to its need */
  void (*run)(const mfft_fftw_fft *f, const mfft_fftw_part *part, const void *in, void *out, void *work);
} mfft_fftw_mode;

extern const mfft_fftw_mode mfft_fftw_direct, mfft_fftw_tiled, mfft_fftw_pair, mfft_fftw_staged, mfft_fftw_narrow,
    mfft_fftw_mixed;

struct mfft_fftw_fft {
  mfft_fft base;
  mfft_fft_spec spec;
  const mfft_fftw_api *api;
  const mfft_half_rows *half;     /* NULL for precisions that FFTW has */
  size_t in_element, out_element; /* bytes */
  const mfft_fftw_mode *mode;
  mfft_fftw_pieces pieces;
  mfft_fftw_part part[2];  /* the whole pieces, and the shorter last one */
  mfft_fftw_middle middle; /* pair */
  mfft_fftw_cosine cosine; /* tiled: if its api is not NULL, lines are transformed by it and step[0] */
  size_t held_bytes;       /* pair: bytes of the array between the two transforms if it is in the workspace */
  int empty;               /* a loop has no iterations */
  size_t running_bytes;    /* bytes that FFTW may allocate in one run */
};

/* CACHED: bytes of a piece that stays in a level-2 cache.  PLANNED: bytes of a piece of a direct transform, which only limit
 * the memory of planning. */
enum { MFFT_FFTW_CACHED = 1 << 20, MFFT_FFTW_PLANNED = 64 << 20 };

/* Whether a transform of one axis is done line by line as in cosine.h. */
static inline int mfft_fftw_has_cosines(const mfft_fft_spec *spec) {
  return spec->type == MFFT_FFT_R2R && spec->naxes == 1 && spec->threads == 1 &&
         mfft_fftw_cosine_suits(spec->kind[0], spec->axis[0].n);
}

/* Whether a transform has an axis of cosines or sines and is not R2R. */
int mfft_fftw_is_mixed(const mfft_fft_spec *spec);

/* Bytes of one transform in the larger of its arrays. */
size_t mfft_fftw_transform_bytes(const mfft_fftw_fft *f);

/* Bytes of a piece for which each thread has a part that stays in its cache, for the table of a mode. */
size_t mfft_fftw_cached_of_threads(const mfft_fftw_fft *f, size_t bytes);

/* Fills in the loops of a piece, the divided one last, and returns their number. */
int mfft_fftw_piece_loops(const mfft_fftw_fft *f, const mfft_fftw_part *part, mfft_dim loop[MFFT_MAX_LOOPS]);

/* Plans one step with the effort and the threads of the transform. */
mfft_status mfft_fftw_step(const mfft_fftw_fft *f, const mfft_fftw_problem *problem, mfft_fftw_plan *plan);

/* Prepare and apply the scale of a piece's result.  A scale of 1 takes no time. */
void mfft_fftw_scale_prepare(const mfft_fftw_fft *f, mfft_fftw_part *part);
void mfft_fftw_scale_run(const mfft_fftw_fft *f, const mfft_fftw_part *part, void *out);

/* Entries of the backend table.  Pairs and mixed transforms create and run their children through that table. */
int mfft_fftw_fuses(const mfft_fft_spec *spec);
mfft_status mfft_fftw_scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream);

static inline void mfft_fftw_want_work(mfft_fftw_fft *f, size_t bytes) {
  if (bytes > f->base.work_bytes) f->base.work_bytes = bytes;
}

#endif
