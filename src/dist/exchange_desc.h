/* exchange_desc.h: descriptor and options of an exchange: defaults, versions, and the checks of one rank. */
#ifndef MFFT_DIST_EXCHANGE_DESC_H
#define MFFT_DIST_EXCHANGE_DESC_H

#include "mfft_mpi.h"

/* Copies the caller's descriptor and options (NULL: the defaults) to structs of this library, and checks all that one rank
 * can check without the boxes of others.  MFFT_ERR_ARG names the field. */
mfft_status mfft_exchange_take(const mfft_exchange_desc *given, const mfft_exchange_options *given_options,
                               mfft_exchange_desc *desc, mfft_exchange_options *options);

#endif
