/* format.h: what a format of snapshots can do: one table of functions each.
 *
 * A format looks at one file of a set at a time, in one process, and never at values.  Where the values of a column lie is
 * told as an mfft_source (field/source.h), so that fetching, checksums and writing know nothing of formats. */
#ifndef MFFT_SNAPSHOT_FORMAT_H
#define MFFT_SNAPSHOT_FORMAT_H

#include "field/source.h"
#include "mfft_snapshot.h"

/* The header of one file. */
typedef struct mfft_snap_header {
  mfft_snapshot_info info;             /* of the set, as this file's header states it; count: the totals */
  int64_t here[MFFT_SNAPSHOT_TYPES];   /* [info.types] particles in this file */
  int64_t masses[MFFT_SNAPSHOT_TYPES]; /* [info.types] 1: the file holds Masses of this type; for binary formats */
} mfft_snap_header;

typedef struct mfft_snap_format {
  /* Whether the file is of this format: by its first bytes. */
  int (*is)(const unsigned char start[16], size_t bytes);

  /* Reads and checks the header of a file. */
  mfft_status (*header)(const char *path, mfft_snap_header *header);

  /* Examines the column `name` of a type.  *source: the location and the type of its values, info.n[0] particles by
   * info.n[1] components; *sums [source->slabs.count], to be freed, or NULL: its checksums.  MFFT_ERR_ARG: there is no such
   * column. */
  mfft_status (*column)(const char *path, const mfft_snap_header *header, int type, const char *name, mfft_source *source,
                        uint64_t **sums);

  /* The columns of a type, as mfft_snapshot_columns returns them. */
  mfft_status (*columns)(const char *path, const mfft_snap_header *header, int type, mfft_snapshot_column *column, int most,
                         int *count);
} mfft_snap_format;

extern const mfft_snap_format mfft_snap_hdf5, mfft_snap_gadget1, mfft_snap_gadget2;

/* The checks of a header that all formats share: finite and possible numbers. */
mfft_status mfft_snap_check_header(const char *path, const mfft_snap_header *header);

/* The kind of numbers of an open dataset or block. */
mfft_snapshot_number mfft_snap_number(mfft_number_kind kind, int element_bytes);

#endif
