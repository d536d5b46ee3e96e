/* mfft_snapshot.h: snapshots of particles in files, read and written by all ranks together.
 *
 * A snapshot is a header and, for each type of particle, columns: one number or a vector for each particle.  It is one file
 * or a set of files of any sizes, each with its share of the particles of every type.  Read are
 *
 *     GADGET HDF5 (GADGET-2, 3 and 4, AREPO, SWIFT, monofonIC and others): attributes of /Header of any integer or
 *         floating-point type and of any length up to 16 types; columns are the datasets of /PartType0, /PartType1 ...
 *     GADGET binary formats 1 and 2 of either byte order, single or double, with the header of GADGET-2
 *
 * and GADGET HDF5 is written, in one file or in a set.
 *
 * Places.  The particles of a type lie in the order of the files of the set, and in the order of the file within each.
 * Several types are counted one after the other, type 0 first: so a particle has one global index among the types that are
 * asked for, and any number of ranks finds it there.
 *
 * Columns.  Names are those of GADGET HDF5: Coordinates, Velocities, ParticleIDs, Masses, Potential, Acceleration, and any
 * other dataset of a group with IEEE floats or integers of 32 or 64 bits, of either byte order, contiguous or chunked as
 * mfft_field.h says of fields.  Format 1 holds Coordinates, Velocities, ParticleIDs, Masses and, of gas, InternalEnergy,
 * Density and SmoothingLength, in this sequence; format 2 names its blocks, and Potential and Acceleration are known there
 * too.  Masses of a type that has a mass in the header are that mass, also where a file has the column too, as GADGET and yt
 * take it.  Values are given as they are stored.
 *
 * Units are comoving: a stored length times length_mpc_h is in comoving Mpc/h, a stored mass times mass_1e10_msun_h in
 * 1e10 solar masses/h, a stored velocity times velocity_km_s is a peculiar velocity in km/s (GADGET stores the peculiar
 * velocity over sqrt(a), SWIFT the peculiar velocity).  They come from the file: /Parameters of GADGET-4, attributes
 * UnitLength_in_cm and so on of /Header, or /Units and /Cosmology of SWIFT.  0 stands for what a file does not say.  A
 * megaparsec is 3.085678e24 cm and a solar mass 1.989e33 g, as in GADGET, for reading and for writing; other programs have
 * other digits of both, so that a unit within 1e-6 of a power of ten of Mpc (of mass: within 1e-3 of a power of ten solar
 * masses) counts as that power.
 *
 * Safety.  What a file claims is checked before a value is read: counts against the sizes of datasets, blocks and files, the
 * header of each file of a set against that of the first, the sum of all files against the totals.  A file that is missing,
 * damaged or of another snapshot is named.  External links, virtual datasets and foreign filters are refused, as for fields.
 *
 * Writing is all or nothing, with checksums in /Checksum, as mfft_field.h describes; mfft_snapshot_read verifies them.  The
 * files are the same, byte for byte, for every number of ranks.  docs/snapshots.md lists all that is written, and for whom.
 *
 * Every call with a communicator or an object is collective unless it says otherwise, returns the same status on every rank
 * and is not thread-safe, since HDF5 is not.  Arrays are host memory.  All ranks must see the same folder.
 */
#ifndef MFFT_SNAPSHOT_H
#define MFFT_SNAPSHOT_H

#include "mfft_mpi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MFFT_SNAPSHOT_TYPES = 16,     /* types of particles; GADGET has 6: gas, dark matter, disk, bulge, stars, black holes */
  MFFT_SNAPSHOT_NAME_BYTES = 64 /* of the name of a column */
};

typedef enum mfft_snapshot_format {
  MFFT_SNAPSHOT_HDF5 = 0,
  MFFT_SNAPSHOT_GADGET1,
  MFFT_SNAPSHOT_GADGET2,
  MFFT_SNAPSHOT_FORMAT_COUNT
} mfft_snapshot_format;

/* The type of the numbers of a column.  Arrays in memory are FLOAT32, FLOAT64, INT64 or UINT64. */
typedef enum mfft_snapshot_number {
  MFFT_SNAPSHOT_FLOAT32 = 0,
  MFFT_SNAPSHOT_FLOAT64,
  MFFT_SNAPSHOT_INT32,
  MFFT_SNAPSHOT_INT64,
  MFFT_SNAPSHOT_UINT32,
  MFFT_SNAPSHOT_UINT64,
  MFFT_SNAPSHOT_NUMBER_COUNT
} mfft_snapshot_number;

/* The header: what a snapshot says of itself, and what a new one will say. */
typedef struct mfft_snapshot_info {
  size_t struct_size;                 /* set by mfft_snapshot_info_init */
  int types;                          /* 1 to MFFT_SNAPSHOT_TYPES [6] */
  int64_t count[MFFT_SNAPSHOT_TYPES]; /* [types] particles of each type, in all files */
  double mass[MFFT_SNAPSHOT_TYPES];   /* [types] of every particle of a type; 0: the column Masses has them */
  double box_size[3];                 /* sides of the periodic box in units of length; 0: unknown, or not periodic */
  double time, redshift;              /* time: the scale factor a of a cosmological run [1, 0] */
  int has_cosmology;                  /* 1: the next three are known [0] */
  double omega_m, omega_lambda, h;    /* h: the Hubble constant today over 100 km/s/Mpc */
  double length_mpc_h, mass_1e10_msun_h, velocity_km_s; /* see Units above; 0: unknown */

  /* Of what was opened; not looked at for writing. */
  mfft_snapshot_format format;
  int files;      /* of the set */
  int big_endian; /* of a binary format: most significant byte first */
} mfft_snapshot_info;

MFFT_API void mfft_snapshot_info_init_sized(mfft_snapshot_info *info, size_t struct_size);
static inline void mfft_snapshot_info_init(mfft_snapshot_info *info) {
  mfft_snapshot_info_init_sized(info, sizeof(mfft_snapshot_info));
}

/* A column of a type of particles. */
typedef struct mfft_snapshot_column {
  int type; /* of particle, 0 to types - 1 */
  char name[MFFT_SNAPSHOT_NAME_BYTES];
  int components;              /* numbers of one particle, such as 3; at most 4096 */
  mfft_snapshot_number number; /* as stored */
} mfft_snapshot_column;

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

typedef struct mfft_snapshot_s *mfft_snapshot;

/* Opens a snapshot and reads the headers of all its files.  `path` names the file, any file of a set (snapshot_007.3.hdf5),
 * or the set (snapshot_007, for snapshot_007.hdf5, snapshot_007.0.hdf5 or snapshot_007.0).  Errors: MFFT_ERR_IO where a file
 * cannot be opened, MFFT_ERR_CORRUPT where one is damaged or contradicts itself or the set, MFFT_ERR_UNSUPPORTED,
 * MFFT_ERR_MISMATCH where ranks name different files.  close frees the object and sets it to NULL; it accepts NULL. */
MFFT_API mfft_status mfft_snapshot_open(MPI_Comm comm, const char *path, mfft_snapshot *snapshot);
MFFT_API void mfft_snapshot_close(mfft_snapshot *snapshot);

/* Whether `path` names a snapshot, for callers that take fields too: *is becomes 1 where there is such a file or set whose
 * header can be read, and for any file that begins as a GADGET binary file does, else 0, as where there is no file.  Rank 0
 * looks, at one file.  Errors: MFFT_ERR_ARG, MFFT_ERR_MISMATCH, those of MPI. */
MFFT_API mfft_status mfft_snapshot_probe(MPI_Comm comm, const char *path, int *is);

/* Whether `file` is one of the files of the snapshot that `path` names as above, in any spelling of its folder, so that a
 * program does not write its results over its input: *is becomes 1 or 0; 0 also where there is no such snapshot.  Not
 * collective. Errors: MFFT_ERR_ARG. */
MFFT_API mfft_status mfft_snapshot_has_file(const char *path, const char *file, int *is);

/* The header.  `info` was initialised.  Not collective. */
MFFT_API mfft_status mfft_snapshot_query(mfft_snapshot snapshot, mfft_snapshot_info *info);

/* The columns of a type that can be read, from the first file with particles of it, by name: up to `most` are stored, *count
 * is how many there are.  Datasets of other types and shapes are left out. */
MFFT_API mfft_status mfft_snapshot_columns(mfft_snapshot snapshot, int type, mfft_snapshot_column *column /* [most] */,
                                           int most, int *count);

/* The equal share of this rank of the particles of the types whose bits are set in `types` (1u << 1: type 1; 0: all types):
 * those with global indices [*first, *first + *count), and *all: how many there are.  Not collective. */
MFFT_API mfft_status mfft_snapshot_share(mfft_snapshot snapshot, unsigned types, int64_t *first, int64_t *count,
                                         int64_t *all);

/* Reads a column of the particles [first, first + count) of the types: any range on each rank, and also none.  All types
 * with particles must have the column with as many components.  `number` is that of the array; floats and integers are not
 * mixed.  `data` [count][components]; NULL where count is 0.  The last argument, components, is what the caller reckons
 * with.  Errors: MFFT_ERR_ARG for a missing column (the text lists what is there) and for a range beyond the particles,
 * MFFT_ERR_CORRUPT for a file that does not hold what its header says, and for a checksum that does not match;
 * MFFT_ERR_NONFINITE for values that do not fit single precision, MFFT_ERR_UNSUPPORTED for integers that do not fit.  After
 * an error the content of `data` is undefined. */
MFFT_API mfft_status mfft_snapshot_read(mfft_snapshot snapshot, unsigned types, const char *name, int64_t first,
                                        int64_t count, mfft_snapshot_number number, int components, void *data);

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

typedef struct mfft_snapshot_file_s *mfft_snapshot_file;

/* Starts a file: makes the partial one, reserves the space of all columns, and writes everything but their values.  All
 * arguments are the same on all ranks.  A type with particles needs Coordinates; it needs a mass in the header or a column
 * Masses.  Errors: as mfft_field_create. */
MFFT_API mfft_status mfft_snapshot_create(MPI_Comm comm, const char *path, const mfft_snapshot_info *info,
                                          const mfft_snapshot_column *column /* [column_count] */, int column_count,
                                          mfft_snapshot_file *file);

/* Starts a set of `files` files, 1 to 256, each with an equal share of the particles of every type, in their sequence:
 * BASE.0.hdf5, BASE.1.hdf5 and so on for a path BASE.hdf5 or BASE; 1: the file `path`, as above.  The files get their names
 * when all are verified, the first one last, and an older first file is removed before: a set whose first file is there is
 * whole.  Refuses with MFFT_ERR_ARG more files than particles, and a path where there is a single file BASE.hdf5, which
 * would be read in place of the set. */
MFFT_API mfft_status mfft_snapshot_create_set(MPI_Comm comm, const char *path, const mfft_snapshot_info *info,
                                              const mfft_snapshot_column *column /* [column_count] */, int column_count,
                                              int files, mfft_snapshot_file *file);

/* Writes a column, named by its place in the list, each once and in any sequence: this rank has the particles [first, first
 * + count) of the type, and the ranges of all ranks together are all of them, each once.  `number` is that of `data`
 * [count][components].  After an error the file is unusable and can only be abandoned.  Errors: MFFT_ERR_ARG for ranges
 * that leave a gap or meet; MFFT_ERR_NONFINITE and MFFT_ERR_UNSUPPORTED as for reading. */
MFFT_API mfft_status mfft_snapshot_put(mfft_snapshot_file file, int column, int64_t first, int64_t count,
                                       mfft_snapshot_number number, const void *data);

/* Brings the file to disk, reads every value back against the checksums and gives it its name.  Frees the object and sets
 * *file to NULL, also on failure, when the partial file is removed.  abandon removes the partial file; it accepts NULL. */
MFFT_API mfft_status mfft_snapshot_commit(mfft_snapshot_file *file);
MFFT_API void mfft_snapshot_abandon(mfft_snapshot_file *file);

#ifdef __cplusplus
}
#endif
#endif
