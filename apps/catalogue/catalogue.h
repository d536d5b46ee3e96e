/* catalogue.h: a snapshot of particles as the input of a command: the selected types, the box, the units, and this rank's
 * share of each column. */
#ifndef MFFT_APPS_CATALOGUE_H
#define MFFT_APPS_CATALOGUE_H

#include "cli/cli.h"
#include "mesh/mesh.h"
#include "mfft_particles.h"
#include "mfft_snapshot.h"

/* Options of every command that reads a snapshot. */
typedef struct mfft_catalogue_options {
  const char *types; /* "1" or "0,1,4"; NULL: all types with particles */
  int units;         /* MFFT_LENGTHS_... */
  int unweighted;    /* 1: every particle counts as a mass of 1 */
} mfft_catalogue_options;
extern const mfft_cli_option mfft_catalogue_options_table[];

enum { MFFT_LENGTHS_AUTO, MFFT_LENGTHS_STORED, MFFT_LENGTHS_MPC, MFFT_LENGTHS_KPC };

typedef struct mfft_catalogue {
  const char *path;
  int unweighted; /* as in the options */
  mfft_snapshot snapshot;
  mfft_snapshot_info info;
  unsigned types;            /* bit t: type t is read */
  int64_t all, first, count; /* particles of these types; this rank's share: [first, first + count) */
  mfft_snapshot_number
      number;       /* positions and velocities in memory: FLOAT32 if all types store positions so, otherwise FLOAT64 */
  double length[3]; /* [axis] sides of the box as stored */
  double unit;      /* factor from stored lengths to lengths of the results: Mpc/h, or 1 for stored ones */
  double to_mpc_h;  /* factor from stored lengths to comoving Mpc/h; 0: not known */
  double velocity;  /* factor from stored velocities to peculiar velocities in km/s; 0: not known */
} mfft_catalogue;

/* *is: 1 if `path` is a snapshot, 0 for fields and other files.  Collective. */
mfft_status mfft_catalogue_probe(const char *path, int *is);

/* *to_mpc_h: the factor from stored lengths to comoving Mpc/h that the file states, or else the option; 0: neither does.
 * units: MFFT_LENGTHS_....  MFFT_ERR_ARG if the option contradicts the file.  Not collective. */
mfft_status mfft_catalogue_length_unit(const char *path, const mfft_snapshot_info *info, int units, double *to_mpc_h);

/* The factor from velocities in GADGET's files to peculiar ones, as mfft_snapshot.h takes it: sqrt(a), or 1 in a run without
 * expansion, whose Redshift is 0 at any Time.  Not collective. */
double mfft_catalogue_gadget_root(const mfft_snapshot_info *info);

/* How far from the middle of a periodic box a position may be.  No code lets a particle drift out of it by more than its
 * side, so that what is beyond is damaged, or has another unit than the box.  side_in_file: that of the file, which counts
 * too where the user gives another one, since particles are then to be wrapped. */
static inline double mfft_catalogue_reach(double side, double side_in_file) {
  return side / 2 + (side > side_in_file ? side : side_in_file);
}

/* Opens a snapshot.  boxsize: sides of the box in the unit of the results, instead of those of the file.  MFFT_ERR_ARG if a
 * type has no particles, if the box is not known, if --units contradicts the file or if its Time and Redshift contradict
 * each other.  Collective.  close accepts zeroed objects. */
mfft_status mfft_catalogue_open(const char *path, const mfft_catalogue_options *options, const mfft_cli_reals *boxsize,
                                mfft_catalogue *catalogue);
void mfft_catalogue_close(mfft_catalogue *catalogue);

/* Reads this rank's share of a column, [count][components]; the caller frees it with mfft_free.  Collective. */
mfft_status mfft_catalogue_read(const mfft_catalogue *catalogue, const char *name, mfft_snapshot_number number,
                                int components, void **column);

/* Bytes of a number as it is stored. */
size_t mfft_catalogue_number_bytes(mfft_snapshot_number number);

/* Bytes of the positions, masses that differ, and velocities of all particles in the files, for --dry-run: positions alone
 * where velocity is 0 and masses are equal. */
double mfft_catalogue_bytes(const mfft_catalogue *catalogue, int velocity);

/* Whether all particles have the same mass, according to the header, or 1 each. */
int mfft_catalogue_equal_masses(const mfft_catalogue *catalogue);

/* Refuses a total mass that no density can be divided by: MFFT_ERR_ARG.  Not collective. */
mfft_status mfft_catalogue_check_total(const mfft_catalogue *catalogue, double mass);

/* The stored mass of a particle of weight 1: the mass of every particle, or 1 if masses differ and are the weights. */
double mfft_catalogue_unit_mass(const mfft_catalogue *catalogue);

/* The mesh over the box, in the unit of the results.  n: option --n; without it there are twice as many cells along a side
 * as particles, rounded up to a product of 2, 3 and 5. */
mfft_mesh mfft_catalogue_mesh(const mfft_catalogue *catalogue, const mfft_cli_sizes *n);

/* Options of a plan for particles, which are in host memory: the CPU backend, unless the user has named another. */
mfft_plan_options mfft_catalogue_plan_options(const mfft_plan_options *options);

/* Writes the selected types in words: "type 1", "types 0, 1 and 4". */
void mfft_catalogue_name_types(const mfft_catalogue *catalogue, char *text, size_t size);

/* Computes the displacement in redshift space by a peculiar velocity of 1 km/s, in comoving Mpc/h: 1/(100 E(a) a).  omega_m,
 * omega_lambda: options; NAN: values of the file.  MFFT_ERR_ARG if the file does not have them. */
mfft_status mfft_catalogue_redshift_space(const mfft_catalogue *catalogue, double omega_m, double omega_lambda,
                                          double *mpc_h_per_km_s);

#endif
