/* axis.h: the passes of one axis.
 *
 * An axis that fits a block is one pass.  A longer one, n = n_0 n_1 ... n_(m-1), is m passes that together are one global
 * Stockham transform: pass p, with P the product of the lengths before it and R of those after, takes for each r < R and
 * k < P the n_p elements r P + k + j R P, transforms them over j, multiplies output i by W_(n_p R)^(i r), and writes it to
 * r n_p P + k + i P.  Order is natural at both ends, and the last pass reads and writes the same places, so it may work in
 * place. */
#ifndef MFFT_CUDA_AXIS_H
#define MFFT_CUDA_AXIS_H

#include "local/cuda/planner/axis_places.h"

/* Whether a block can hold one line or, of strided lines, as many as fill a segment of memory.  general: 1: asks only the
 * engine that takes lines of any kind (mfft_engine_general). */
int mfft_axis_fits_one_pass(const mfft_builder *b, const mfft_axis *axis, int general);

/* Whether a block can hold a line or, of strided lines of real numbers, as many as fill a sector. */
int mfft_axis_fits_sectors(const mfft_builder *b, const mfft_axis *axis);

/* Whether the first or last pass of an even real axis can pack or unpack its half spectrum. */
int mfft_axis_packs(const mfft_builder *b, const mfft_axis *axis);

/* Adds interleaved lines of complexes, or of pairs of cosines, as one launch of clusters where that was measured to be the
 * fastest; sets *added. */
mfft_status mfft_axis_try_columns(mfft_builder *b, const mfft_axis *axis, int *added);

/* Adds the axis as one pass. */
mfft_status mfft_axis_add_whole(mfft_builder *b, const mfft_axis *axis);

/* Adds all passes of an axis. */
mfft_status mfft_axis_add(mfft_builder *b, const mfft_axis *axis);

#endif
