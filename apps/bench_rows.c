#include "bench_rows.h"

#include <math.h>
#include <stdlib.h>

#include "peer.h"
#include "rows.h"

mfft_bench_rows mfft_bench_rows_of(const mfft_desc *desc, mfft_side side, const mfft_box *box) {
  mfft_bench_rows rows = {.box = *box, .n = {1, 1, 1}, .last = desc->rank - 1, .reals = 2, .rows = 1};
  for (int a = 0; a < desc->rank; a++) rows.n[a] = desc->n[a];
  if (desc->kind == MFFT_R2C && side == MFFT_OUT) rows.n[rows.last] = rows.n[rows.last] / 2 + 1;
  if (desc->kind == MFFT_R2C && side == MFFT_IN) rows.reals = 1;
  for (int a = 0; a < 3; a++) {
    int64_t extent = box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
    if (a == rows.last)
      rows.row = extent;
    else
      rows.rows *= extent;
  }
  rows.pitch = rows.row * rows.reals;
  if (rows.reals == 1 && desc->placement == MFFT_IN_PLACE && rows.row) rows.pitch = 2 * (rows.row / 2 + 1);
  if (!rows.row) rows.rows = 0;
  return rows;
}

/* The global index of the first element of row r. */
void mfft_bench_row_start(const mfft_bench_rows *rows, int64_t r, int64_t index[3]) {
  for (int a = 0; a < 3; a++) index[a] = rows->box.lo[a];
  for (int a = rows->last - 1; a >= 0; a--) {
    int64_t extent = rows->box.hi[a] - rows->box.lo[a];
    index[a] += r % extent;
    r /= extent;
  }
}

int64_t mfft_bench_place(const mfft_bench_rows *rows, const int64_t index[3]) {
  return (index[0] * rows->n[1] + index[1]) * rows->n[2] + index[2];
}

double mfft_bench_points(const mfft_desc *desc) {
  double points = 1;
  for (int a = 0; a < desc->rank; a++) points *= (double)desc->n[a];
  return points;
}

/* The input of array b at a row: random, or impulses whose places and sizes come from the same numbers. */
void mfft_bench_random_row(const mfft_bench_rows *rows, int64_t b, int64_t first, int64_t count, double amplitude,
                           double *row) {
  uint64_t size = (uint64_t)(rows->n[0] * rows->n[1] * rows->n[2]) * (uint64_t)rows->reals;
  uint64_t place = (uint64_t)b * size + (uint64_t)first * (uint64_t)rows->reals;
  for (int64_t i = 0; i < count * rows->reals; i++) row[i] = amplitude * mfft_peer_random(place + (uint64_t)i);
}

void mfft_bench_fill(const mfft_desc *desc, const mfft_box *box, double amplitude, void *array) {
  mfft_bench_rows rows = mfft_bench_rows_of(desc, MFFT_IN, box);
  double *row = malloc((size_t)(rows.row * rows.reals + 1) * sizeof(double));
  for (int64_t b = 0; row && b < desc->batch; b++)
    for (int64_t r = 0; r < rows.rows; r++) {
      int64_t index[3];
      mfft_bench_row_start(&rows, r, index);
      mfft_bench_random_row(&rows, b, mfft_bench_place(&rows, index), rows.row, amplitude, row);
      mfft_row_store(desc->precision, array, (b * rows.rows + r) * rows.pitch, rows.row * rows.reals, row);
    }
  free(row);
}

void mfft_bench_differ(mfft_bench_difference *sum, const double *got, const double *want, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double e = got[i] - want[i];
    sum->error += e * e;
    sum->truth += want[i] * want[i];
  }
}

double mfft_bench_relative(mfft_bench_difference sum, int distributed) {
  double both[2] = {sum.error, sum.truth};
  if (distributed) MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return both[1] > 0 ? sqrt(both[0] / both[1]) : sqrt(both[0]);
}
