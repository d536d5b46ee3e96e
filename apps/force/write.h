/* write.h: the snapshot that `mergefft force` writes: the particles of another one, in its order, with their forces. */
#ifndef MFFT_APPS_FORCE_WRITE_H
#define MFFT_APPS_FORCE_WRITE_H

#include "catalogue/catalogue.h"

/* Writes positions, velocities, identities and masses as the catalogue has them, and what is given of this rank's share: the
 * accelerations and the potential.  Velocities become those of GADGET, over sqrt(a), where the units are known.  Collective.
 */
mfft_status mfft_force_write(const mfft_catalogue *catalogue, const char *path, const double *acceleration /* [count][3] */,
                             const double *potential /* [count] */);

#endif
