/* run.h: one run of `mergefft nbody`: what it is asked for, and what it holds. */
#ifndef MFFT_APPS_NBODY_RUN_H
#define MFFT_APPS_NBODY_RUN_H

#include "cli/timing.h"
#include "io/sweep.h"
#include "mesh/mesh.h"
#include "mfft_snapshot.h"
#include "nbody/bodies.h"
#include "nbody/energy.h"
#include "nbody/schedule.h"
#include "nbody/stepping.h"

/* The options. */
typedef struct mfft_nbody_values {
  const char *input, *output, *outputs;
  mfft_cli_sizes n;
  double until, checkpoint, omega_m, omega_lambda;
  int64_t steps, type, deconvolve;
  int spacing, kick, assign, greens, gradient, precision, units, density, power, no_snapshots, no_energy, restart;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} mfft_nbody_values;
extern const mfft_cli_option mfft_nbody_options_table[];

#define MFFT_NBODY_ASSIGNS "ngp|cic|tsc|pcs"
#define MFFT_NBODY_UNITS   "mpc|kpc"

/* As the enumerations of mfft_particles.h. */
#define MFFT_NBODY_GREENS    "spectral|fd2|fd4"
#define MFFT_NBODY_GRADIENTS "fd4|spectral"

/* Lengths are comoving Mpc/h, H0 = 1 (100 km/s in a Mpc/h), and the mass of all particles together is 1. */
typedef struct mfft_nbody {
  const mfft_nbody_values *v;
  mfft_snapshot input; /* the snapshot of the command line; identities are read from it for every output */
  mfft_snapshot_info info;
  int type;                          /* of particles */
  int has_ids;                       /* 1: the input has ParticleIDs */
  int64_t all;                       /* particles */
  double length_unit, velocity_unit; /* of the input: Mpc/h; momentum p for a stored velocity of 1, at its time */
  double mass_unit;                  /* stored mass times this is in 1e10 solar masses/h; 0: not known */
  double total_mass;                 /* of all particles, as stored; only where masses differ */
  mfft_background background;
  const mfft_stepping *stepping;
  mfft_schedule schedule;
  mfft_mesh mesh;
  mfft_plan plan;
  mfft_particle_mesh particle_mesh;
  mfft_bodies bodies;
  mfft_energy energy;
  int step; /* the next one to do */
} mfft_nbody;

/* Looks at the snapshot and the options, and makes the background, the schedule and the mesh (setup.c). */
mfft_status mfft_nbody_open(mfft_nbody *run);
mfft_status mfft_nbody_plan(mfft_nbody *run);
void mfft_nbody_close(mfft_nbody *run);

/* Particles from the snapshot (load.c) or from the run's checkpoint (checkpoint.c), on the ranks that own them. */
mfft_status mfft_nbody_load(mfft_nbody *run);
mfft_status mfft_nbody_resume(mfft_nbody *run);

/* The mass of all particles, from their masses.  Collective. */
mfft_status mfft_nbody_total(mfft_nbody *run);

/* One step: from schedule.a[step] to the next (step.c).  What it needs at the start of a run or after a restart is made by
 * begin.  The energies of the particles at the end of the step, or for drift-kick-drift in its middle, go to run->energy. */
mfft_status mfft_nbody_begin(mfft_nbody *run);
mfft_status mfft_nbody_step(mfft_nbody *run);

/* Results at schedule.a[step] (write.c, fields.c): a snapshot, the density and its power spectrum. */
mfft_status mfft_nbody_write(mfft_nbody *run);
mfft_status mfft_nbody_write_fields(mfft_nbody *run, const char *stem);

/* The header of a snapshot at a. */
mfft_snapshot_info mfft_nbody_header(const mfft_nbody *run, double a);

/* What is needed to go on after schedule.a[step], whole or absent; removed when a run is done (checkpoint.c). */
mfft_status mfft_nbody_checkpoint(mfft_nbody *run);
void mfft_nbody_forget(mfft_nbody *run);

/* The options that a restart must share, one a line: saved when a run begins, compared by resume (settings.c). */
mfft_status mfft_nbody_settings_save(const mfft_nbody *run);
mfft_status mfft_nbody_settings_compare(const mfft_nbody *run);

/* The redshift of a step's beginning as it is in names of files: "z0.500". */
enum { MFFT_NBODY_REDSHIFT_BYTES = 32 };
void mfft_nbody_redshift(const mfft_schedule *schedule, int step, char text[MFFT_NBODY_REDSHIFT_BYTES]);

/* The name PREFIX-WORDS of a file of the run, in `name`: MFFT_ERR_ARG where it is too long. */
enum { MFFT_NBODY_NAME_BYTES = 4096 };
mfft_status mfft_nbody_name(const mfft_nbody_values *values, const char *words, char name[MFFT_NBODY_NAME_BYTES]);

#endif
