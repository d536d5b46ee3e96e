/* job.h: the options of `mergefft power`, and one run of it over a field or a snapshot. */
#ifndef MFFT_APPS_POWER_JOB_H
#define MFFT_APPS_POWER_JOB_H

#include "cli/timing.h"
#include "io/fields.h"
#include "io/untrusted.h"
#include "mesh/mesh.h"
#include "power/bins.h"
#include "power/source.h"

/* Values of the options. */
struct mfft_power_values {
  const char *input[MFFT_FIELDS_MOST], *dataset, *output, *json, *cross, *poles, *los, *folds, *plot, *spectrum, *hdf5,
      *stop_file;
  mfft_cli_reals boxsize;
  mfft_cli_sizes n;
  int field, spacing, assign, compensate, subtract_shot, allow_nonfinite, skip_existing, rsd, like, dry_run;
  int64_t bins, interlace;
  double kmin, kmax, dk, shot, particles, omega_m, omega_lambda, omega_b, h, ns, sigma8, spectrum_z;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;

  /* Set by mfft_power_options_check: */
  mfft_power_how how; /* -1 for values that the options do not give */
  int ell[MFFT_POLES_MOST], ells;
  double line[3]; /* line of sight, a unit vector */
};

#define MFFT_POWER_ASSIGNS       "none|ngp|cic|tsc|pcs"
#define MFFT_POWER_COMPENSATIONS "sinc|jing|none"

/* The table of options, and the checks of combinations that it cannot describe.  Returns MFFT_EXIT_OK, or the exit code of
 * a usage error that has been printed. */
extern const mfft_cli_option mfft_power_options_table[];
int mfft_power_options_check(mfft_power_values *values);

/* The spectrum of one input.  The next input reuses the plan if its mesh is the same. */
typedef struct mfft_power_job {
  const mfft_power_values *p;
  const char *input, *output, *json, *plot, *hdf5; /* names of this input's files; NULL: none */
  const char *next;                                /* the next input, or NULL */
  int several;                                     /* 1: there are other inputs */
  mfft_mesh mesh;
  mfft_mesh_plan plan;
  mfft_mesh plan_mesh;
} mfft_power_job;

/* Result of a job, on rank 0. */
typedef struct mfft_power_result {
  const mfft_power_job *job;
  const mfft_power_values *options;
  mfft_power_source source[2]; /* [sources] two for a cross spectrum */
  int sources;
  mfft_power_how how;
  mfft_bins bins[MFFT_FOLDS_MOST]; /* [how.folds] */
  double limit;                    /* mfft_power_limit, for fold 1 */
  double shot;                     /* NAN: unknown */
} mfft_power_result;

/* Measures the spectrum of `input` and writes its tables.  Returns an exit code; errors have been printed.  Collective. */
int mfft_power_job_run(mfft_power_job *job);

/* Writes the table, and the JSON if it is requested.  Rank 0 writes; the others return at once. */
mfft_status mfft_power_write(const mfft_power_result *result);

/* Draws P(k) and linear theory, and their ratio.  On rank 0. */
mfft_status mfft_power_plot(const mfft_power_result *result, const char *path);

/* Writes the columns of the table as one-dimensional datasets of an HDF5 file.  Collective. */
mfft_status mfft_power_write_hdf5(const mfft_power_result *result, const char *path);

/* The redshift of a source; NAN: not known. */
double mfft_power_redshift(const mfft_power_source *source);

#endif
