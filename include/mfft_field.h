/* mfft_field.h: fields in HDF5 files, read and written by all ranks together.
 *
 * A field is one dataset of rank 1 to 3 in C order (x slowest), float or double.  Each rank holds one box of it, in any
 * memory order, as a plan's box is.
 *
 * Reading takes files of any program: a dataset named by its path ("DM_delta", "/native_fields/dm_density"), stored as IEEE
 * float or double of either byte order, contiguous, or chunked with the filters that are built into HDF5 (deflate, shuffle,
 * fletcher32).  Everything else is refused before anything is allocated, with the file, the dataset, the reason and the
 * remedy: other types and ranks, a group, external links and storage, virtual datasets, any other filter, a file shorter
 * than its header says.  The same holds for the checksums of a dataset.  Plugins are never loaded.
 *
 * Writing is all or nothing.  The file grows under the name PATH.mfft-partial, with its space reserved before any data is
 * moved; mfft_field_commit brings it to disk, reads every value back against the checksums, and renames it.  So a file under
 * its final name is whole, and an older file of that name is intact until then, whatever happens before.  A failed or
 * abandoned write removes the partial file; a killed job leaves it and the next job that writes the same file removes it.
 * While a job writes, another one that wants the same file gets MFFT_ERR_BUSY.
 *
 * Our own files are plain HDF5 (format 1.10): contiguous datasets, at the root or in groups as their names say.  Each has
 * the attributes BoxSize and Nmesh (one number where all axes agree, else one an axis), Redshift and units; /Header has them
 * too, with BoxSize spelt Boxsize as well.  /Checksum/NAME holds one 64-bit sum for each slab, a few consecutive x-planes,
 * mostly one.  The file is the same, byte for byte, for every number of ranks and every distribution.  docs/field-format.md
 * has the details.
 *
 * Reading verifies every slab it touches where the file has checksums.  Where the boxes of all ranks, taken together, hold
 * only a part of a slab, the rest of it is read as well to verify it, unless MFFT_FIELD_SKIP_PARTIAL is given.
 *
 * Every call with a communicator or a file object is collective, returns the same status on every rank and is not
 * thread-safe, since HDF5 is not.  All ranks must see the same folder.  Ranks move their own parts by plain pread and
 * pwrite; HDF5 is used on rank 0 for the structure of a file and on every rank to read chunked data.  So the serial and the
 * parallel flavour of HDF5 do the same, and every failing write is noticed.  No call changes HDF5's own error printing.
 *
 * Axes, boxes and precisions are those of mfft.h.  Arrays are host memory and may be NULL on ranks with an empty box.
 * MFFT_SINGLE and MFFT_DOUBLE arrays are converted from and to what the file stores; the 16-bit types are not supported.  A
 * finite value that does not fit the narrower type is an error, never a silent infinity.
 */
#ifndef MFFT_FIELD_H
#define MFFT_FIELD_H

#include "mfft_mpi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MFFT_FIELD_UNITS_BYTES = 64, MFFT_FIELD_NAME_BYTES = 256 };

/* ---- Looking ------------------------------------------------------------------------------------------------------ */

/* What a file says about a dataset.  Attributes are looked for on the dataset first, then in /Header. */
typedef struct mfft_field_info {
  size_t struct_size;                  /* set by mfft_field_info_init */
  char dataset[MFFT_FIELD_NAME_BYTES]; /* the dataset that was found, as it was asked for */
  int rank;                            /* 1 to 3 */
  int64_t n[3];                        /* lengths, slow to fast; 1 beyond the rank */
  mfft_precision precision;            /* what is stored: MFFT_SINGLE or MFFT_DOUBLE */
  int big_endian;                      /* 1: stored with the most significant byte first */
  int contiguous;                      /* 0: chunked or compact, which is read through HDF5 */
  int checksummed;                     /* 1: reading verifies */
  int has_box_size;                    /* 1: BoxSize or Boxsize is there, positive and finite, one number or one an axis */
  double box_size[3];                  /* [rank]; 0 where unknown */
  int has_redshift;
  double redshift;
  char units[MFFT_FIELD_UNITS_BYTES]; /* "" where unknown */
} mfft_field_info;

MFFT_API void mfft_field_info_init_sized(mfft_field_info *info, size_t struct_size);
static inline void mfft_field_info_init(mfft_field_info *info) { mfft_field_info_init_sized(info, sizeof(mfft_field_info)); }

/* Looks at a dataset without reading its data.  `info` was initialised with mfft_field_info_init.  dataset NULL or "": the
 * only dataset of floats or doubles at the root; where there are several the text lists them.  Errors: MFFT_ERR_IO where the
 * file cannot be opened, MFFT_ERR_CORRUPT for a damaged one and for an attribute Nmesh that contradicts the lengths of the
 * dataset, MFFT_ERR_ARG for a missing dataset (the text lists what is there) or a group, MFFT_ERR_UNSUPPORTED for what is
 * refused above, MFFT_ERR_MISMATCH where ranks name different files. */
MFFT_API mfft_status mfft_field_query(MPI_Comm comm, const char *path, const char *dataset, mfft_field_info *info);

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

enum {
  MFFT_FIELD_SKIP_PARTIAL = 1 /* leave slabs unverified that the boxes hold only in part: a thin slice of a huge file */
};

/* Reads this rank's box into `data`, whose elements are of `precision` and lie in the memory order of the box.  Boxes of
 * different ranks may overlap, leave parts out, and be empty.  `flags` is 0 or MFFT_FIELD_SKIP_PARTIAL.  Errors: as
 * mfft_field_query; MFFT_ERR_ARG for a box outside the dataset or NULL data; MFFT_ERR_CORRUPT naming file, dataset and
 * planes where a checksum does not match; MFFT_ERR_NONFINITE for values beyond single precision.  After an error the content
 * of `data` is undefined. */
MFFT_API mfft_status mfft_field_read(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box,
                                     mfft_precision precision, void *data, unsigned flags);

/* The same part by part, for arrays that are never whole in host memory: begin, any number of parts, end.  begin and end are
 * collective, a part is not; its box lies within that of begin and its array is dense in the memory order of its own box.
 * The parts of a rank must tile its box.  end verifies, frees the object and sets *reading to NULL, also on failure; it
 * tells all ranks of a part that failed on one (MFFT_ERR_STATE where values have not been read), so that after such a
 * failure it is all that is left to call.  A NULL object is accepted. */
typedef struct mfft_field_reading_s *mfft_field_reading;
MFFT_API mfft_status mfft_field_read_begin(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box,
                                           mfft_precision precision, unsigned flags, mfft_field_reading *reading);
MFFT_API mfft_status mfft_field_read_part(mfft_field_reading reading, const mfft_box *part, void *data);
MFFT_API mfft_status mfft_field_read_end(mfft_field_reading *reading);

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

/* One dataset of a file: its path, such as "phi" or "forces/x", and its units, NULL or "" for none. */
typedef struct mfft_field_dataset {
  const char *name;
  const char *units;
} mfft_field_dataset;

/* One more number for /Header, such as Omega_m. */
typedef struct mfft_field_attribute {
  const char *name;
  double value;
} mfft_field_attribute;

/* What a file will hold.  All datasets have the same shape and type.  Must agree on all ranks. */
typedef struct mfft_field_desc {
  size_t struct_size;       /* set by mfft_field_desc_init */
  int rank;                 /* 1 to 3 [3] */
  int64_t n[3];             /* [rank] lengths, slow to fast, each >= 1 */
  mfft_precision precision; /* what is stored: MFFT_SINGLE or MFFT_DOUBLE [MFFT_DOUBLE] */
  double box_size[3];       /* [rank] lengths of the domain [0: no BoxSize is written] */
  int has_redshift;         /* 1: write `redshift` [0] */
  double redshift;
  const mfft_field_dataset *dataset;     /* [dataset_count] */
  int dataset_count;                     /* at least 1, at most 64 */
  const mfft_field_attribute *attribute; /* [attribute_count] */
  int attribute_count;                   /* at most 64 [0] */
} mfft_field_desc;

MFFT_API void mfft_field_desc_init_sized(mfft_field_desc *desc, size_t struct_size);
static inline void mfft_field_desc_init(mfft_field_desc *desc) { mfft_field_desc_init_sized(desc, sizeof(mfft_field_desc)); }

typedef struct mfft_field_file_s *mfft_field_file;

/* Starts a file: makes the partial one, reserves the space of all datasets and writes everything but their values.  Errors:
 * MFFT_ERR_IO (no such folder, no space, no right to write; an existing target that is neither empty nor an HDF5 file),
 * MFFT_ERR_BUSY while another job writes the same file, MFFT_ERR_ARG, MFFT_ERR_MISMATCH. */
MFFT_API mfft_status mfft_field_create(MPI_Comm comm, const char *path, const mfft_field_desc *desc, mfft_field_file *file);

/* Writes one dataset, named by its place in the descriptor's list, each once and in any sequence.  The boxes of all ranks
 * must tile the array.  `data` may be used again on return, so that several datasets can be made in one buffer.  After an
 * error the file is dead: what is left is to abandon it. */
MFFT_API mfft_status mfft_field_put(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                                    const void *data);

/* The same part by part, as for reading: begin and end are collective, a part is not; the parts of a rank must tile the box
 * of begin, of whose memory order and precision they are.  One dataset is put at a time.  end tells all ranks of a part that
 * failed on one. */
MFFT_API mfft_status mfft_field_put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision);
MFFT_API mfft_status mfft_field_put_part(mfft_field_file file, const mfft_box *part, const void *data);
MFFT_API mfft_status mfft_field_put_end(mfft_field_file file);

/* Brings the file to disk, verifies it and gives it its name.  Frees the object and sets *file to NULL, also on failure,
 * when the partial file is removed.  MFFT_ERR_STATE where a dataset has not been put. */
MFFT_API mfft_status mfft_field_commit(mfft_field_file *file);

/* Removes the partial file, frees the object and sets *file to NULL.  Accepts a NULL object. */
MFFT_API void mfft_field_abandon(mfft_field_file *file);

/* create, put and commit of a file with one dataset. */
MFFT_API mfft_status mfft_field_write(MPI_Comm comm, const char *path, const mfft_field_desc *desc, const mfft_box *box,
                                      mfft_precision precision, const void *data);

/* ---- Copying ------------------------------------------------------------------------------------------------------ */

/* What mfft_field_copy calls before each piece and at the end: `done` of `all` values are copied. */
typedef void mfft_field_progress(void *context, int64_t done, int64_t all);

/* Copies one dataset into a new file of ours with that dataset alone, in this process alone: it is not collective, and MPI
 * need not be initialised.  It is for files of strangers: HDF5 may crash, hang or take all memory over a file that is
 * damaged, or made to do so, and then it does that here, in a process that the caller can spare, limit and end; the copy is
 * safe to read. `mergefft --untrusted` does so.
 *
 * The path of the dataset, its values, precision and shape, BoxSize, Redshift and units are copied.  Checksums of the source
 * are compared, and the copy always has checksums.  It appears under its name when it is whole, but is not forced to the
 * disk. `dataset` is as in mfft_field_query, `progress` and `info` (of the source) may be NULL.  Errors: as mfft_field_read
 * of `path` and mfft_field_create of `copy`. */
MFFT_API mfft_status mfft_field_copy(const char *path, const char *dataset, const char *copy, mfft_field_progress *progress,
                                     void *context, mfft_field_info *info);

/* ---- Checking ----------------------------------------------------------------------------------------------------- */

/* Counts NaN and infinity in the boxes of all ranks.  `count` and `first`, the smallest index in C order that holds one (-1
 * where none does), are the same on every rank. */
MFFT_API mfft_status mfft_field_count_nonfinite(MPI_Comm comm, const mfft_box *box, mfft_precision precision,
                                                const void *data, int64_t *count, int64_t first[3]);

/* The HDF5 that the library runs with, such as "1.10.8 (parallel build)".  Not collective.  The text is the library's. */
MFFT_API const char *mfft_field_hdf5_version(void);

#ifdef __cplusplus
}
#endif
#endif
