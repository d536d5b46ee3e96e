/* run.h: one run of `mergefft nbody`: its options and its state. */
#ifndef MFFT_APPS_NBODY_RUN_H
#define MFFT_APPS_NBODY_RUN_H

#include "cli/timing.h"
#include "io/sweep.h"
#include "mesh/mesh.h"
#include "mesh/particle_words.h"
#include "mfft_field.h"
#include "mfft_snapshot.h"
#include "nbody/bodies.h"
#include "nbody/energy.h"
#include "nbody/schedule.h"
#include "nbody/stepping.h"

/* Values of the options. */
typedef struct mfft_nbody_values {
  const char *input, *output, *outputs;
  mfft_cli_sizes n;
  double until, checkpoint, omega_m, omega_lambda;
  int64_t steps, type, deconvolve, files, blocks;
  int spacing, kick, assign, greens, gradient, precision, units, density, power, no_snapshots, no_energy, restart, dry_run;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_timing_options timing;
} mfft_nbody_values;
extern const mfft_cli_option mfft_nbody_options_table[];

#define MFFT_NBODY_UNITS "mpc|kpc"

/* Lengths are comoving Mpc/h, H0 = 1 (100 km/s in a Mpc/h), and the mass of all particles together is 1. */
typedef struct mfft_nbody {
  const mfft_nbody_values *v;
  mfft_field_file owned; /* never finished: its lock keeps other runs from this prefix */
  mfft_snapshot input;   /* the snapshot of the command line; identities are read from it for every output */
  mfft_snapshot_info info;
  int type;                          /* type of the particles */
  int has_ids;                       /* 1: the input has ParticleIDs */
  int wide;                          /* 1: the input has positions in double precision */
  int64_t all;                       /* particles of all ranks */
  double length_unit, velocity_unit; /* units of the input: Mpc/h; momentum p of a stored velocity of 1, at its time */
  double mass_unit;                  /* stored mass times this is in 1e10 solar masses/h; 0: not known */
  double total_mass;                 /* sum of the masses of bodies, or their number if all are equal */
  double total_squares;              /* sum of the squares of these */
  mfft_background background;
  const mfft_stepping *stepping;
  mfft_nbody_schedule schedule;
  mfft_mesh mesh;
  mfft_plan plan;
  mfft_particle_mesh particle_mesh;
  mfft_bodies bodies;
  mfft_energy energy;
  double mark; /* number of the settings, by which a checkpoint shows that it is of them */
  int step;    /* number of the next step */
} mfft_nbody;

/* Makes the files of the prefix those of this run until close, and refuses a prefix with a checkpoint unless --restart is
 * given (own.c).  Collective. */
mfft_status mfft_nbody_own(mfft_nbody *run);

/* Opens the snapshot, checks the options, and makes the background, the schedule and the mesh (setup.c). */
mfft_status mfft_nbody_open(mfft_nbody *run);
mfft_status mfft_nbody_plan(mfft_nbody *run);

/* After open: an exit code, and if it is not MFFT_EXIT_OK an error message has been printed for an output that cannot be
 * written, or would replace a file of the input or of --timing (outputs.c).  Collective. */
int mfft_nbody_check_outputs(const mfft_command *command, const mfft_nbody *run);
void mfft_nbody_close(mfft_nbody *run);

/* Whether a run on a backend has the same bits on any number of ranks. */
int mfft_nbody_reproduces(const char *backend);

/* Whether the transforms of a run on a backend are in place: with the gradient on the mesh, and on CPUs.  On GPUs the others
 * would be slower: they copy the spectrum before each transform. */
int mfft_nbody_in_place(const mfft_nbody_values *values, const char *backend);

/* The parts into which several ranks divide a transform in place (mfft_particle_mesh_desc.blocks), by --blocks or a default;
 * 0: the plan transforms. */
int mfft_nbody_blocks(const mfft_nbody_values *values, const char *backend);

/* Reads the particles from the snapshot (load.c) or from the checkpoint of the run (checkpoint.c) to their owners. */
mfft_status mfft_nbody_load(mfft_nbody *run);
mfft_status mfft_nbody_resume(mfft_nbody *run);

/* For COLA, while positions and momenta of the particles [first, first + count) of the snapshot are read: finds the LPT
 * displacements in them, and leaves the momenta beyond LPT (lpt.c).  Refuses particles that are no lattice of `mergefft ic`.
 * Collective. */
mfft_status mfft_nbody_split_lpt(mfft_nbody *run, int64_t first, int64_t count);

/* Computes the total mass from the masses of the particles.  Collective. */
mfft_status mfft_nbody_total(mfft_nbody *run);

/* --dry-run, after open and plan: prints what the run needs and takes (estimate.c).  Collective. */
mfft_status mfft_nbody_estimate(const mfft_nbody *run);

/* Notes if the disk has less space than the outputs that are still to be written will take.  Collective. */
void mfft_nbody_compare_disk(const mfft_nbody *run);

/* step: does one step, from schedule.a[step] to the next (step.c), and adds the energies at its end, or for drift-kick-drift
 * in its middle, to run->energy.  begin: computes what the first step after a start or restart needs. */
mfft_status mfft_nbody_begin(mfft_nbody *run);
mfft_status mfft_nbody_step(mfft_nbody *run);

/* Write the results at schedule.a[step]: a snapshot (write.c), the density and its power spectrum (fields.c). */
mfft_status mfft_nbody_write(mfft_nbody *run);
mfft_status mfft_nbody_write_fields(mfft_nbody *run, const char *stem);

/* The header of a snapshot at scale factor a. */
mfft_snapshot_info mfft_nbody_header(const mfft_nbody *run, double a);

/* The checkpoint after schedule.a[step], complete or absent; removed at the end of a run (checkpoint.c). */
mfft_status mfft_nbody_checkpoint(mfft_nbody *run);
void mfft_nbody_remove_checkpoint(mfft_nbody *run);

/* The snapshot and the options, one a line, that a restart must share: saved at the start of a run, compared at a restart
 * (settings.c).  Both set run->mark.  Collective. */
mfft_status mfft_nbody_settings_save(mfft_nbody *run);
mfft_status mfft_nbody_settings_compare(mfft_nbody *run);

/* The redshift at the start of a step as in names of files: "z0.500". */
enum { MFFT_NBODY_REDSHIFT_BYTES = 32 };
void mfft_nbody_redshift(const mfft_nbody_schedule *schedule, int step, char text[MFFT_NBODY_REDSHIFT_BYTES]);

/* Writes the name PREFIX-WORDS of a file of the run to `name`; MFFT_ERR_ARG if it is too long. */
enum { MFFT_NBODY_NAME_BYTES = 4096 };
mfft_status mfft_nbody_name(const mfft_nbody_values *values, const char *words, char name[MFFT_NBODY_NAME_BYTES]);

#endif
