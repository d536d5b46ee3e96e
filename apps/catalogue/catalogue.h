/* catalogue.h: a snapshot of particles as the input of a command: which types, the box, the units, and this rank's share of
 * each column. */
#ifndef MFFT_APPS_CATALOGUE_H
#define MFFT_APPS_CATALOGUE_H

#include "cli/cli.h"
#include "mesh/mesh.h"
#include "mfft_particles.h"
#include "mfft_snapshot.h"

/* The options that every command has that reads a snapshot. */
typedef struct mfft_catalogue_options {
  const char *types; /* "1" or "0,1,4"; NULL: all with particles */
  int units;         /* MFFT_LENGTHS_... */
} mfft_catalogue_options;
extern const mfft_cli_option mfft_catalogue_options_table[];

enum { MFFT_LENGTHS_AUTO, MFFT_LENGTHS_STORED, MFFT_LENGTHS_MPC, MFFT_LENGTHS_KPC };

typedef struct mfft_catalogue {
  const char *path;
  mfft_snapshot snapshot;
  mfft_snapshot_info info;
  unsigned types;            /* bit t: type t is read */
  int64_t all, first, count; /* particles of these types; this rank's share: [first, first + count) */
  mfft_snapshot_number
      number;       /* of positions and velocities in memory: FLOAT32 where all types store floats, else FLOAT64 */
  double length[3]; /* [axis] sides of the box as stored */
  double unit;      /* what one stored unit of length is in the unit of the results: Mpc/h, or 1 */
  double to_mpc_h;  /* what it is in comoving Mpc/h; 0: not known */
  double velocity;  /* a stored velocity times this is a peculiar velocity in km/s; 0: not known */
} mfft_catalogue;

/* 1 where `path` is a snapshot, 0 for fields and for what is nothing of both.  Collective. */
mfft_status mfft_catalogue_probe(const char *path, int *is);

/* Opens a snapshot.  boxsize, in the unit of the results, stands for a box that the file does not tell.  Refuses types that
 * are not there and boxes that are not known.  Collective.  close accepts zeroed objects. */
mfft_status mfft_catalogue_open(const char *path, const mfft_catalogue_options *options, const mfft_cli_reals *boxsize,
                                mfft_catalogue *catalogue);
void mfft_catalogue_close(mfft_catalogue *catalogue);

/* This rank's share of a column, [count][components], to be freed with mfft_free.  Collective. */
mfft_status mfft_catalogue_read(const mfft_catalogue *catalogue, const char *name, mfft_snapshot_number number,
                                int components, void **column);

/* Whether all particles have the same mass by the header. */
int mfft_catalogue_equal_masses(const mfft_catalogue *catalogue);

/* The stored mass of a particle of weight 1: the mass that all particles have, or 1 where they differ and are weights. */
double mfft_catalogue_unit_mass(const mfft_catalogue *catalogue);

/* The mesh over the box in the unit of the results.  n: of an option; without it twice as many cells on a side as there are
 * particles along it, rounded up to a product of 2, 3 and 5. */
mfft_mesh mfft_catalogue_mesh(const mfft_catalogue *catalogue, const mfft_cli_sizes *n);

/* Particles are in host memory: the plans of a command that reads a snapshot are of the CPU backend unless the user has
 * named one. */
mfft_plan_options mfft_catalogue_plan_options(const mfft_plan_options *options);

/* "type 1", "types 0, 1 and 4". */
void mfft_catalogue_name_types(const mfft_catalogue *catalogue, char *text, size_t size);

/* A peculiar velocity of 1 km/s is a displacement of so many comoving Mpc/h in redshift space, 1/(100 E(a) a).  omega_m,
 * omega_lambda: of options, NAN where they are those of the file.  Refuses a file without them. */
mfft_status mfft_catalogue_redshift_space(const mfft_catalogue *catalogue, double omega_m, double omega_lambda,
                                          double *mpc_h_per_km_s);

#endif
