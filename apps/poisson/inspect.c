/* inspect.c: see inspect.h. */
#include "poisson/inspect.h"

#include <math.h>
#include <stdlib.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/process.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/threads.h"
#include "poisson/solver_rows.h"

/* Adds a row, or a part of one, to the moments; the values themselves are written by others and must not be changed. */
static void inspect_row(const mfft_poisson_inspection *inspection, const void *values, int64_t first,
                        double *row /* [count] */, int64_t count, mfft_poisson_moments *here) {
  mfft_row_load(inspection->precision, values, first, count, row);
  here->largest = fmax(here->largest, mfft_row_magnitude(row, count));
  if (!inspection->project) return;
  for (int64_t i = 0; i < count; i++) row[i] *= inspection->factor;
  const double square = mfft_row_dot(row, row, count);
  mfft_exact_add(&here->squares, &square, 1);
}

/* Whether the output of an axis is projected for the residual, and what its values are multiplied by before they are
 * squared. */
static int projects(const mfft_poisson *p, int axis) { return axis < 0 && p->options.check; }
static double square_factor(const mfft_poisson *p) {
  return p->options.coefficient != 0 ? 1 / fabs(p->options.coefficient) : 1;
}

mfft_status mfft_poisson_inspect_begin(mfft_poisson *p, int axis, int threads, mfft_poisson_inspection *inspection) {
  *inspection =
      (mfft_poisson_inspection){.poisson = p, .project = projects(p, axis), .factor = square_factor(p), .threads = threads};
  mfft_poisson_field(p, &inspection->precision);
  inspection->of_thread = calloc((size_t)threads, sizeof *inspection->of_thread);
  return inspection->of_thread ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to inspect the output by threads");
}

mfft_status mfft_poisson_inspect(void *context, int thread, const mfft_box *piece, void *values) {
  const mfft_poisson_inspection *inspection = context;
  mfft_poisson_moments *here = &inspection->of_thread[thread];
  const int64_t count = mfft_box_side(piece, 2), rows = mfft_box_side(piece, 0) * mfft_box_side(piece, 1);
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  const double start = mfft_process_now();
  for (int64_t r = 0; r < rows; r++) inspect_row(inspection, values, r * count, row, count, here);
  free(row);
  if (!inspection->project) return MFFT_SUCCESS;
  const mfft_status status = mfft_residual_project(&inspection->poisson->residual, MFFT_RESIDUAL_LAPLACIAN, piece,
                                                   inspection->precision, values, &here->share);
  mfft_threads_add(MFFT_PHASE_CHECK, thread, start, mfft_process_now());
  return status;
}

void mfft_poisson_inspect_drop(mfft_poisson_inspection *inspection) {
  free(inspection->of_thread);
  inspection->of_thread = NULL;
}

/* Combines the moments of all ranks. */
static mfft_status combine_ranks(mfft_poisson *p, int project, mfft_status status, mfft_poisson_moments *all,
                                 double *largest) {
  status = mfft_app_agree(status);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_reduce(&all->largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest output");
  *largest = all->largest;
  if (!project) return MFFT_SUCCESS;
  mfft_exact_gather(&all->squares);
  p->phi_rms = sqrt(mfft_exact_value(&all->squares, NULL) / p->cells);
  p->phi_share = all->share;
  return MFFT_SUCCESS;
}

mfft_status mfft_poisson_inspect_end(mfft_poisson_inspection *inspection, mfft_status status, double *largest) {
  mfft_poisson_moments all = {.largest = 0};
  if (inspection->of_thread) mfft_poisson_moments_merge(inspection->of_thread, inspection->threads, &all);
  inspection->of_thread = NULL;
  mfft_threads_book(MFFT_PHASE_WRITE, MFFT_PHASE_CHECK, inspection->beside ? 0 : inspection->threads);
  return combine_ranks(inspection->poisson, inspection->project, status, &all, largest);
}

mfft_status mfft_poisson_inspect_rows(mfft_poisson *p, int axis, double *largest, uint64_t *checksum) {
  const mfft_poisson_rows rows = {
      .factor = square_factor(p), .project = projects(p, axis), .applied = MFFT_RESIDUAL_LAPLACIAN};
  mfft_poisson_moments all;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CHECK);
  mfft_status status = mfft_poisson_pass_rows(p, &rows, &all);
  status = combine_ranks(p, rows.project, status, &all, largest);
  *checksum = all.checksum;
  mfft_phase_enter(before);
  return status;
}
