/* blocks.h: the potential of a density in place, on slabs of several ranks, with a part of an array as workspace.
 *
 * A transform of slabs in place needs a second array: its exchange moves every element.  But once the planes of all ranks
 * are transformed, the lines along axis 0 are independent of each other.  So some modes of axis 2 are taken at a time: the
 * lines of this block are exchanged, transformed, multiplied by Green's function, transformed back and returned, before the
 * next block.  The sequence of operations on a number is that of the plan, and so are its bits with options.reproducible. */
#ifndef MFFT_PARTICLES_BLOCKS_H
#define MFFT_PARTICLES_BLOCKS_H

#include "mfft_particles.h"
#include "plan/plan.h"

typedef struct mfft_pm_blocks mfft_pm_blocks;

/* Whether a plan can be replaced so: several ranks, in place, rows with space for their modes, and boxes of whole planes of
 * axes 1 and 2 in C order.  The same on all ranks. */
int mfft_pm_blocks_suit(mfft_plan plan);

/* Makes the transforms for `parts` blocks or fewer, with the options of the plan.  Collective.  destroy: collective, NULL is
 * accepted. */
mfft_status mfft_pm_blocks_create(mfft_plan plan, int parts, mfft_pm_blocks **blocks);
void mfft_pm_blocks_destroy(mfft_pm_blocks *blocks);

/* Bytes of the work memory of solve, and of the window of a block that peers have mapped; 0 for NULL. */
size_t mfft_pm_blocks_bytes(const mfft_pm_blocks *blocks);
size_t mfft_pm_blocks_window_bytes(const mfft_pm_blocks *blocks);

/* Turns a density, an IN array of the plan, into its potential, times `factor`.  The seconds are added to those of two
 * executes of the plan (mfft_plan_timing).  memory: [mfft_pm_blocks_bytes], a multiple of 64.  Collective. */
mfft_status mfft_pm_blocks_solve(mfft_pm_blocks *blocks, mfft_green green, double factor, void *array, void *memory);

#endif
