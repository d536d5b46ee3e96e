#include "bench/bench_rows.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "gen/noise.h"
#include "io/rows.h"

mfft_bench_rows mfft_bench_rows_of(const mfft_desc *desc, mfft_side side, const mfft_box *box) {
  mfft_bench_rows rows = {
      .precision = desc->precision, .box = *box, .n = {1, 1, 1}, .last = desc->rank - 1, .reals = 2, .rows = 1};
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

void mfft_bench_row_start(const mfft_bench_rows *rows, int64_t r, int64_t index[3]) {
  r %= rows->rows;
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

/* ---- Pieces ---------------------------------------------------------------------------------------------------------- */

enum { PIECE = 1 << 16 }; /* elements */

mfft_bench_pieces mfft_bench_cut(const mfft_bench_rows *rows, int64_t first_row, int64_t count, int64_t limit) {
  mfft_bench_pieces p = {.first_row = first_row, .rows = count, .row = rows->row, .tall = 1, .wide = PIECE};
  if (!rows->row || !count) return p;
  if (rows->row <= PIECE) p.tall = PIECE / rows->row, p.wide = rows->row;
  const int64_t across = (rows->row + p.wide - 1) / p.wide, down = (count + p.tall - 1) / p.tall;
  p.all = p.taken = across * down;
  if (limit > 0 && p.all > limit / (p.tall * p.wide)) p.taken = limit / (p.tall * p.wide);
  if (p.taken < 2) p.taken = p.all < 2 ? p.all : 2;
  return p;
}

mfft_bench_piece mfft_bench_piece_at(const mfft_bench_pieces *p, int64_t i) {
  const int64_t place = p->taken == p->all ? i : (int64_t)((__int128)i * (p->all - 1) / (p->taken - 1));
  const int64_t across = (p->row + p->wide - 1) / p->wide, row = place / across * p->tall, first = place % across * p->wide;
  return (mfft_bench_piece){.row = p->first_row + row,
                            .rows = p->rows - row < p->tall ? p->rows - row : p->tall,
                            .first = first,
                            .count = p->row - first < p->wide ? p->row - first : p->wide};
}

/* The offset of a piece in memory, and the memory that it spans. */
static size_t piece_offset(const mfft_bench_rows *rows, const mfft_bench_piece *piece) {
  return (size_t)(piece->row * rows->pitch + piece->first * rows->reals) * mfft_real_bytes(rows->precision);
}

static size_t piece_bytes(const mfft_bench_rows *rows, const mfft_bench_piece *piece) {
  return (size_t)((piece->rows - 1) * rows->pitch + piece->count * rows->reals) * mfft_real_bytes(rows->precision);
}

/* Memory for any piece as it is stored: half of a row of a few elements may be padding. */
static size_t buffer_bytes(const mfft_bench_rows *rows) { return (3 * PIECE + 2) * mfft_real_bytes(rows->precision); }

mfft_status mfft_bench_reader_open(const mfft_bench_rows *rows, const mfft_bench_array *array, mfft_bench_reader *reader) {
  *reader = (mfft_bench_reader){.rows = rows, .array = array};
  reader->buffer = malloc(buffer_bytes(rows));
  reader->values = malloc((size_t)(2 * PIECE) * sizeof(double));
  const int is_long = rows->precision == MFFT_LONG_DOUBLE;
  if (is_long) reader->wide = malloc((size_t)(2 * PIECE) * sizeof *reader->wide);
  if (reader->buffer && reader->values && (reader->wide || !is_long)) return MFFT_SUCCESS;
  mfft_bench_reader_close(reader);
  return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a piece of %d elements", PIECE);
}

mfft_status mfft_bench_read(mfft_bench_reader *reader, const mfft_bench_piece *piece) {
  const mfft_bench_rows *rows = reader->rows;
  const int64_t count = piece->count * rows->reals;
  const void *view = NULL;
  mfft_status status =
      mfft_bench_array_view(reader->array, piece_offset(rows, piece), piece_bytes(rows, piece), reader->buffer, &view);
  for (int64_t r = 0; r < piece->rows && status == MFFT_SUCCESS; r++) {
    mfft_row_load(rows->precision, view, r * rows->pitch, count, reader->values + r * count);
    if (reader->wide)
      memcpy(reader->wide + r * count, (const long double *)view + r * rows->pitch, (size_t)count * sizeof *reader->wide);
  }
  return status;
}

void mfft_bench_reader_close(mfft_bench_reader *reader) {
  free(reader->buffer);
  free(reader->values);
  free(reader->wide);
  memset(reader, 0, sizeof *reader);
}

/* ---- Random data ----------------------------------------------------------------------------------------------------- */

/* The index of a random number: that of an element of array b. */
static uint64_t noise_place(const mfft_bench_rows *rows, int64_t b, int64_t element) {
  uint64_t size = (uint64_t)(rows->n[0] * rows->n[1] * rows->n[2]);
  return ((uint64_t)b * size + (uint64_t)element) * (uint64_t)rows->reals;
}

void mfft_bench_random_row(const mfft_bench_rows *rows, int64_t b, int64_t first, int64_t count, double *row) {
  const uint64_t place = noise_place(rows, b, first);
  for (int64_t i = 0; i < count * rows->reals; i++) row[i] = mfft_noise(place + (uint64_t)i);
}

/* Whether the rows contain the whole array without gaps: a batch of it is one long row. */
static int packed_whole(const mfft_bench_rows *rows) {
  for (int a = 0; a < 3; a++)
    if (rows->box.lo[a] != 0 || rows->box.hi[a] != rows->n[a]) return 0;
  return rows->pitch == rows->row * rows->reals;
}

mfft_status mfft_bench_fill(const mfft_desc *desc, const mfft_box *box, double amplitude, const mfft_bench_array *array) {
  mfft_bench_rows rows = mfft_bench_rows_of(desc, MFFT_IN, box);
  int64_t count = desc->batch * rows.rows;
  if (packed_whole(&rows)) { /* pieces need not end with rows */
    rows.row *= count;
    rows.n[rows.last] = rows.row;
    rows.box.hi[rows.last] = rows.row;
    for (int a = 0; a < rows.last; a++) rows.n[a] = rows.box.hi[a] = 1;
    rows.rows = count = 1;
  }
  const mfft_bench_pieces pieces = mfft_bench_cut(&rows, 0, count, 0);
  mfft_status status = MFFT_SUCCESS;
  char *stage = calloc(1, buffer_bytes(&rows)); /* the padding between rows is written too */
  if (!stage) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory to fill an array");
  for (int64_t i = 0; i < pieces.taken && status == MFFT_SUCCESS; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    for (int64_t r = 0; r < piece.rows && status == MFFT_SUCCESS; r++) {
      int64_t index[3]; /* [axis] */
      mfft_bench_row_start(&rows, piece.row + r, index);
      const uint64_t place = noise_place(&rows, (piece.row + r) / rows.rows, mfft_bench_place(&rows, index) + piece.first);
      status = mfft_noise_store(desc->precision, amplitude, place, piece.count * rows.reals,
                                stage + (size_t)(r * rows.pitch) * mfft_real_bytes(desc->precision));
    }
    if (status == MFFT_SUCCESS)
      status = mfft_bench_array_write(array, piece_offset(&rows, &piece), stage, piece_bytes(&rows, &piece));
  }
  free(stage);
  return status;
}

/* ---- Sums of squares ------------------------------------------------------------------------------------------------- */

double mfft_bench_relative(mfft_bench_difference sum, int distributed) {
  double both[2] = {sum.error, sum.truth};
  if (distributed) mfft_app_reduce(both, 2, MPI_DOUBLE, MPI_SUM, "adding up errors");
  return both[1] > 0 ? sqrt(both[0] / both[1]) : sqrt(both[0]);
}
