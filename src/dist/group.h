/* group.h: the communicator of the ranks that one exchange connects. */
#ifndef MFFT_DIST_GROUP_H
#define MFFT_DIST_GROUP_H

#include "dist/transport.h"

/* Makes the group: with `split` the smallest communicator that an exchange between the layouts allows, otherwise `comm`
 * itself.  Collective over `comm`; all ranks fail together. */
mfft_status mfft_group_make(MPI_Comm comm, int split, const mfft_layout *from, const mfft_layout *to, mfft_group *group);
void mfft_group_free(mfft_group *group, MPI_Comm comm); /* accepts a zeroed group; `comm` as in mfft_group_make */

#endif
