/* run.h: the options of `mergefft poisson`, and the state of one run of it over a field. */
#ifndef MFFT_APPS_POISSON_RUN_H
#define MFFT_APPS_POISSON_RUN_H

#include "cli/timing.h"
#include "io/fields.h"
#include "io/input.h"
#include "io/untrusted.h"
#include "mesh/particle_words.h"
#include "poisson/contrast.h"
#include "poisson/inspect.h"
#include "poisson/poisson_solver.h"

/* Values of the options. */
typedef struct mfft_poisson_values {
  const char *input[MFFT_FIELDS_MOST], *output, *dataset, *wisdom, *boundary, *stop_file;
  mfft_cli_reals boxsize;
  double coefficient, omega_m, scale_factor, asmth, time_limit;
  int field, units, greens, gradient, assign, precision, effort, tune, open_kernel, progress, allow_nonfinite, no_check,
      skip_existing, one_array, dry_run;
  int64_t deconvolve, chunks;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;
} mfft_poisson_values;
extern const mfft_cli_option mfft_poisson_options_table[];

/* Words of options with a choice, and the indices of those of --units. */
enum { MFFT_UNITS_PLAIN, MFFT_UNITS_COSMO };
#define MFFT_GRADIENT_KINDS     "none|spectral|fd4"
#define MFFT_POISSON_PRECISIONS "double|single|half"
#define MFFT_SCALE_FACTOR_MIN   1e-9
#define MFFT_SCALE_FACTOR_MAX   1e9
#define MFFT_OMEGA_M_MIN        1e-6
#define MFFT_OMEGA_M_MAX        1e3

/* Checks combinations of options, which the table of options cannot describe, and whether the results can be written.
 * Returns an exit code.  Collective. */
int mfft_poisson_options_check(const mfft_command *command, const mfft_poisson_values *values);

/* The datasets of a file of results: phi, and with a gradient the components of the force. */
enum { MFFT_POISSON_OUTPUTS = 4 };
extern const char *const mfft_poisson_output_names[MFFT_POISSON_OUTPUTS];

/* One run of the command over one field.  The next field reuses the solver if mesh and precision are the same.
 *
 * If another field follows, the file of the results is committed in the background while the next field is read.  The job is
 * stored in `before`, and completed and reported when the next field has been read or has failed, or at the
 * end.  If the stop file exists by then, the next field is not solved, although it has been read. */
typedef struct mfft_poisson_job {
  const mfft_poisson_values *v;
  const char *input, *output;
  const char *next; /* the input of the next field, or NULL */
  int number;       /* of the field among all, from 0 */
  int several;      /* 1: there are other fields */
  int begun;        /* 1: the job counts the field by itself; 0: it failed before the job ran */
  int stopped;      /* 1: a stop was requested while the field before came to disk, so this one is not solved */
  int keeps_mean;   /* 1: the mean is not removed from the source */
  int outline;      /* 1: the solver allocates no arrays */
  mfft_field_info info;
  mfft_mesh mesh;
  int window_order; /* of mass assignment, that --deconvolve divides by: 1 NGP to 4 PCS */
  double omega_m;   /* of --units cosmo */
  double coefficient;
  mfft_poisson solver;
  mfft_mesh solver_mesh;
  mfft_field_file file;
  mfft_poisson_check check;
  mfft_input_found found;
  mfft_poisson_inspection inspection; /* of the output that is being written */
  int writing;                        /* 1 + number of the output that is written in the background; 0: none */
  double largest_force;               /* largest magnitude of the force components written so far */
  double memory;                      /* bytes of arrays and workspace on the rank that has most */
  double copied_s, waited_s;          /* the solver's times of copies, and of waits for them, at the start of this field */
  struct mfft_poisson_before *before; /* the field before, which is being committed; NULL: none */
  mfft_fields_counts *counts;         /* of all fields, in which each is counted when it has been completed */
  double copy_s, overlap; /* copies between host and device on the slowest rank: seconds, and the overlapped share of them */
} mfft_poisson_job;

#endif
