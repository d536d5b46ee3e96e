/* format.h: a format of snapshots, as a table of functions.
 *
 * A function of a format examines one file of a set, in one process, but never reads values.  It returns the location of the
 * values of a column as an mfft_source (field/source.h), so that reading and checksums do not depend on formats. */
#ifndef MFFT_SNAPSHOT_FORMAT_H
#define MFFT_SNAPSHOT_FORMAT_H

#include "field/source.h"
#include "mfft_snapshot.h"

/* The header of one file. */
typedef struct mfft_snap_header {
  mfft_snapshot_info info;             /* description of the set in this file; count: the totals of all files */
  int64_t here[MFFT_SNAPSHOT_TYPES];   /* [info.types] particles in this file */
  int64_t masses[MFFT_SNAPSHOT_TYPES]; /* [info.types] binary formats: 1: the file has Masses of this type */
} mfft_snap_header;

/* A file whose format is to be found, and its first bytes. */
typedef struct mfft_snap_start {
  const char *path;
  size_t count;
  unsigned char byte[16]; /* [count] of at most 16 */
} mfft_snap_start;

typedef struct mfft_snap_format {
  /* Whether a file is of this format. */
  int (*is)(const mfft_snap_start *start);

  /* Reads and checks the header of a file. */
  mfft_status (*header)(const char *path, mfft_snap_header *header);

  /* Finds the column `name` of a type.  *source: location and type of its values, info.n[0] particles by info.n[1]
   * components; *sums: its checksums, [source->slabs.count], for the caller to free; NULL: none.  MFFT_ERR_ARG if there is
   * no such column. */
  mfft_status (*column)(const char *path, const mfft_snap_header *header, int type, const char *name, mfft_source *source,
                        uint64_t **sums);

  /* Lists the columns of a type for mfft_snapshot_columns. */
  mfft_status (*columns)(const char *path, const mfft_snap_header *header, int type, mfft_snapshot_column *column, int most,
                         int *count);
} mfft_snap_format;

extern const mfft_snap_format mfft_snap_hdf5, mfft_snap_gadget1, mfft_snap_gadget2;

/* Checks of a header that all formats share: MFFT_ERR_CORRUPT for numbers that are not finite or not possible. */
mfft_status mfft_snap_check_header(const char *path, const mfft_snap_header *header);

/* The type of numbers of a dataset or block. */
mfft_snapshot_number mfft_snap_number(mfft_number_kind kind, int element_bytes);

#endif
