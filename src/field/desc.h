/* desc.h: the checked copy of what the caller wants to write. */
#ifndef MFFT_FIELD_DESC_H
#define MFFT_FIELD_DESC_H

#include <mpi.h>

#include "mfft_field.h"

/* Local: fills a whole desc from the caller's, whose fields beyond its struct_size count as zero, and refuses what makes no
 * sense.  Lists stay the caller's. */
mfft_status mfft_field_desc_check(const mfft_field_desc *given, mfft_field_desc *desc);

/* Collective: whether all ranks want the same. */
mfft_status mfft_field_desc_agree(MPI_Comm comm, const mfft_field_desc *desc);

#endif
