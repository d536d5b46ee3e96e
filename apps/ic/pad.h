/* pad.h: zero padding in k-space: the modes of a mesh among those of a finer one, so that products of fields are free of
 * aliases.
 *
 * A product of two fields with wave numbers below n/2 has wave numbers below n.  On a mesh of 3n/2 cells a side aliases
 * are at wave numbers from n/2 on, which are discarded (the 3/2 rule, Orszag 1971).  The modes at n/2 of an even n are both
 * n/2 and -n/2, and are omitted in both directions. */
#ifndef MFFT_APPS_PAD_H
#define MFFT_APPS_PAD_H

#include "mesh/mesh.h"

/* The side of the finer mesh: at least 3n/2, and with the prime factors of 3n/2. */
int64_t mfft_pad_side(int64_t n);

/* to_fine 1: copies the modes of the coarse mesh to the fine one, whose other modes become 0.  to_fine 0: copies back; the
 * modes at n/2 become 0.  All copies are multiplied by `scale`.  Arrays are in host memory, pairs of doubles in C order of
 * the mode boxes of two mesh plans (halved along z).  Collective. */
mfft_status mfft_pad(const mfft_mesh *coarse, const mfft_box *coarse_box, double *coarse_modes, const mfft_mesh *fine,
                     const mfft_box *fine_box, double *fine_modes, int to_fine, double scale);

#endif
