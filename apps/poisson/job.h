/* job.h: what `mergefft poisson` is asked for, and one run of it over a field. */
#ifndef MFFT_APPS_POISSON_JOB_H
#define MFFT_APPS_POISSON_JOB_H

#include "cli/timing.h"
#include "io/fields.h"
#include "io/input.h"
#include "io/untrusted.h"
#include "poisson/contrast.h"
#include "poisson/poisson_solver.h"

/* The options. */
typedef struct mfft_poisson_values {
  const char *input[MFFT_FIELDS_MOST], *output, *dataset, *wisdom, *boundary;
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

/* Their words, and the places of --units. */
enum { MFFT_UNITS_PLAIN, MFFT_UNITS_COSMO };
#define MFFT_GREENS_KINDS       "spectral|fd2|fd4"
#define MFFT_GRADIENT_KINDS     "none|spectral|fd4"
#define MFFT_ASSIGN_KINDS       "ngp|cic|tsc|pcs"
#define MFFT_POISSON_PRECISIONS "double|single|half"
#define MFFT_SCALE_FACTOR_MIN   1e-9
#define MFFT_SCALE_FACTOR_MAX   1e9

/* Usage errors that the table of options cannot tell, and whether the results can be written; an exit code.  Collective. */
int mfft_poisson_options_check(const mfft_poisson_values *values);

/* What a file of results holds: phi, and with a gradient the components of the force. */
enum { MFFT_POISSON_OUTPUTS = 4 };
extern const char *const mfft_poisson_output_names[MFFT_POISSON_OUTPUTS];

/* One run of the command over one field.  The solver serves the next field, too, where mesh and precision are the same. */
typedef struct mfft_poisson_job {
  const mfft_poisson_values *v;
  const char *input, *output;
  const char *next; /* the input of the next field, or NULL */
  int several;      /* 1: there are other fields */
  int keeps_mean;   /* 1: the source is the field with its mean */
  int outline;      /* 1: the solver has no arrays */
  mfft_field_info info;
  mfft_mesh mesh;
  double coefficient;
  mfft_poisson solver;
  mfft_mesh solver_mesh;
  mfft_field_file file;
  mfft_poisson_check check;
  mfft_input_found found;
  mfft_poisson_looking look; /* at the output that is being written */
  int writing;               /* 1 + its number while that happens in the background, else 0 */
  double largest_force;      /* magnitude of the components that there are */
  double memory;             /* the largest sum over ranks of arrays and workspace, bytes */
  double copied_s, waited_s; /* by the solver in copies for the fields before */
  double copy_s, overlap; /* of copies between host and device on the slowest rank, and how much of them nobody waited for */
} mfft_poisson_job;

/* Solves for the field of `input`, and prints and describes what it has done: 0, or 1 where that failed, which has been
 * said. Collective. */
int mfft_poisson_job_run(mfft_poisson_job *job);
void mfft_poisson_job_destroy(mfft_poisson_job *job); /* accepts a zeroed one */

/* Plans for `mesh` and `info`, or keeps the solver where it does. */
mfft_status mfft_poisson_make_solver(mfft_poisson_job *job);

/* Parts of it, in results.c: the file of the results; what is printed; what the JSON of --timing tells. */
mfft_status mfft_poisson_create_file(mfft_poisson_job *job);
void mfft_poisson_print(const mfft_poisson_job *job);
void mfft_poisson_describe(const mfft_poisson_job *job);

#endif
