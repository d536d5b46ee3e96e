/* input.c: see input.h. */
#include "io/input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/direct.h"
#include "io/rows.h"
#include "io/threads.h"
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
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_OPEN);
  const mfft_status status = mfft_untrusted_query(path, dataset, info);
  mfft_phase_enter(before);
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

/* Cells that are processed as doubles at a time. */
enum { RUN_CELLS = 4096 };

/* The results of a thread for its pieces. */
typedef struct found_here {
  int64_t bad, first[3];  /* values that are NaN or infinite, and the first of them in C order */
  mfft_exact_sum sum;     /* of the others, */
  mfft_exact_sum squares; /* and of their squares if the array is narrower */
  double largest;         /* magnitude that was rounded */
} found_here;

typedef struct read_state {
  const char *path;
  const mfft_field_info *info;
  mfft_swept *array;
  mfft_precision file, memory; /* the type in which values are read, and that of the array */
  mfft_field_reading reading;
  int narrower;          /* 1: the array rounds what is read */
  int again;             /* 1: for the second time */
  int direct;            /* 1: the GPU has read the file with no copy on the host */
  double offset;         /* subtracted from every value before it is rounded */
  double substitute;     /* the replacement of NaN and infinity */
  found_here *of_thread; /* [workers of the reading] */
  found_here all;        /* of all threads, and later of all ranks */
  const mfft_box *part;  /* the part that is being read, */
  void *data;            /* and its array */
  double mean;           /* of the values that are finite */
} read_state;

/* Replaces NaN and infinity by a number. */
static void substitute(double *row /* [count] */, int64_t count, double number) {
  for (int64_t i = 0; i < count; i++) row[i] = isfinite(row[i]) ? row[i] : number;
}

/* One run of cells of a row, from `first` on of the values that were read.  If the array is narrower it is stored, without
 * the offset and rounded, at element `place` of the part. */
static void take_run(const read_state *read, found_here *here, const void *values, int64_t first, int64_t count,
                     int64_t place) {
  double run[RUN_CELLS]; /* [count] */
  mfft_row_load(read->file, values, first, count, run);
  substitute(run, count, read->narrower ? read->substitute : 0);
  if (!read->again) mfft_exact_add(&here->sum, run, count);
  if (!read->narrower) return;
  const double square = mfft_row_dot(run, run, count);
  if (!read->again) mfft_exact_add(&here->squares, &square, 1);
  for (int64_t i = 0; i < count; i++) run[i] -= read->offset;
  here->largest = fmax(here->largest, mfft_row_magnitude(run, count));
  mfft_row_store(read->memory, read->data, place, count, run);
}

/* A piece that has been read, while it is in cache: counts, adds up, and narrows it. */
static mfft_status take_piece(void *context, int worker, const mfft_box *piece, void *values) {
  const read_state *read = context;
  const mfft_box *part = read->part;
  found_here *here = &read->of_thread[worker];
  const double start = mfft_process_now();
  const int64_t count = mfft_box_side(piece, 2), row = mfft_box_side(part, 2);
  if (!read->again) mfft_field_find_nonfinite(piece, read->file, values, &here->bad, here->first);
  int64_t first = 0; /* element of the piece */
  for (int64_t x = piece->lo[0]; x < piece->hi[0]; x++)
    for (int64_t y = piece->lo[1]; y < piece->hi[1]; y++) {
      const int64_t rows_before = (x - part->lo[0]) * mfft_box_side(part, 1) + y - part->lo[1];
      const int64_t place = rows_before * row + piece->lo[2] - part->lo[2];
      for (int64_t z = 0; z < count; z += RUN_CELLS)
        take_run(read, here, values, first + z, count - z < RUN_CELLS ? count - z : RUN_CELLS, place + z);
      first += count;
    }
  mfft_threads_add(MFFT_PHASE_SUM, worker, start, mfft_process_now());
  return MFFT_SUCCESS;
}

static mfft_status read_part(void *context, const mfft_box *part, void *data) {
  read_state *read = context;
  read->part = part;
  read->data = data;
  const mfft_status status = mfft_field_read_part(read->reading, part, read->narrower ? NULL : data);
  if (status == MFFT_SUCCESS) mfft_progress_step(part->hi[0] - read->array->box.lo[0]);
  return status;
}

static int precedes(const int64_t a[3], const int64_t b[3]) {
  return a[0] != b[0] ? a[0] < b[0] : a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}

/* Merges the results of the threads. */
static void merge_threads(read_state *read, int threads) {
  for (int t = 0; t < threads; t++) {
    const found_here *here = &read->of_thread[t];
    if (here->bad && (!read->all.bad || precedes(here->first, read->all.first)))
      memcpy(read->all.first, here->first, sizeof here->first);
    read->all.bad += here->bad;
    mfft_exact_merge(&read->all.sum, &here->sum);
    mfft_exact_merge(&read->all.squares, &here->squares);
    read->all.largest = fmax(read->all.largest, here->largest);
  }
}

/* Whether values are added up in the memory of the array, rather than by the threads that read: on a GPU, which needs almost
 * no time for it, unless they are rounded before they are copied there. */
static int adds_up_there(const read_state *read) { return read->array->on_device && !read->narrower; }

/* Compares the checksums of the array on the device with those of the values that were read, for files with checksums in its
 * precision. */
static mfft_status compare_there(const read_state *read) {
  const mfft_swept *array = read->array;
  uint64_t there, here;
  if (!read->info->checksummed || read->info->precision != read->memory) return MFFT_SUCCESS;
  if (read->direct) return mfft_direct_read_sums(array, read->reading); /* mfft_field_read_end compares them */
  mfft_status status = mfft_field_read_checksum(read->reading, &here);
  if (status == MFFT_SUCCESS) status = mfft_swept_checksum(array, &there);
  return status == MFFT_SUCCESS ? mfft_swept_compare(read->info->dataset, there, here) : status;
}

static mfft_status add_up_there(read_state *read) {
  const mfft_swept *array = read->array;
  mfft_sums sums;
  mfft_sums_init(&sums);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_SUM);
  mfft_status status = mfft_plan_sums(array->on_device, array->side, array->plan, &sums);
  if (status == MFFT_SUCCESS) status = compare_there(read);
  mfft_phase_enter(before);
  if (status != MFFT_SUCCESS) return status;
  read->all.bad = sums.nonfinite;
  memcpy(read->all.first, sums.first + 1, sizeof read->all.first);
  read->all.sum = sums.sum;
  read->all.sum.nan = read->all.sum.infinite[0] = read->all.sum.infinite[1] = 0; /* the sum of the others */
  return MFFT_SUCCESS;
}

static mfft_status read_file(read_state *read) {
  mfft_swept *array = read->array;
  read->all.largest = 0;
  const int64_t *n = read->info->n;
  const double bytes = (double)n[0] * (double)n[1] * (double)n[2] * (double)mfft_real_bytes(read->file);
  mfft_progress_start_bytes(read->again ? "reading again" : "reading", array->box.hi[0] - array->box.lo[0], bytes);
  mfft_status status = mfft_field_read_begin(MPI_COMM_WORLD, mfft_untrusted_path(read->path), read->info->dataset,
                                             &array->box, read->file, 0, &read->reading);
  if (status != MFFT_SUCCESS) return status;
  const int threads = mfft_field_read_workers(read->reading);
  void *of_thread = NULL;
  status = mfft_app_alloc(threads, sizeof(found_here), "reading by threads", &of_thread);
  if (status == MFFT_SUCCESS) {
    read->of_thread = memset(of_thread, 0, (size_t)threads * sizeof(found_here));
    if (!adds_up_there(read)) status = mfft_field_read_visit(read->reading, take_piece, read);
  }
  read->direct = 0;
  if (status == MFFT_SUCCESS && adds_up_there(read)) status = mfft_direct_read(array, read->reading, &read->direct);
  if (status == MFFT_SUCCESS && !read->direct) status = mfft_sweep(array, MFFT_SWEEP_WRITES, read_part, read);
  if (status == MFFT_SUCCESS && adds_up_there(read)) status = add_up_there(read);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) merge_threads(read, threads);
  mfft_threads_book(MFFT_PHASE_READ, MFFT_PHASE_SUM, threads);
  const mfft_status end = mfft_field_read_end(&read->reading);
  mfft_free(of_thread);
  return status == MFFT_SUCCESS ? end : status;
}

/* The count and the sums of all ranks, and the first bad cell of all. */
static void gather(read_state *read) {
  const int64_t *first = read->all.first, *n = read->info->n;
  int64_t place = read->all.bad ? (first[0] * n[1] + first[1]) * n[2] + first[2] : INT64_MAX;
  mfft_app_reduce(&place, 1, MPI_INT64_T, MPI_MIN, "finding values that are not finite");
  mfft_app_reduce(&read->all.bad, 1, MPI_INT64_T, MPI_SUM, "counting values that are not finite");
  for (int a = 2; a >= 0; place /= n[a--]) read->all.first[a] = place % n[a];
  mfft_exact_gather(&read->all.sum);
  mfft_exact_gather(&read->all.squares);
  const double good = (double)n[0] * (double)n[1] * (double)n[2] - (double)read->all.bad;
  if (good > 0) read->mean = mfft_exact_mean(&read->all.sum, good, NULL);
}

/* ---- Values that are NaN or infinite --------------------------------------------------------------------------------- */

static const char *phrase(int64_t bad) { return bad == 1 ? "value that is" : "values that are"; }

static mfft_status refuse_nonfinite(const read_state *read) {
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "'%s' in '%s' holds %" PRId64 " %s NaN or infinite, the first at cell %" PRId64 ",%" PRId64
                       ",%" PRId64 "; correct the file or give --allow-nonfinite",
                       read->info->dataset, read->path, read->all.bad, phrase(read->all.bad), read->all.first[0],
                       read->all.first[1], read->all.first[2]);
}

static mfft_status replace_part(void *context, const mfft_box *part, void *data) {
  const read_state *read = context;
  const int64_t cells = mfft_box_cells(part);
  double run[RUN_CELLS]; /* [count] */
  for (int64_t first = 0; first < cells; first += RUN_CELLS) {
    const int64_t count = cells - first < RUN_CELLS ? cells - first : RUN_CELLS;
    mfft_row_load(read->memory, data, first, count, run);
    substitute(run, count, read->substitute);
    mfft_row_store(read->memory, data, first, count, run);
  }
  return MFFT_SUCCESS;
}

/* Replaces NaN and infinity in an array as wide as the file. */
static mfft_status replace_nonfinite(read_state *read) {
  float single;
  read->substitute = read->mean;
  if (read->memory == MFFT_SINGLE) {
    mfft_row_store(MFFT_SINGLE, &single, 0, 1, &read->substitute);
    mfft_row_load(MFFT_SINGLE, &single, 0, 1, &read->substitute);
  }
  return mfft_app_agree(mfft_sweep(read->array, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, replace_part, read));
}

/* The mean of the array with the substitutes: it differs from that of the others in the last bits. */
static void find_left(read_state *read, double left[2]) {
  const int64_t *n = read->info->n;
  const double times = (double)read->all.bad, more = times * read->substitute;
  mfft_exact_add(&read->all.sum, (double[]){more, fma(times, read->substitute, -more)}, 2);
  left[0] = mfft_exact_mean(&read->all.sum, (double)n[0] * (double)n[1] * (double)n[2], &left[1]) - read->offset;
}

/* ---- Arrays that are narrower than the file -------------------------------------------------------------------------- */

/* Values to be rounded must be of a size that the narrower precision represents with all its digits. */
static mfft_status check_size(read_state *read) {
  mfft_app_reduce(&read->all.largest, 1, MPI_DOUBLE, MPI_MAX, "finding the largest value");
  const int large = read->all.largest > mfft_row_largest_finite(read->memory);
  if (!large && (read->all.largest == 0 || read->all.largest >= mfft_row_smallest_normal(read->memory))) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the values of '%s' in '%s', up to %.3g about %.3g, are too %s for single precision; give "
                       "--precision double, or write the field in other units",
                       read->info->dataset, read->path, read->all.largest, read->offset, large ? "large" : "small");
}

/* Decides on the second reading: rounding loses no digits if the mean is at most as large as the variation about it. */
static mfft_status finish_narrow(read_state *read) {
  const int64_t *n = read->info->n;
  const double squares = mfft_exact_value(&read->all.squares, NULL), cells = (double)n[0] * (double)n[1] * (double)n[2];
  const int dominant = 2 * read->mean * read->mean * (cells - (double)read->all.bad) > squares;
  if (dominant || read->all.bad) {
    read->again = 1;
    read->offset = dominant ? read->mean : 0;
    read->substitute = read->mean;
    const mfft_status status = read_file(read);
    if (status != MFFT_SUCCESS) return status;
  }
  return check_size(read);
}

static mfft_status read_input(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                              mfft_swept *array, mfft_input_found *found) {
  read_state read = {.path = path, .info = info, .array = array, .file = precision, .memory = precision};
  read.narrower = mfft_real_bytes(precision) < mfft_real_bytes(info->precision);
  if (read.narrower) read.file = info->precision;
  mfft_status status = read_file(&read);
  if (status == MFFT_SUCCESS) {
    gather(&read);
    if (read.all.bad && !allow) status = refuse_nonfinite(&read);
  }
  if (status == MFFT_SUCCESS && read.narrower)
    status = finish_narrow(&read);
  else if (status == MFFT_SUCCESS && read.all.bad)
    status = replace_nonfinite(&read);
  *found = (mfft_input_found){.nonfinite = read.all.bad, .mean = read.mean, .offset = read.offset};
  find_left(&read, found->left);
  if (status == MFFT_SUCCESS && read.all.bad)
    mfft_app_note("%" PRId64 " %s NaN or infinite: replaced by the mean of the others", read.all.bad, phrase(read.all.bad));
  return status;
}

mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, mfft_input_found *found) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_READ);
  const mfft_status status = read_input(path, info, precision, allow, array, found);
  mfft_phase_enter(before);
  return status;
}
