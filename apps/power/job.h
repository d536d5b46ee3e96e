/* job.h: what `mergefft power` is asked for, and one run of it over a field or a snapshot. */
#ifndef MFFT_APPS_POWER_JOB_H
#define MFFT_APPS_POWER_JOB_H

#include "cli/timing.h"
#include "io/fields.h"
#include "io/untrusted.h"
#include "mesh/mesh.h"
#include "power/bins.h"
#include "power/source.h"

/* The options. */
struct mfft_power_values {
  const char *input[MFFT_FIELDS_MOST], *dataset, *output, *json, *cross, *poles, *los, *folds, *plot, *hdf5;
  mfft_cli_reals boxsize;
  mfft_cli_sizes n;
  int field, spacing, assign, compensate, subtract_shot, allow_nonfinite, skip_existing, rsd, like;
  int64_t bins, interlace;
  double kmin, kmax, dk, shot, particles, omega_m, omega_lambda, omega_b, h, ns, sigma8;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;

  /* What is read of them, by mfft_power_options_check: */
  mfft_power_how how; /* with what is left open */
  int ell[MFFT_POLES_MOST], ells;
  double line[3]; /* of sight: a unit vector */
};

#define MFFT_POWER_ASSIGNS       "none|ngp|cic|tsc|pcs"
#define MFFT_POWER_COMPENSATIONS "sinc|jing|none"

/* The table of options, and the checks of what it cannot say: MFFT_EXIT_OK or a usage error that has been told. */
extern const mfft_cli_option mfft_power_options_table[];
int mfft_power_options_check(mfft_power_values *values);

/* The spectrum of one input; the plan serves the next, too, where the mesh is the same. */
typedef struct mfft_power_job {
  const mfft_power_values *p;
  const char *input, *output, *json, *plot, *hdf5; /* names of this input's files, NULL where there are none */
  const char *next;                                /* the next input, or NULL */
  int several;                                     /* 1: there are other inputs */
  mfft_mesh mesh;
  mfft_mesh_plan plan;
  mfft_mesh plan_mesh;
} mfft_power_job;

/* What there is to tell, on rank 0. */
typedef struct mfft_power_result {
  const mfft_power_job *job;
  const mfft_power_values *options;
  mfft_power_source source[2]; /* the second of a cross spectrum */
  int sources;
  mfft_power_how how;
  mfft_bins bins[MFFT_FOLDS_MOST]; /* [how.folds] */
  double limit;                    /* up to here window and aliasing leave 1 %, for fold 1; INFINITY: no window */
  double shot;                     /* NAN: unknown */
} mfft_power_result;

/* Measures the spectrum of `input` and writes its tables: an exit code, after saying what was wrong.  Collective. */
int mfft_power_job_run(mfft_power_job *job);

/* Writes the table, and the JSON where it is asked for; rank 0 does, others return at once. */
mfft_status mfft_power_write(const mfft_power_result *result);

/* Draws P(k) beside linear theory, and their ratio; rank 0 does. */
mfft_status mfft_power_plot(const mfft_power_result *result, const char *path);

/* Writes the columns of the table as datasets of one axis of an HDF5 file.  Collective. */
mfft_status mfft_power_write_hdf5(const mfft_power_result *result, const char *path);

/* The redshift of a source, NAN where it is not known. */
double mfft_power_redshift(const mfft_power_source *source);

#endif
