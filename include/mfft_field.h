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
 * While a job writes, another one that would write the same file gets MFFT_ERR_BUSY.
 *
 * The files written are plain HDF5 (format 1.10) with a checksum for each slab of a few x-planes, the same byte for byte for
 * every distribution (docs/field-format.md).  Reading verifies every slab it touches where the file has checksums; the rest
 * of a slab that the boxes of all ranks hold only in part is read as well, unless MFFT_FIELD_SKIP_PARTIAL is given.
 *
 * Every call with a communicator or a file object is collective unless it says otherwise, returns the same status on every
 * rank and is not thread-safe, since HDF5 is not.  All ranks must see the same folder.  Ranks move their own parts by plain
 * pread and pwrite, so that the serial flavour of HDF5 serves as well as the parallel one.  Several threads of each rank
 * read, convert, add up and write (mfft_field_set_threads), with the same files, values, checksums and messages for every
 * number of them.  Only the thread that calls the library calls MPI and HDF5, so that MPI_THREAD_FUNNELED is enough.
 *
 * Axes, boxes and precisions are those of mfft.h.  Arrays are host memory and may be NULL on ranks with an empty box.
 * MFFT_SINGLE and MFFT_DOUBLE arrays are converted from and to what the file stores; other types are not supported.  A
 * finite value that does not fit the narrower type is an error, never a silent infinity. */
#ifndef MFFT_FIELD_H
#define MFFT_FIELD_H

#include "mfft_mpi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MFFT_FIELD_UNITS_BYTES = 64, MFFT_FIELD_NAME_BYTES = 256 };
/* ---- Queries ------------------------------------------------------------------------------------------------------ */

/* The properties of a dataset.  Its attributes take precedence over those of /Header. */
typedef struct mfft_field_info {
  size_t struct_size;                  /* set by mfft_field_info_init */
  char dataset[MFFT_FIELD_NAME_BYTES]; /* the dataset found, named as requested */
  int rank;                            /* 1 to 3 */
  int64_t n[3];                        /* lengths, slow to fast; 1 beyond the rank */
  mfft_precision precision;            /* stored type: MFFT_SINGLE or MFFT_DOUBLE */
  int big_endian;                      /* 1: stored with the most significant byte first */
  int contiguous;                      /* 0: chunked or compact, which is read through HDF5 */
  int checksummed;                     /* 1: reading verifies */
  int has_box_size;   /* 1: BoxSize or Boxsize exists, positive and finite, one number or one for each axis */
  double box_size[3]; /* [rank]; 0: unknown */
  int has_redshift;
  double redshift;
  char units[MFFT_FIELD_UNITS_BYTES]; /* "": unknown */
  /* Of a field made from particles, by the attributes in brackets, which `mergefft density` writes; 0: unknown. */
  int window_order, interlacing;   /* 1 NGP to 4 PCS [WindowOrder]; meshes averaged, 1: one [Interlacing] */
  int centered;                    /* 1: mesh point i is at (i + 1/2) h, not at i h [Centered] */
  double shot_noise;               /* power of that of the contrast, in the unit of box_size [ShotNoise] */
  double omega_m, omega_lambda, h; /* cosmology, as stored; 0: unknown [Omega_m, Omega_Lambda, HubbleParam] */
} mfft_field_info;

MFFT_API void mfft_field_info_init_sized(mfft_field_info *info, size_t struct_size);
static inline void mfft_field_info_init(mfft_field_info *info) { mfft_field_info_init_sized(info, sizeof(mfft_field_info)); }

/* Reads the properties of a dataset but not its data, to `info` of mfft_field_info_init.  dataset NULL or "": the only one
 * of floats or doubles at the root.  Errors: MFFT_ERR_IO if the file cannot be opened; MFFT_ERR_CORRUPT for a damaged one,
 * an attribute Nmesh that contradicts the lengths, or WindowOrder, Interlacing, Centered or ShotNoise out of range;
 * MFFT_ERR_ARG for a group or a missing dataset, with those that exist; MFFT_ERR_UNSUPPORTED for formats that are refused
 * (above); MFFT_ERR_MISMATCH if ranks name different files. */
MFFT_API mfft_status mfft_field_query(MPI_Comm comm, const char *path, const char *dataset, mfft_field_info *info);

/* ---- Threads ------------------------------------------------------------------------------------------------------ */

/* Sets how many threads of this process take part in readings, files and counts that begin afterwards: 1 to 1024, the
 * calling thread among them.  0, as at the start: MFFT_IO_THREADS where that is set and not 0, else this rank's share of the
 * cores of its node: each core of its affinity mask counts as one over the number of ranks on the node whose masks have it;
 * the sum is rounded down and is at least 1.  Not collective, and ranks may differ.  Each thread takes 512 KiB of buffers,
 * at least 1 MiB in all, for as long as the object lives; for several datasets twice that.  MFFT_ERR_ARG for others. */
MFFT_API mfft_status mfft_field_set_threads(int threads);

/* The threads that a reading or a file of this communicator has on this rank, by the rule above.  Collective. */
MFFT_API mfft_status mfft_field_threads(MPI_Comm comm, int *threads);

/* A function of the caller that sees values while they are in cache, for their sum, extremes or a check.  It is called for
 * each piece of a part once, by several threads at the same time and in no particular sequence.
 *
 * worker: names the thread, for results of its own: from 0 to one less than mfft_field_read_workers or
 *   mfft_field_put_workers.  Pieces of a worker differ from run to run: repeatable results are sums of integers, exact sums,
 *   or extremes, combined over workers after the part has been read or put.
 * piece: where the values are in the dataset, a box in C order of at most 256 KiB; pieces of a part do not overlap.
 * values: [extents of the piece, slow to fast] of the precision that begin was given, dense, aligned for their type.
 *   Reading: as they were read, before they are stored in the array of the part.  The visitor may change them, and then the
 *   changed values are stored; checksums are of those that were read.
 *   Writing: as they are in the array of the part.  The visitor must not change them.
 * Any result but MFFT_SUCCESS makes the part fail with it and with the mfft_last_error() of the calling thread.  A visitor
 * must not call MPI, HDF5, or functions with the object that it is called for. */
typedef mfft_status mfft_field_visit(void *context, int worker, const mfft_box *piece, void *values);

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

/* A flag: leaves slabs unverified that the boxes hold only in part, for a thin slice of a huge file. */
enum { MFFT_FIELD_SKIP_PARTIAL = 1 };

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

/* A part in the background: start returns at once and threads read it while the caller does something else, such as planning
 * or computing; wait returns when it is there, and how it ended, and does nothing where no part is under way.  One part is
 * read at a time: a second start, read_part, read_visit and read_end wait for the first, so that of two alternating buffers
 * one is free once the part of the other has been started.  Until then the array must be neither read nor written nor freed.
 * At least one thread works in the background, also where mfft_field_set_threads was given 1.  Chunked and compact datasets
 * are read before start returns, since HDF5 is not for several threads.  Neither is collective.  The call that waits returns
 * a failure, and end tells all ranks.  In between the caller may call MPI, HDF5 and this library, for other objects. */
MFFT_API mfft_status mfft_field_read_start(mfft_field_reading reading, const mfft_box *part, void *data);
MFFT_API mfft_status mfft_field_read_wait(mfft_field_reading reading);

/* Sets what visits the values of all parts from now on; NULL: nothing.  While a visitor is set the `data` of a part may be
 * NULL: its values are read, verified and visited, but not stored.  Not collective. */
MFFT_API mfft_status mfft_field_read_visit(mfft_field_reading reading, mfft_field_visit *visit, void *context);

/* How many workers the visitors of this object have, constant for its life; 0 for NULL.  Not collective. */
MFFT_API int mfft_field_read_workers(mfft_field_reading reading);

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

/* One dataset of a file: its path, such as "phi" or "forces/x", and its units, NULL or "" for none. */
typedef struct mfft_field_dataset {
  const char *name;
  const char *units;
} mfft_field_dataset;

/* An additional number for /Header, such as Omega_m. */
typedef struct mfft_field_attribute {
  const char *name;
  double value;
} mfft_field_attribute;

/* The content of a file.  All datasets have the same shape and type.  Must agree on all ranks. */
typedef struct mfft_field_desc {
  size_t struct_size;       /* set by mfft_field_desc_init */
  int rank;                 /* 1 to 3 [3] */
  int64_t n[3];             /* [rank] lengths, slow to fast, each >= 1 */
  mfft_precision precision; /* stored type: MFFT_SINGLE or MFFT_DOUBLE [MFFT_DOUBLE] */
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

/* Begins a file: creates the partial file, reserves the space of all datasets and writes everything but their values.
 * Errors: MFFT_ERR_IO (no folder, space or permission; an existing target that is neither empty nor an HDF5 file),
 * MFFT_ERR_BUSY while another job writes the same file, MFFT_ERR_ARG, MFFT_ERR_MISMATCH. */
MFFT_API mfft_status mfft_field_create(MPI_Comm comm, const char *path, const mfft_field_desc *desc, mfft_field_file *file);

/* Writes one dataset, by its index in the descriptor's list; each once and in any sequence.  The boxes of all ranks must
 * tile the array.  `data` may be overwritten on return, so several datasets can be computed in one buffer.  After an error
 * the file is unusable and can only be abandoned. */
MFFT_API mfft_status mfft_field_put(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                                    const void *data);

/* The same part by part, as for reading: begin and end are collective, a part is not; the parts of a rank must tile the box
 * of begin, of whose memory order and precision they are.  One dataset is put at a time.  end tells all of a failed part. */
MFFT_API mfft_status mfft_field_put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision);
MFFT_API mfft_status mfft_field_put_part(mfft_field_file file, const mfft_box *part, const void *data);
MFFT_API mfft_status mfft_field_put_end(mfft_field_file file);

/* A part in the background, as mfft_field_read_start and mfft_field_read_wait: so an output is written while the next one is
 * computed in another array (put_begin, put_start, compute, put_end).  The array must not be changed or freed until wait,
 * end, or the next start, put_part or put_visit of this file has returned.  Not collective. */
MFFT_API mfft_status mfft_field_put_start(mfft_field_file file, const mfft_box *part, const void *data);
MFFT_API mfft_status mfft_field_put_wait(mfft_field_file file);

/* Sets what visits the values of the dataset that is being put: from now until put_end; NULL: nothing.  Not collective. */
MFFT_API mfft_status mfft_field_put_visit(mfft_field_file file, mfft_field_visit *visit, void *context);
MFFT_API int mfft_field_put_workers(mfft_field_file file); /* as mfft_field_read_workers */

/* Before end: the checksum (mfft_plan_rows) of what this rank has read, if the file has any, or put.  Not collective. */
MFFT_API mfft_status mfft_field_read_checksum(mfft_field_reading reading, uint64_t *checksum);
MFFT_API mfft_status mfft_field_put_checksum(mfft_field_file file, uint64_t *checksum);

/* Syncs the file to disk, verifies it and renames it to its final name.  Frees the object and sets *file to NULL, also on
 * failure, which removes the partial file.  MFFT_ERR_STATE if a dataset has not been put.  commit_start, which may come some
 * time before, is not collective: it syncs in the background, and reads back too where there are three threads. */
MFFT_API mfft_status mfft_field_commit(mfft_field_file *file);
MFFT_API mfft_status mfft_field_commit_start(mfft_field_file file);

MFFT_API void mfft_field_abandon(mfft_field_file *file); /* removes the partial file, frees, and accepts NULL objects */

/* Creates, puts and commits a file with one dataset. */
MFFT_API mfft_status mfft_field_write(MPI_Comm comm, const char *path, const mfft_field_desc *desc, const mfft_box *box,
                                      mfft_precision precision, const void *data);

/* ---- Copying ------------------------------------------------------------------------------------------------------ */

/* Called by mfft_field_copy before each piece and at the end: `done` of `all` values are copied. */
typedef void mfft_field_progress(void *context, int64_t done, int64_t all);

/* Copies one dataset of an untrusted file, over which HDF5 may crash, hang or take all memory, into a new file that is safe
 * to read, in this process alone, which the caller can limit and end (as `mergefft --untrusted` does).  Not collective; MPI
 * need not be initialised.  Copied are path, values, precision and shape of the dataset, BoxSize, Redshift and units, with
 * new checksums once those of the source have been compared; nothing is synced to disk.  `dataset` is as in
 * mfft_field_query, `progress` and `info` (of the source) may be NULL.  Errors: of mfft_field_read and mfft_field_create. */
MFFT_API mfft_status mfft_field_copy(const char *path, const char *dataset, const char *copy, mfft_field_progress *progress,
                                     void *context, mfft_field_info *info);

/* ---- Checking ----------------------------------------------------------------------------------------------------- */

/* Counts NaN and infinity in the boxes of all ranks.  first: the smallest index in C order of one, -1: none. */
MFFT_API mfft_status mfft_field_count_nonfinite(MPI_Comm comm, const mfft_box *box, mfft_precision precision,
                                                const void *data, int64_t *count, int64_t first[3]);

/* The same for one piece by one thread, in a visitor: `values` are dense in C order of the piece, *count begins at 0, and
 * first, the smallest index so far, is not touched while there is none.  Each worker has its own.  Not collective. */
MFFT_API void mfft_field_find_nonfinite(const mfft_box *piece, mfft_precision precision, const void *values, int64_t *count,
                                        int64_t first[3]);

/* The version of HDF5 in use, such as "1.10.8 (parallel build)".  Not collective. */
MFFT_API const char *mfft_field_hdf5_version(void);

#ifdef __cplusplus
}
#endif
#endif
