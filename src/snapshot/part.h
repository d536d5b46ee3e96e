/* part.h: one file of a snapshot that is being written. */
#ifndef MFFT_SNAPSHOT_PART_H
#define MFFT_SNAPSHOT_PART_H

#include "field/partial.h"
#include "field/pool.h"
#include "snapshot/build.h"

typedef struct mfft_snap_part {
  mfft_snap_desc desc;                /* of the snapshot, for the particles in this file; the columns are not owned */
  int64_t first[MFFT_SNAPSHOT_TYPES]; /* particle of each type in this file */
  mfft_partial partial;               /* rank 0 */
  char *name;                         /* the partial file, on every rank */
  int fd;                             /* of the partial file, on every rank */
  int64_t bytes;                      /* of the file */
  mfft_file_extent *extent;           /* [columns]; of columns without particles here there is none */
  uint64_t **sums;                    /* [columns] NULL: has not been put, or has no particles here */
} mfft_snap_part;

/* File i of the files of the snapshot, without a file on disk.  free removes the partial file, and accepts half-built and
 * zeroed objects.  Not collective. */
mfft_status mfft_snap_part_create(const mfft_snap_desc *desc, int i, mfft_snap_part *part);
void mfft_snap_part_free(mfft_snap_part *part);

/* Makes the partial file with its structure and its space on rank 0, and opens it on every rank.  Collective. */
mfft_status mfft_snap_part_open(MPI_Comm comm, const char *path, mfft_snap_part *part);

/* Writes what lies in this file of the particles [first, first + count) of a column, which this rank has, and completes the
 * checksums of the column.  Collective. */
mfft_status mfft_snap_part_put(MPI_Comm comm, mfft_snap_part *part, int column, int64_t first, int64_t count,
                               mfft_snapshot_number number, const void *data);

/* Compares all values and the structure with what was put, and brings the file to disk.  Collective. */
mfft_status mfft_snap_part_verify(MPI_Comm comm, mfft_pool *pool, mfft_snap_part *part);

/* Gives the files of a set their names, the first file last, so that a set whose first file is there is whole; an older set
 * loses its first file before.  After a failure none of the new files has its name.  Rank 0 only. */
mfft_status mfft_snap_parts_rename(mfft_snap_part *part /* [parts] */, int parts);

#endif
