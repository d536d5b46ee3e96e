/* nonfinite.c: counting NaN and infinity. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "field/arguments.h"

/* Rows of 128 values: one quick look each, exact only where something is wrong.  x - x is 0 for finite x and NaN otherwise.
 */
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

static void count_here(const mfft_box *box, mfft_precision precision, const void *data, int64_t *count, int64_t first[3]) {
  int64_t total = mfft_box_count(box),
          (*find)(const void *, int64_t, int64_t) = precision == MFFT_SINGLE ? find_single : find_double;
  *count = 0;
  for (int64_t at = find(data, total, 0); at >= 0; at = find(data, total, at + 1)) {
    int64_t index[3]; /* [axis] */
    index_of(box, at, index);
    if (!*count || before(index, first)) memcpy(first, index, sizeof index);
    ++*count;
  }
}

mfft_status mfft_field_count_nonfinite(MPI_Comm comm, const mfft_box *box, mfft_precision precision, const void *data,
                                       int64_t *count, int64_t first[3]) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_box part;
  int64_t here[4] = {0, 0, 0, 0}; /* count, first */
  int64_t *all = NULL;            /* [size][4] */
  mfft_status status;
  MFFT_GOTO(done, mfft_comm_duplicate(comm, &mine));
  const int64_t n[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
  status = mfft_field_check_array(box, n, precision, data, &part);
  if (status == MFFT_SUCCESS && (!count || !first)) status = mfft_fail(MFFT_ERR_ARG, "count or first is NULL");
  int size = mfft_comm_size(mine);
  all = malloc((size_t)size * sizeof here);
  if (!all && status == MFFT_SUCCESS) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the counts of %d ranks", size);
  MFFT_GOTO(done, mfft_agree(mine, status));

  count_here(&part, precision, data, &here[0], &here[1]);
  MFFT_GOTO(done, mfft_collective_allgather(mine, here, sizeof here, all, "collecting what was found"));
  *count = 0;
  for (int axis = 0; axis < 3; axis++) first[axis] = -1;
  for (int r = 0; r < size; r++) {
    if (!all[4 * r]) continue;
    if (!*count || before(&all[4 * r + 1], first)) memcpy(first, &all[4 * r + 1], 3 * sizeof *first);
    *count += all[4 * r];
  }
done:
  free(all);
  mfft_comm_free(&mine);
  return status;
}
