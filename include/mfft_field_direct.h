/* mfft_field_direct.h: fields between files and the memory of a GPU with no copy in host memory.
 *
 * The calls take the place of mfft_field_read_part and mfft_field_put_part (mfft_field.h) for arrays of mfft_direct.h, where
 * nothing has to be done to the values on the way: contiguous datasets in the precision of the array and the byte order of
 * the machine, no visitor, and boxes whose rows in the file are long enough.
 *
 *     mfft_direct_create(backend, array, bytes, &direct);
 *     mfft_field_read_begin(comm, path, dataset, &box, precision, 0, &reading);
 *     status = mfft_field_read_direct(reading, direct, &part, address);      MFFT_ERR_UNSUPPORTED: mfft_field_read_part
 *     ...                                                                    the other parts
 *     mfft_plan_rows(plan, side, array, &rows);                              adds up the checksums where the values are
 *     mfft_field_read_row_sums(reading, rows.first, rows.count, rows.checksum);
 *     mfft_field_read_end(&reading);                                         compares them with those of the file
 *
 * Values never pass a core of the host, so the caller passes the checksums of all rows of the box, in any sequence, before
 * it ends the dataset: the same formula on the device.  A dataset is thus verified from the file to the memory of the GPU.
 * Files written in this way have the same bytes as others, and are read back and compared in the same way.
 *
 * Errors: MFFT_ERR_UNSUPPORTED with the reason, before any byte of the part has been moved: the caller uses the call of
 * mfft_field.h for this part, and for all parts of this dataset.  Any other error is final for the dataset, as in
 * mfft_field.h; MFFT_ERR_IO with the file, the offset and the reason of cuFile or the system.  No call is collective. */
#ifndef MFFT_FIELD_DIRECT_H
#define MFFT_FIELD_DIRECT_H

#include "mfft_direct.h"
#include "mfft_field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a part of this rank's box to `data`, an address within the array of `direct`, where its values are dense in C order.
 * Blocks until all values have arrived; the threads of the reading (mfft_field_set_threads) share the work. */
MFFT_API mfft_status mfft_field_read_direct(mfft_field_reading reading, mfft_direct_array direct, const mfft_box *part,
                                            void *data);

/* Writes a part from such an address.  Work of the device on the array must have been waited for. */
MFFT_API mfft_status mfft_field_put_direct(mfft_field_file file, mfft_direct_array direct, const mfft_box *part,
                                           const void *data);

/* Passes the checksums (mfft_rows.checksum) of rows [first, first + count) of this rank's box, counted in C order of the two
 * slow axes; each row once.  Only for datasets whose parts were all read or put directly.  Without checksums in the file
 * read_row_sums does nothing.  MFFT_ERR_ARG for rows that the box does not have. */
MFFT_API mfft_status mfft_field_read_row_sums(mfft_field_reading reading, int64_t first, int64_t count,
                                              const uint64_t *checksum /* [count] */);
MFFT_API mfft_status mfft_field_put_row_sums(mfft_field_file file, int64_t first, int64_t count,
                                             const uint64_t *checksum /* [count] */);

#ifdef __cplusplus
}
#endif
#endif
