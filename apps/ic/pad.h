/* pad.h: the modes of a mesh among those of a finer one: zero padding, which keeps products of fields free of aliases.
 *
 * A product of two fields with wave numbers below n/2 has wave numbers below n.  On a mesh of 3n/2 cells a side aliases fall
 * on wave numbers from n/2 on, which are set to 0 again (the 3/2 rule, Orszag 1971).  The modes at n/2 itself, of an even n,
 * belong to neither sign and are omitted in both directions. */
#ifndef MFFT_APPS_PAD_H
#define MFFT_APPS_PAD_H

#include "mesh/mesh.h"

/* The side of the finer mesh: at least 3/2 of n, and with the prime factors of 3n/2. */
int64_t mfft_pad_side(int64_t n);

/* From the modes of the coarse mesh to those of the fine one, whose others become 0 (to_fine 1), or back (0), where the
 * modes at n/2 become 0; all are multiplied by `scale`.  Arrays of host memory with pairs of doubles, in C order of the mode
 * boxes of two mesh plans (half-complex along z).  Collective. */
mfft_status mfft_pad(const mfft_mesh *coarse, const mfft_box *coarse_box, double *coarse_modes, const mfft_mesh *fine,
                     const mfft_box *fine_box, double *fine_modes, int to_fine, double scale);

#endif
