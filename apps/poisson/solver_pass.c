/* solver_pass.c: see solver_pass.h. */
#include "poisson/solver_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/process.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/threads.h"
#include "poisson/solver_rows.h"

enum { PIECE_CELLS = 1 << 15 }; /* cells of a piece, the unit of work of a thread, if a row has no more */

/* Converts row `r` of the part and adds it to the moments. */
static void convert_row(const mfft_poisson_pass *pass, int64_t r, double *row /* [count] */, int64_t count,
                        mfft_poisson_moments *here) {
  mfft_row_load(pass->from, pass->part_source, r * count, count, row);
  for (int64_t i = 0; i < count; i++) row[i] = ((row[i] - pass->shift[0]) - pass->shift[1]) * pass->factor;
  const double square = mfft_row_dot(row, row, count);
  mfft_exact_add(&here->squares, &square, 1);
  here->largest = fmax(here->largest, mfft_row_magnitude(row, count));
  mfft_row_store(pass->to, pass->part_target, r * count, count, row);
}

/* Projects rows first to end - 1 of a part, plane by plane, since a piece may begin and end within a plane. */
static mfft_status project_rows(const mfft_poisson_pass *pass, int64_t first, int64_t end, mfft_projection *share) {
  const mfft_box *part = pass->part;
  const int64_t rows = mfft_box_side(part, 1), row_bytes = mfft_box_side(part, 2) * (int64_t)mfft_real_bytes(pass->to);
  for (int64_t r = first, more; r < end; r += more) {
    const int64_t x = r / rows, y = r % rows;
    more = rows - y < end - r ? rows - y : end - r;
    const mfft_box some = {{part->lo[0] + x, part->lo[1] + y, part->lo[2]},
                           {part->lo[0] + x + 1, part->lo[1] + y + more, part->hi[2]},
                           {0, 1, 2}};
    const mfft_status status = mfft_residual_project(&pass->p->residual, MFFT_RESIDUAL_FILTER, &some, pass->to,
                                                     (char *)pass->part_target + r * row_bytes, share);
    if (status != MFFT_SUCCESS) return status;
  }
  return MFFT_SUCCESS;
}

static mfft_status pass_piece(void *context, int64_t piece, int thread) {
  const mfft_poisson_pass *pass = context;
  mfft_poisson_moments *here = &pass->of_thread[thread];
  const int64_t count = mfft_box_side(pass->part, 2), rows = mfft_box_side(pass->part, 0) * mfft_box_side(pass->part, 1);
  const int64_t first = piece * pass->rows_each, last = first + pass->rows_each, end = last < rows ? last : rows;
  double *row = malloc((size_t)(count + 1) * sizeof(double));
  if (!row) return MFFT_ERR_MEMORY;
  const double start = mfft_process_now();
  for (int64_t r = first; r < end; r++) convert_row(pass, r, row, count, here);
  free(row);
  const double converted = mfft_process_now();
  if (thread) mfft_phase_span_add(thread, MFFT_PHASE_CENTRE, start, converted);
  if (!pass->project) return MFFT_SUCCESS;
  const mfft_status status = project_rows(pass, first, end, &here->share);
  mfft_threads_add(MFFT_PHASE_CHECK, thread, converted, mfft_process_now());
  return status;
}

static mfft_status pass_part(void *context, const mfft_box *part, void *data) {
  mfft_poisson_pass *pass = context;
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  pass->part = part;
  pass->part_source = pass->source(pass->p, part, data);
  pass->part_target = pass->target(pass->p, part, data);
  pass->rows_each = count < PIECE_CELLS ? PIECE_CELLS / (count ? count : 1) : 1;
  const int64_t pieces = (rows + pass->rows_each - 1) / pass->rows_each;
  const mfft_status status = mfft_workers_run(mfft_threads_pool(), pieces, pass_piece, pass);
  return status == MFFT_ERR_MEMORY ? mfft_app_fail(status, "no memory for a row of the field") : status;
}

void *mfft_poisson_in_part(const mfft_poisson *p, const mfft_box *part, void *data) {
  (void)p, (void)part;
  return data;
}

void *mfft_poisson_in_wide(const mfft_poisson *p, const mfft_box *part, void *data) {
  (void)data;
  const int64_t row = (part->lo[0] - p->box.lo[0]) * mfft_box_side(&p->box, 1) + part->lo[1] - p->box.lo[1];
  return p->wide + row * mfft_box_side(&p->box, 2);
}

/* Makes a pass on the host, part by part. */
static mfft_status sweep_parts(mfft_swept *swept, int does, mfft_poisson_pass *pass) {
  const int threads = mfft_workers_count(mfft_threads_pool());
  pass->of_thread = calloc((size_t)threads, sizeof *pass->of_thread);
  mfft_status status = pass->of_thread ? mfft_sweep(swept, does, pass_part, pass)
                                       : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to measure the field by threads");
  if (pass->of_thread) mfft_poisson_moments_merge(pass->of_thread, threads, &pass->all);
  mfft_threads_book(MFFT_PHASE_CENTRE, MFFT_PHASE_CHECK, threads);
  return status;
}

mfft_status mfft_poisson_sweep(mfft_swept *swept, int does, mfft_poisson_pass *pass) {
  const mfft_poisson_rows rows = {.shift = {pass->shift[0], pass->shift[1]},
                                  .factor = pass->factor,
                                  .store = 1,
                                  .project = pass->project,
                                  .applied = MFFT_RESIDUAL_FILTER};
  const mfft_status status = mfft_app_agree(
      mfft_poisson_by_rows(pass->p) ? mfft_poisson_pass_rows(pass->p, &rows, &pass->all) : sweep_parts(swept, does, pass));
  if (status != MFFT_SUCCESS) return status;
  mfft_exact_gather(&pass->all.squares);
  mfft_app_reduce(&pass->all.largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest value");
  return MFFT_SUCCESS;
}

double mfft_poisson_pass_rms(const mfft_poisson_pass *pass) {
  return sqrt(mfft_exact_value(&pass->all.squares, NULL) / pass->p->cells);
}

mfft_status mfft_poisson_transform(mfft_poisson *p, mfft_plan plan, mfft_direction direction, void *spectrum) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  const int forward = direction == MFFT_FORWARD;
  void *field = p->real.plan;
  mfft_status status = mfft_execute(plan, direction, forward ? field : spectrum, forward ? spectrum : field);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(plan);
  mfft_phase_enter(before);
  return status;
}

double mfft_poisson_wanted_rms(const mfft_poisson *p) { return fmin(1, 16384 / sqrt(p->cells)); }
