/* bench_truth_body.h: the comparison of results with the truth, once for the arithmetic double and once for long double,
 * which plans of that precision need.  bench_truth.c defines before including it:
 *   REAL             the arithmetic
 *   NAME(name)       the name of a function of this file; NAME(transform) is FFTW's transform of a whole array
 *   FUNCTION(f)      a function of <math.h>
 *   VALUES(reader)   the values that a reader has read
 *   MPI_REAL_TYPE    the type for messages */

static void NAME(differ)(mfft_bench_difference *sum, const REAL *got, const REAL *want, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    const REAL e = got[i] - want[i];
    sum->error += (double)(e * e);
    sum->truth += (double)(want[i] * want[i]);
  }
}

/* ---- The truth from FFTW ---------------------------------------------------------------------------------------------- */

/* Rank 0: FFTW's transform of array b as it was stored, times scale, in the order of the plan's output. */
static REAL *NAME(whole_truth)(const mfft_desc *desc, int64_t b, REAL scale, const int64_t four_step[2]) {
  mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  int n[3]; /* [axis] */
  for (int a = 0; a < desc->rank; a++) box.hi[a] = n[a] = (int)desc->n[a];
  mfft_desc packed = *desc;
  packed.placement = MFFT_OUT_OF_PLACE;
  mfft_bench_rows in = mfft_bench_rows_of(&packed, MFFT_IN, &box), out = mfft_bench_rows_of(&packed, MFFT_OUT, &box);
  out.row = out.n[out.last];
  int64_t in_count = in.rows * in.pitch, out_count = in.rows * out.row * 2;
  const size_t in_bytes = (size_t)in_count * sizeof(REAL), out_bytes = (size_t)out_count * sizeof(REAL);
  REAL *source = fftw_malloc(in_bytes > out_bytes ? in_bytes : out_bytes), *truth = fftw_malloc(out_bytes);
  double *random = malloc((size_t)in_count * sizeof(double));
  void *rounded = malloc((size_t)in_count * mfft_real_bytes(desc->precision));
  int failed = !source || !truth || !random || !rounded;
  if (!failed) {
    mfft_bench_random_row(&in, b, 0, in_count / in.reals, random);
    mfft_row_store(desc->precision, rounded, 0, in_count, random);
    mfft_row_load(desc->precision, rounded, 0, in_count, random);
    for (int64_t i = 0; i < in_count; i++) source[i] = random[i];
    failed = NAME(transform)(desc, n, in_count, source, out_count, truth);
  }
  free(random);
  free(rounded);
  if (!failed) {
    for (int64_t i = 0; i < out_count; i++) truth[i] *= scale;
    if (four_step[0]) { /* element k1 + n1 k2 is at k1 n2 + k2 */
      memcpy(source, truth, out_bytes);
      for (int64_t k1 = 0; k1 < four_step[0]; k1++)
        for (int64_t k2 = 0; k2 < four_step[1]; k2++)
          memcpy(truth + 2 * (k1 * four_step[1] + k2), source + 2 * (k1 + four_step[0] * k2), 2 * sizeof(REAL));
    }
  } else {
    fftw_free(truth);
    truth = NULL;
  }
  fftw_free(source);
  return truth;
}

/* The box of `rows` from the whole truth, packed; zeros if the box exceeds the array, as that of a wrong plan may. */
static void NAME(cut)(const mfft_bench_rows *rows, const REAL *truth, REAL *part) {
  const int64_t whole = rows->n[0] * rows->n[1] * rows->n[2];
  for (int64_t r = 0; r < rows->rows; r++) {
    int64_t index[3]; /* [axis] */
    mfft_bench_row_start(rows, r, index);
    int64_t place = mfft_bench_place(rows, index);
    size_t bytes = (size_t)(2 * rows->row) * sizeof(REAL);
    if (place + rows->row <= whole)
      memcpy(part + 2 * r * rows->row, truth + 2 * place, bytes);
    else
      memset(part + 2 * r * rows->row, 0, bytes);
  }
}

/* Compares array b of the output with this rank's part of the truth. */
static mfft_status NAME(compare)(mfft_bench_reader *reader, int64_t b, const REAL *want, mfft_bench_difference *sum) {
  const mfft_bench_rows *rows = reader->rows;
  const mfft_bench_pieces pieces = mfft_bench_cut(rows, b * rows->rows, rows->rows, 0);
  for (int64_t i = 0; i < pieces.taken; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    mfft_status status = mfft_bench_read(reader, &piece);
    if (status != MFFT_SUCCESS) return status;
    for (int64_t r = 0; r < piece.rows; r++) {
      const REAL *part = want + 2 * ((piece.row + r - b * rows->rows) * rows->row + piece.first);
      NAME(differ)(sum, VALUES(reader) + 2 * r * piece.count, part, 2 * piece.count);
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status NAME(truth_fftw)(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                    const mfft_bench_array *out, long double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  int rank = mfft_app_rank(), ranks = bench->distributed ? mfft_app_ranks() : 1, failed = 0;
  int64_t four_step[2] = {0, 0}, count = 2 * mine->rows * mine->row;
  if (desc->scrambled) mfft_plan_four_step(plan, &four_step[0], &four_step[1]);
  int root = !bench->distributed || rank == 0;
  int64_t largest = count; /* part that rank 0 cuts for another rank */
  for (int r = 1; root && r < ranks; r++) {
    mfft_bench_rows theirs = rows_at(desc, plan, r);
    int64_t size = 2 * theirs.rows * theirs.row;
    if (size > largest) largest = size;
  }
  REAL *want = malloc((size_t)(largest + 1) * sizeof(REAL)), *truth = NULL;
  mfft_bench_reader reader;
  mfft_status status = mfft_bench_reader_open(mine, out, &reader);
  const int64_t compared = compared_arrays(bench);
  mfft_bench_difference sum = {0, 0};
  for (int64_t i = 0; i < compared && !failed; i++) {
    const int64_t b = i < (compared + 1) / 2 ? i : desc->batch - compared + i;
    if (root) truth = NAME(whole_truth)(desc, b, (REAL)scale, four_step);
    failed = !want || status != MFFT_SUCCESS || (root && !truth);
    if (bench->distributed) failed = mfft_app_anywhere(failed);
    if (failed) break;
    for (int r = 1; root && r < ranks; r++) {
      mfft_bench_rows theirs = rows_at(desc, plan, r);
      NAME(cut)(&theirs, truth, want);
      mfft_app_send(want, (int)(2 * theirs.rows * theirs.row), MPI_REAL_TYPE, r, "handing out the truth");
    }
    if (root)
      NAME(cut)(mine, truth, want);
    else
      mfft_app_receive(want, (int)count, MPI_REAL_TYPE, 0, "handing out the truth");
    if (root) fftw_free(truth);
    truth = NULL;
    status = NAME(compare)(&reader, b, want, &sum);
  }
  fftw_free(truth);
  free(want);
  mfft_bench_reader_close(&reader);
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  if (status == MFFT_SUCCESS && failed)
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --truth");
  return status;
}

/* ---- Random data, forward and backward ---------------------------------------------------------------------------- */

static mfft_status NAME(round_trip)(const mfft_bench_case *bench, const mfft_bench_rows *rows, const mfft_bench_array *in,
                                    long double scale, double *relative) {
  const mfft_bench_pieces pieces = mfft_bench_cut(rows, 0, bench->desc.batch * rows->rows, bench->sample_limit);
  mfft_bench_difference sum = {0, 0};
  mfft_bench_reader reader;
  mfft_status status = mfft_bench_reader_open(rows, in, &reader);
  double *random = malloc((size_t)(2 * pieces.wide + 2) * sizeof *random);
  REAL *want = malloc((size_t)(2 * pieces.wide + 2) * sizeof *want);
  if ((!random || !want) && status == MFFT_SUCCESS) status = MFFT_ERR_MEMORY;
  for (int64_t i = 0; i < pieces.taken && status == MFFT_SUCCESS; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    const int64_t count = piece.count * rows->reals;
    status = mfft_bench_read(&reader, &piece);
    for (int64_t r = 0; r < piece.rows && status == MFFT_SUCCESS; r++) {
      int64_t index[3]; /* [axis] */
      mfft_bench_row_start(rows, piece.row + r, index);
      mfft_bench_random_row(rows, (piece.row + r) / rows->rows, mfft_bench_place(rows, index) + piece.first, piece.count,
                            random);
      REAL *got = VALUES(&reader) + r * count;
      for (int64_t e = 0; e < count; e++) {
        want[e] = random[e];
        got[e] *= (REAL)scale;
      }
      NAME(differ)(&sum, got, want, count);
    }
  }
  free(random);
  free(want);
  mfft_bench_reader_close(&reader);
  *relative = mfft_bench_relative(sum, bench->distributed);
  return status;
}

/* ---- The truth of impulses ------------------------------------------------------------------------------------------- */

/* exp(-2 pi i k p / n) with the product reduced in integers. */
static void NAME(wave)(int64_t k, int64_t p, int64_t n, REAL w[2]) {
  const REAL angle = -2 * (REAL)3.141592653589793238462643383279502884L * (REAL)(int64_t)((__int128)k * p % n) / (REAL)n;
  w[0] = FUNCTION(cos)(angle);
  w[1] = FUNCTION(sin)(angle);
}

static void NAME(multiply)(REAL z[2], const REAL w[2]) {
  const REAL re = z[0] * w[0] - z[1] * w[1];
  z[1] = z[0] * w[1] + z[1] * w[0];
  z[0] = re;
}

/* The transform of the impulses of one array along a range of the last axis, and at a row. */
typedef struct NAME(waves) {
  const mfft_desc *desc;
  int last;
  int64_t four_step[2]; /* scrambled order of one distributed dimension; zeros: natural */
  impulse impulses[IMPULSES];
  int64_t b, first, count; /* array, and range of the last axis, of `along` */
  REAL *along;             /* [IMPULSES][count] complexes */
} NAME(waves);

static void NAME(set_stretch)(NAME(waves) * w, int64_t b, int64_t first, int64_t count) {
  if (w->b == b && w->first == first && w->count == count) return;
  w->b = b, w->first = first, w->count = count;
  draw_impulses(w->desc, b, w->impulses);
  for (int j = 0; j < IMPULSES; j++)
    for (int64_t i = 0; i < count; i++) {
      int64_t k = first + i;
      if (w->four_step[0]) k = k / w->four_step[1] + w->four_step[0] * (k % w->four_step[1]);
      NAME(wave)(k, w->impulses[j].place[w->last], w->desc->n[w->last], w->along + 2 * (j * count + i));
    }
}

static void NAME(sum_waves)(const NAME(waves) * w, const int64_t index[3], REAL scale, REAL *want /* [count] complexes */) {
  memset(want, 0, (size_t)(2 * w->count) * sizeof *want);
  for (int j = 0; j < IMPULSES; j++) {
    REAL amplitude[2] = {scale * (REAL)w->impulses[j].size[0], scale * (REAL)w->impulses[j].size[1]}, phase[2];
    for (int a = 0; a < w->last; a++) {
      NAME(wave)(index[a], w->impulses[j].place[a], w->desc->n[a], phase);
      NAME(multiply)(amplitude, phase);
    }
    for (int64_t i = 0; i < w->count; i++) {
      REAL z[2] = {amplitude[0], amplitude[1]};
      NAME(multiply)(z, w->along + 2 * (j * w->count + i));
      want[2 * i] += z[0];
      want[2 * i + 1] += z[1];
    }
  }
}

static mfft_status NAME(truth_impulses)(const mfft_bench_case *bench, mfft_plan plan, const mfft_bench_rows *mine,
                                        const mfft_bench_array *out, long double scale, double *rel_l2) {
  const mfft_desc *desc = &bench->desc;
  const mfft_bench_pieces pieces = mfft_bench_cut(mine, 0, desc->batch * mine->rows, bench->sample_limit);
  NAME(waves) w = {.desc = desc, .last = mine->last, .b = -1};
  mfft_bench_difference sum = {0, 0};
  mfft_bench_reader reader;
  if (desc->scrambled) mfft_plan_four_step(plan, &w.four_step[0], &w.four_step[1]);
  mfft_status status = mfft_bench_reader_open(mine, out, &reader);
  REAL *want = malloc((size_t)(2 * pieces.wide + 2) * sizeof *want);
  w.along = malloc((size_t)(2 * IMPULSES * pieces.wide + 2) * sizeof *w.along);
  int failed = status != MFFT_SUCCESS || !want || !w.along;
  if (bench->distributed) failed = mfft_app_anywhere(failed);
  for (int64_t i = 0; i < pieces.taken && !failed && status == MFFT_SUCCESS; i++) {
    const mfft_bench_piece piece = mfft_bench_piece_at(&pieces, i);
    status = mfft_bench_read(&reader, &piece);
    for (int64_t r = 0; r < piece.rows && status == MFFT_SUCCESS; r++) {
      int64_t index[3]; /* [axis] */
      mfft_bench_row_start(mine, piece.row + r, index);
      NAME(set_stretch)(&w, (piece.row + r) / mine->rows, mine->box.lo[mine->last] + piece.first, piece.count);
      NAME(sum_waves)(&w, index, (REAL)scale, want);
      NAME(differ)(&sum, VALUES(&reader) + 2 * r * piece.count, want, 2 * piece.count);
    }
  }
  free(want);
  free(w.along);
  mfft_bench_reader_close(&reader);
  *rel_l2 = mfft_bench_relative(sum, bench->distributed);
  if (status == MFFT_SUCCESS && failed)
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the truth of the check; lower --sample");
  return status;
}
