// TEST ranks=1,2,3,5 labels=field
// Counting NaN and infinity: how many over all ranks, and the first in C order, for every cut and memory order.
#include "field.h"

static const int64_t n[3] = {7, 20, 31};

static void set(void *array, const mfft_box *box, mfft_precision precision, const int64_t i[3], double value) {
  for (int axis = 0; axis < 3; axis++)
    if (i[axis] < box->lo[axis] || i[axis] >= box->hi[axis]) return;
  int64_t at = mfft_box_offset(box, i);
  if (precision == MFFT_SINGLE)
    ((float *)array)[at] = (float)value;
  else
    ((double *)array)[at] = value;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t where[3][3] = {{6, 0, 0}, {3, 19, 30}, {3, 4, 7}};
  const double what[3] = {NAN, -INFINITY, INFINITY};
  for (int cut = 0; cut < CUT_COUNT; cut++)
    for (int p = 0; p < 2; p++) {
      mfft_box given = cut_box((field_cut)cut, n, world_rank(), world_size()), box = in_order(&given);
      void *values = filled_array(&box, (mfft_precision)p);
      int64_t first[3];
      for (int bad = 0; bad <= 3; bad++) {
        if (bad) set(values, &box, (mfft_precision)p, where[bad - 1], what[bad - 1]);
        int64_t count = -7;
        CHECK_OK(mfft_field_count_nonfinite(MPI_COMM_WORLD, &given, (mfft_precision)p, values, &count, first));
        CHECK(count == bad, "cut %d: %lld, not %d", cut, (long long)count, bad);
        for (int axis = 0; axis < 3; axis++)
          CHECK(first[axis] == (bad ? where[bad - 1][axis] : -1), "cut %d, %d bad: first[%d] is %lld", cut, bad, axis,
                (long long)first[axis]);
      }
      for (int64_t i = 0; i < mfft_box_count(&box); i++)
        if (p == MFFT_SINGLE)
          ((float *)values)[i] = NAN;
        else
          ((double *)values)[i] = NAN;
      int64_t count = 0;
      CHECK_OK(mfft_field_count_nonfinite(MPI_COMM_WORLD, &given, (mfft_precision)p, values, &count, first));
      CHECK(count == n[0] * n[1] * n[2] && !first[0] && !first[1] && !first[2], "%lld", (long long)count);
      CHECK_FAILS(mfft_field_count_nonfinite(MPI_COMM_WORLD, &given, (mfft_precision)p, values, NULL, first), MFFT_ERR_ARG,
                  "NULL");
      free(values);
    }
  const float extremes[3] = {3.4e38f, -1e-45f, 0}; /* large, denormal: finite */
  mfft_box box = {{world_rank(), 0, 0}, {world_rank() + 1, 1, 3}, {0, 1, 2}};
  int64_t count = -1, first[3];
  CHECK_OK(mfft_field_count_nonfinite(MPI_COMM_WORLD, &box, MFFT_SINGLE, extremes, &count, first));
  CHECK(count == 0, "%lld", (long long)count);
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
