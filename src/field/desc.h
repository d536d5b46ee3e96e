/* desc.h: the checked copy of the caller's descriptor of a file to write. */
#ifndef MFFT_FIELD_DESC_H
#define MFFT_FIELD_DESC_H

#include <mpi.h>

#include "mfft_field.h"

/* Local: copies the caller's desc, whose fields beyond its struct_size count as zero, and refuses invalid values.  Lists are
 * the caller's, and are not copied. */
mfft_status mfft_field_desc_check(const mfft_field_desc *given, mfft_field_desc *desc);

/* Collective: whether the descriptors of all ranks are equal. */
mfft_status mfft_field_desc_agree(MPI_Comm comm, const mfft_field_desc *desc);

#endif
