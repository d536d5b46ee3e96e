/* write.h: the snapshot that `mergefft force` writes: the particles of the input, in its order, with their forces. */
#ifndef MFFT_APPS_FORCE_WRITE_H
#define MFFT_APPS_FORCE_WRITE_H

#include "catalogue/catalogue.h"

/* Writes positions, velocities, identities and masses of the catalogue, and the given accelerations and potential of this
 * rank's share.  Velocities are converted to GADGET's, in km/s over sqrt(a), if the units are known.  Collective. */
mfft_status mfft_force_write(const mfft_catalogue *catalogue, const char *path, const double *acceleration /* [count][3] */,
                             const double *potential /* [count] */);

/* Bytes of the values that it reads and writes beside the results, which it writes too.  Collective. */
mfft_status mfft_force_write_bytes(const mfft_catalogue *catalogue, double *copied, double *results);

#endif
