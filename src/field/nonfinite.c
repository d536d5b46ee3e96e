/* nonfinite.c: counts NaN and infinity. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "field/arguments.h"
#include "field/convert.h"
#include "field/pool.h"

/* Rows of 128 values: one fast test each, and an exact one only if it fails.  x - x is 0 for finite x and NaN otherwise. */
enum { ROW = 128 };

#define FIND(name, real)                                                \
  static int64_t name(const void *data, int64_t total, int64_t start) { \
    const real *v = data;                                               \
    for (int64_t row = start; row < total; row += ROW) {                \
      int64_t end = row + ROW < total ? row + ROW : total;              \
      int bad = 0;                                                      \
      for (int64_t i = row; i < end; i++) bad |= !(v[i] - v[i] == 0);   \
      if (!bad) continue;                                               \
      for (int64_t i = row; i < end; i++)                               \
        if (!isfinite(v[i])) return i;                                  \
    }                                                                   \
    return -1;                                                          \
  }
FIND(find_single, float)
FIND(find_double, double)

/* The global index of element `at` of the array of a box. */
static void index_of(const mfft_box *box, int64_t at, int64_t index[3]) {
  for (int level = 2; level >= 0; level--) {
    int axis = box->order[level];
    int64_t extent = mfft_box_extent(box, axis);
    index[axis] = box->lo[axis] + at % extent;
    at /= extent;
  }
}

static int before(const int64_t a[3], const int64_t b[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (a[axis] != b[axis]) return a[axis] < b[axis];
  return 0;
}

void mfft_field_find_nonfinite(const mfft_box *box, mfft_precision precision, const void *values, int64_t *count,
                               int64_t first[3]) {
  int64_t (*const find)(const void *, int64_t, int64_t) = precision == MFFT_SINGLE ? find_single : find_double;
  const int64_t total = mfft_box_count(box);
  for (int64_t at = find(values, total, 0); at >= 0; at = find(values, total, at + 1)) {
    int64_t index[3]; /* [axis] */
    index_of(box, at, index);
    if (!*count || before(index, first)) memcpy(first, index, sizeof index);
    ++*count;
  }
}

/* An array that several threads search, divided along the slowest axis of its memory. */
enum { MOST_PARTS = 256 };
typedef struct counting {
  const mfft_box *box;
  mfft_precision precision;
  const void *data;
  int64_t parts;
  int64_t found[MOST_PARTS][4]; /* [parts] count, first */
} counting;

static mfft_status count_part(void *context, int64_t part, int worker) {
  (void)worker;
  counting *c = context;
  mfft_box piece = *c->box;
  const int axis = piece.order[0];
  const int64_t extent = mfft_box_extent(&piece, axis), row = mfft_box_count(&piece) / extent;
  const int64_t from = mfft_part(extent, part, c->parts);
  piece.lo[axis] = c->box->lo[axis] + from;
  piece.hi[axis] = c->box->lo[axis] + mfft_part(extent, part + 1, c->parts);
  mfft_field_find_nonfinite(&piece, c->precision, (const char *)c->data + from * row * mfft_value_bytes(c->precision),
                            &c->found[part][0], &c->found[part][1]);
  return MFFT_SUCCESS;
}

/* Adds the results of several threads; first is -1 if none has found any. */
static void add_found(const int64_t (*found)[4], int64_t several, int64_t *count, int64_t first[3]) {
  *count = 0;
  for (int axis = 0; axis < 3; axis++) first[axis] = -1;
  for (int64_t i = 0; i < several; i++) {
    if (!found[i][0]) continue;
    if (!*count || before(&found[i][1], first)) memcpy(first, &found[i][1], 3 * sizeof *first);
    *count += found[i][0];
  }
}

/* Counts by so many threads, if the array is large enough: at 8 GB/s a MiB takes 0.1 ms, as long as the start of a thread.
 */
static void count_here(const mfft_box *box, mfft_precision precision, const void *data, int threads, int64_t here[4]) {
  counting c = {.box = box, .precision = precision, .data = data};
  const int64_t extent = mfft_box_extent(box, box->order[0]), worth = mfft_box_count(box) >> 18;
  c.parts = extent < MOST_PARTS ? extent : MOST_PARTS;
  mfft_workers workers = mfft_workers_create(threads < worth ? threads : (int)worth);
  (void)mfft_workers_run(workers, mfft_box_empty(box) ? 0 : c.parts, count_part, &c);
  mfft_workers_destroy(workers);
  add_found((const int64_t(*)[4])c.found, c.parts, &here[0], &here[1]);
}

mfft_status mfft_field_count_nonfinite(MPI_Comm comm, const mfft_box *box, mfft_precision precision, const void *data,
                                       int64_t *count, int64_t first[3]) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_box part;
  int64_t here[4];         /* count, first */
  int64_t(*all)[4] = NULL; /* [size] */
  mfft_status status;
  int threads;
  MFFT_GOTO(done, mfft_comm_duplicate(comm, &mine));
  const int64_t n[3] = {INT64_MAX, INT64_MAX, INT64_MAX}; /* [axis] */
  status = mfft_field_check_array(box, n, precision, data, &part);
  if (status == MFFT_SUCCESS && (!count || !first))
    status = mfft_fail(MFFT_ERR_ARG, "%s is NULL; pass its address", count ? "first" : "count");
  int size = mfft_comm_size(mine);
  all = malloc((size_t)size * sizeof here);
  if (!all && status == MFFT_SUCCESS) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the counts of %d ranks", size);
  MFFT_GOTO(done, mfft_agree(mine, status));
  MFFT_GOTO(done, mfft_pool_threads(mine, &threads));
  count_here(&part, precision, data, threads, here);
  MFFT_GOTO(done, mfft_collective_allgather(mine, here, sizeof here, all, "collecting what was found"));
  add_found((const int64_t(*)[4])all, size, count, first);
done:
  free(all);
  mfft_comm_free(&mine);
  return status;
}
