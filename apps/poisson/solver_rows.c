/* solver_rows.c: see solver_rows.h. */
#include "poisson/solver_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "io/threads.h"

enum {
  RESULT_BYTES = 8 << 20, /* of the rows of one call, unless a part of the field is smaller */
  PIECE_ROWS = 256        /* rows that a thread adds up at a time */
};

int mfft_poisson_by_rows(const mfft_poisson *p) { return p->device && !p->wide; }

typedef struct rows_pass {
  const mfft_poisson *p;
  const mfft_poisson_rows *what;
  mfft_rows rows;                  /* of the current call */
  mfft_poisson_moments *of_thread; /* [threads] */
} rows_pass;

static mfft_status add_piece(void *context, int64_t piece, int thread) {
  const rows_pass *pass = context;
  const mfft_rows *rows = &pass->rows;
  const mfft_box *box = &pass->p->box;
  mfft_poisson_moments *here = &pass->of_thread[thread];
  const int64_t across = mfft_box_side(box, 1), first = piece * PIECE_ROWS, last = first + PIECE_ROWS;
  for (int64_t r = first; r < last && r < rows->count; r++) {
    const double *result = rows->result + r * (rows->vectors + 2);
    const int64_t x = box->lo[0] + (rows->first + r) / across, y = box->lo[1] + (rows->first + r) % across;
    mfft_exact_add(&here->squares, &result[rows->vectors], 1);
    here->largest = fmax(here->largest, result[rows->vectors + 1]);
    here->checksum += rows->checksum[r];
    if (pass->what->project) mfft_residual_add(&pass->p->residual, pass->what->applied, x, y, result, &here->share);
  }
  return MFFT_SUCCESS;
}

/* How many rows have their numbers in memory at a time. */
static int64_t rows_at_once(const mfft_poisson *p, int64_t row_bytes) {
  const int64_t part = (int64_t)p->real.part_bytes, rows = (part < RESULT_BYTES ? part : RESULT_BYTES) / row_bytes;
  return rows ? rows : 1;
}

static mfft_status pass_all(rows_pass *pass, mfft_poisson *p) {
  mfft_rows *rows = &pass->rows;
  const int64_t all = mfft_box_cells(&p->box) ? mfft_box_side(&p->box, 0) * mfft_box_side(&p->box, 1) : 0;
  const int64_t wide = rows->vectors + 2, row_bytes = wide * (int64_t)sizeof(double) + (int64_t)sizeof(uint64_t);
  const int64_t most = rows_at_once(p, row_bytes), fit = most < all ? most : all;
  void *result = NULL;
  mfft_status status = mfft_app_alloc(fit, (size_t)row_bytes, "numbers of rows", &result);
  rows->result = result;
  if (result) rows->checksum = (uint64_t *)(void *)(rows->result + fit * wide);
  for (rows->first = 0; rows->first < all && status == MFFT_SUCCESS; rows->first += fit) {
    rows->count = all - rows->first < fit ? all - rows->first : fit;
    status = mfft_plan_rows(p->plan, MFFT_IN, p->real.plan, rows);
    if (status == MFFT_SUCCESS)
      status = mfft_workers_run(mfft_threads_pool(), (rows->count + PIECE_ROWS - 1) / PIECE_ROWS, add_piece, pass);
  }
  mfft_free(result);
  return status;
}

mfft_status mfft_poisson_pass_rows(mfft_poisson *p, const mfft_poisson_rows *what, mfft_poisson_moments *all) {
  const int threads = mfft_workers_count(mfft_threads_pool());
  const double *vector[MFFT_RESIDUAL_VECTORS];
  rows_pass pass = {.p = p, .what = what};
  memset(all, 0, sizeof *all);
  mfft_rows_init(&pass.rows);
  memcpy(pass.rows.shift, what->shift, sizeof what->shift);
  pass.rows.factor = what->factor;
  pass.rows.store = what->store;
  pass.rows.vector = vector;
  if (what->project) pass.rows.vectors = mfft_residual_vectors(&p->residual, what->applied, vector);
  pass.of_thread = calloc((size_t)threads, sizeof *pass.of_thread);
  if (!pass.of_thread) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory to measure the field by threads");
  const mfft_status status = pass_all(&pass, p);
  mfft_poisson_moments_merge(pass.of_thread, threads, all);
  return status;
}
