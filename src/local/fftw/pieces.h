/* pieces.h: the division of the loops of a transform into pieces.
 *
 * Some transforms run in pieces that fit in the cache: those through the workspace (16-bit types; C2R of several axes
 * that preserves its input) and those with a scale.  The inner loops are whole in each piece, one loop is divided into
 * runs of `run` iterations (the last may be shorter), and the outer loops are iterated. */
#ifndef MFFT_LOCAL_FFTW_PIECES_H
#define MFFT_LOCAL_FFTW_PIECES_H

#include "local/fftw/api.h"

typedef struct mfft_fftw_pieces {
  mfft_dim inner[MFFT_MAX_LOOPS]; /* [ninner] whole in each piece */
  int ninner;
  mfft_dim cut; /* the divided loop; n = 1: none */
  int64_t run;
  mfft_dim outer[MFFT_MAX_LOOPS]; /* [nouter] slow to fast */
  int nouter;
} mfft_fftw_pieces;

/* Divides the loops around transforms of `bytes` each into pieces of about `wanted` bytes and at least one transform. */
mfft_fftw_pieces mfft_fftw_cut(const mfft_fft_spec *spec, size_t bytes, size_t wanted);

/* Whether every piece begins at a multiple of 16 bytes from the first one.  in_element, out_element: bytes of an element. */
int mfft_fftw_pieces_aligned(const mfft_fftw_pieces *pieces, size_t in_element, size_t out_element);

/* A loop nest over the elements of an array, which have `parts` real numbers each.  Dimensions are sorted from slow to fast,
 * and merged if possible; .is is the stride in the caller's array, .os that in the workspace. */
typedef struct mfft_fftw_walk {
  mfft_dim dim[3 + MFFT_FFTW_LOOPS]; /* [dims] at least one */
  int dims, parts;
} mfft_fftw_walk;

void mfft_fftw_walk_add(mfft_fftw_walk *walk, int64_t n, int64_t is, int64_t os);
void mfft_fftw_walk_finish(mfft_fftw_walk *walk); /* sorts and merges the dimensions */

/* A function that processes one innermost run of n elements: strides, and the offsets at_is and at_os of the first element
 * in the two arrays, all in elements. */
typedef void (*mfft_fftw_row)(const void *context, int64_t n, int64_t is, int64_t os, int64_t at_is, int64_t at_os);
void mfft_fftw_walk_run(const mfft_fftw_walk *walk, mfft_fftw_row row, const void *context);

#endif
