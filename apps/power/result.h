/* result.h: one run of `mergefft power` over a field or a snapshot, what it has measured, and the files of that. */
#ifndef MFFT_APPS_POWER_RESULT_H
#define MFFT_APPS_POWER_RESULT_H

#include "mesh/mesh.h"
#include "power/bins.h"
#include "power/source.h"

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

/* Whether the rows say how often the box was folded: unless it never was. */
static inline int mfft_power_tells_fold(const mfft_power_result *result) {
  return result->how.folds > 1 || result->how.fold[0] != 1;
}

/* Writes the table, and the JSON if it is requested.  Rank 0 writes; the others return at once. */
mfft_status mfft_power_write(const mfft_power_result *result);

/* Draws P(k) and linear theory, and their ratio.  On rank 0. */
mfft_status mfft_power_plot(const mfft_power_result *result, const char *path);

/* Writes the columns of the table as one-dimensional datasets of an HDF5 file.  Collective. */
mfft_status mfft_power_write_hdf5(const mfft_power_result *result, const char *path);

#endif
