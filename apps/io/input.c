/* input.c: see input.h. */
#include "io/input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/untrusted.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"

mfft_status mfft_input_lengths(const char *path, const mfft_field_info *info, const mfft_cli_reals *boxsize,
                               double length[3]) {
  for (int a = 0; a < 3; a++) {
    length[a] = boxsize->count ? boxsize->v[a] : info->has_box_size ? info->box_size[a] : (double)info->n[a];
    if (length[a] < MFFT_LENGTH_MIN || length[a] > MFFT_LENGTH_MAX)
      return mfft_app_fail(
          MFFT_ERR_ARG, "BoxSize of '%s' in '%s' is %g along %c, and must be from %g to %g; give the right one by --boxsize",
          info->dataset, path, length[a], "xyz"[a], MFFT_LENGTH_MIN, MFFT_LENGTH_MAX);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh) {
  mfft_field_info_init(info);
  mfft_status status = mfft_untrusted_query(path, dataset, info);
  if (status != MFFT_SUCCESS) return status;
  if (info->rank != 3)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "'%s' in '%s' has %d axes; name a dataset with three by --dataset",
                         info->dataset, path, info->rank);
  if (!boxsize->count && !info->has_box_size)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' in '%s' has no attribute BoxSize of one or %d positive numbers; give --boxsize",
                         info->dataset, path, info->rank);
  memcpy(mesh->n, info->n, sizeof mesh->n);
  return mfft_input_lengths(path, info, boxsize, mesh->length);
}

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

typedef struct read_state {
  const char *path;
  const mfft_field_info *info;
  mfft_swept *array;
  mfft_precision file, memory; /* what values are read as, and what the array holds */
  mfft_field_reading reading;
  int narrower;           /* 1: the array rounds what is read */
  double *wide;           /* [cells of a part] where it is narrower, else [cells of a row] */
  int again;              /* 1: for the second time */
  double offset;          /* what is subtracted from every value before it is rounded */
  double substitute;      /* what stands in for NaN and infinity */
  int64_t bad, first[3];  /* how many these are, and the first of them in C order */
  mfft_exact_sum sum;     /* of the others, */
  mfft_exact_sum squares; /* and of their squares where the array is narrower */
  double mean;            /* of the others */
  double largest;         /* magnitude that was rounded */
} read_state;

/* Puts a number in the place of NaN and infinity. */
static void substitute(double *row /* [count] */, int64_t count, double number) {
  for (int64_t i = 0; i < count; i++) row[i] = isfinite(row[i]) ? row[i] : number;
}

/* Adds up a part that is in the array already; what is not finite counts as 0. */
static void add_part(read_state *read, const mfft_box *part, const void *data) {
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  for (int64_t r = 0; r < rows; r++) {
    mfft_row_load(read->memory, data, r * count, count, read->wide);
    substitute(read->wide, count, 0);
    mfft_exact_add(&read->sum, read->wide, count);
  }
}

/* From `wide` to the array: without the offset, and then rounded.  Adds up, for the first time, what was read. */
static void narrow_part(read_state *read, const mfft_box *part, void *data) {
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  for (int64_t r = 0; r < rows; r++) {
    double *row = read->wide + r * count;
    substitute(row, count, read->substitute);
    if (!read->again) {
      const double square = mfft_row_dot(row, row, count);
      mfft_exact_add(&read->sum, row, count);
      mfft_exact_add(&read->squares, &square, 1);
    }
    for (int64_t i = 0; i < count; i++) row[i] -= read->offset;
    read->largest = fmax(read->largest, mfft_row_magnitude(row, count));
    mfft_row_store(read->memory, data, r * count, count, row);
  }
}

static mfft_status read_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  void *values = read->narrower ? read->wide : data;
  int64_t bad, first[3];
  mfft_status status = mfft_field_read_part(read->reading, part, values);
  if (status == MFFT_SUCCESS) status = mfft_field_count_nonfinite(MPI_COMM_SELF, part, read->file, values, &bad, first);
  if (status != MFFT_SUCCESS) return status;
  mfft_progress_step(part->hi[0] - read->array->box.lo[0]);
  if (bad && !read->bad) memcpy(read->first, first, sizeof first);
  if (!read->again) read->bad += bad;
  if (read->narrower)
    narrow_part(read, part, data);
  else
    add_part(read, part, data);
  return MFFT_SUCCESS;
}

static mfft_status read_file(read_state *read) {
  mfft_swept *array = read->array;
  read->largest = 0;
  mfft_progress_start(read->again ? "reading again" : "reading", array->box.hi[0] - array->box.lo[0]);
  mfft_status status = mfft_field_read_begin(MPI_COMM_WORLD, mfft_untrusted_path(read->path), read->info->dataset,
                                             &array->box, read->file, 0, &read->reading);
  if (status != MFFT_SUCCESS) return status;
  status = mfft_app_agree(mfft_sweep(array, MFFT_SWEEP_WRITES, read_part, read));
  const mfft_status end = mfft_field_read_end(&read->reading);
  return status == MFFT_SUCCESS ? end : status;
}

/* The count and the sums of all ranks, and the first bad cell of all. */
static void gather(read_state *read) {
  const int64_t *first = read->first, *n = read->info->n;
  int64_t place = read->bad ? (first[0] * n[1] + first[1]) * n[2] + first[2] : INT64_MAX;
  mfft_app_reduce(&place, 1, MPI_INT64_T, MPI_MIN, "finding values that are not finite");
  mfft_app_reduce(&read->bad, 1, MPI_INT64_T, MPI_SUM, "counting values that are not finite");
  for (int a = 2; a >= 0; place /= n[a--]) read->first[a] = place % n[a];
  mfft_exact_gather(&read->sum);
  mfft_exact_gather(&read->squares);
  const double good = (double)n[0] * (double)n[1] * (double)n[2] - (double)read->bad;
  if (good > 0) read->mean = mfft_exact_mean(&read->sum, good, NULL);
}

/* ---- Values that are NaN or infinite --------------------------------------------------------------------------------- */

static mfft_status refuse_nonfinite(const read_state *read) {
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "'%s' in '%s' holds %" PRId64 " values that are NaN or infinite, the first at cell %" PRId64
                       ",%" PRId64 ",%" PRId64 "; mend the file or give --allow-nonfinite",
                       read->info->dataset, read->path, read->bad, read->first[0], read->first[1], read->first[2]);
}

static mfft_status mend_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  const int64_t count = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  for (int64_t r = 0; r < rows; r++) {
    mfft_row_load(read->memory, data, r * count, count, read->wide);
    substitute(read->wide, count, read->substitute);
    mfft_row_store(read->memory, data, r * count, count, read->wide);
  }
  return MFFT_SUCCESS;
}

/* In an array that is as wide as the file. */
static mfft_status mend(read_state *read) {
  float single;
  read->substitute = read->mean;
  if (read->memory == MFFT_SINGLE) {
    mfft_row_store(MFFT_SINGLE, &single, 0, 1, &read->substitute);
    mfft_row_load(MFFT_SINGLE, &single, 0, 1, &read->substitute);
  }
  return mfft_app_agree(mfft_sweep(read->array, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, mend_part, read));
}

/* The mean of the array, once the substitutes are in it: not that of the others, to the last bits. */
static void find_left(read_state *read, double left[2]) {
  const int64_t *n = read->info->n;
  const double times = (double)read->bad, more = times * read->substitute;
  mfft_exact_add(&read->sum, (double[]){more, fma(times, read->substitute, -more)}, 2);
  left[0] = mfft_exact_mean(&read->sum, (double)n[0] * (double)n[1] * (double)n[2], &left[1]) - read->offset;
}

/* ---- Arrays that are narrower than the file -------------------------------------------------------------------------- */

/* What is rounded has to be of a size that the narrower precision has all its digits for. */
static mfft_status check_size(read_state *read) {
  mfft_app_reduce(&read->largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest value");
  const int large = read->largest > mfft_row_largest_finite(read->memory);
  if (!large && (read->largest == 0 || read->largest >= mfft_row_smallest_normal(read->memory))) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the values of '%s' in '%s', up to %.3g about %.3g, are too %s for single precision; give "
                       "--precision double, or write the field in other units",
                       read->info->dataset, read->path, read->largest, read->offset, large ? "large" : "small");
}

/* Decides on the second reading: rounding costs no digits where the mean is at most as large as what varies about it. */
static mfft_status finish_narrow(read_state *read) {
  const int64_t *n = read->info->n;
  const double squares = mfft_exact_value(&read->squares, NULL), cells = (double)n[0] * (double)n[1] * (double)n[2];
  const int dominant = 2 * read->mean * read->mean * (cells - (double)read->bad) > squares;
  if (dominant || read->bad) {
    read->again = 1;
    read->offset = dominant ? read->mean : 0;
    read->substitute = read->mean;
    const mfft_status status = read_file(read);
    if (status != MFFT_SUCCESS) return status;
  }
  return check_size(read);
}

/* Memory for a part where it is rounded, else for a row. */
static mfft_status make_room(read_state *read) {
  const mfft_swept *array = read->array;
  const int64_t part = (int64_t)(array->part_bytes / array->element_bytes), cells = mfft_box_cells(&array->box);
  const int64_t room = !read->narrower ? mfft_box_side(&array->box, 2) : part < cells ? part : cells;
  void *wide = NULL;
  const mfft_status status = mfft_app_alloc(room, sizeof(double), "a part of the field", &wide);
  read->wide = wide;
  return mfft_app_agree(status);
}

mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, mfft_input_found *found) {
  read_state read = {.path = path, .info = info, .array = array, .file = precision, .memory = precision};
  read.narrower = mfft_row_real_bytes(precision) < mfft_row_real_bytes(info->precision);
  if (read.narrower) read.file = info->precision;
  mfft_status status = make_room(&read);
  if (status == MFFT_SUCCESS) status = read_file(&read);
  if (status == MFFT_SUCCESS) {
    gather(&read);
    if (read.bad && !allow) status = refuse_nonfinite(&read);
  }
  if (status == MFFT_SUCCESS && read.narrower)
    status = finish_narrow(&read);
  else if (status == MFFT_SUCCESS && read.bad)
    status = mend(&read);
  mfft_free(read.wide);
  *found = (mfft_input_found){.nonfinite = read.bad, .mean = read.mean, .offset = read.offset};
  find_left(&read, found->left);
  if (status == MFFT_SUCCESS && read.bad)
    mfft_app_note("%" PRId64 " values that are NaN or infinite count as the mean of the others", read.bad);
  return status;
}
