// TEST ranks=1,3
// The calls on arrays of distributed plans whose rows of reals have space for their half spectrum: noise, sums, products and
// rows are those of a plan without that space, which is not touched.  Arrays that overlap in part are refused.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mfft_array.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"

enum { X = 5, Y = 4, Z = 6, PADDED = 8, PLACES = X * Y * PADDED }; /* reals of a row: Z, and Z/2 + 1 complexes */
static const double SPACE = 1e6;                                   /* what is in the space behind a row */

typedef enum layout { PACKED, PADDED_ROWS, IN_PLACE, LAYOUTS } layout;

static mfft_plan make(layout how) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  d.rank = 3, d.n[0] = X, d.n[1] = Y, d.n[2] = Z, d.kind = MFFT_R2C;
  d.padded = how == PADDED_ROWS;
  if (how == IN_PLACE) d.placement = MFFT_IN_PLACE;
  o.backend = "fftw", o.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &plan));
  return plan;
}

static int64_t rows_of(mfft_plan plan) {
  mfft_box box;
  CHECK_OK(mfft_plan_box(plan, MFFT_IN, &box));
  return (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]);
}

/* The array after all calls, without the space behind its rows, and two of its sums. */
typedef struct results {
  double row[X * Y][Z], sum, largest;
} results;

static void run(layout how, results *r) {
  const int row = how == PACKED ? Z : PADDED;
  static double a[PLACES + PADDED];
  mfft_plan plan = make(how);
  mfft_normal normal;
  mfft_sums sums;
  mfft_rows rows;
  const int64_t count = rows_of(plan);
  for (int i = 0; i < PLACES + PADDED; i++) a[i] = SPACE;
  mfft_normal_init(&normal);
  mfft_sums_init(&sums);
  mfft_rows_init(&rows);
  CHECK_OK(mfft_plan_fill_normal(plan, MFFT_IN, &normal, a));
  CHECK_OK(mfft_plan_multiply_add(plan, MFFT_IN, 2, a, a, 1, a)); /* 2 a^2 + a */
  rows.factor = 0.5, rows.store = 1;
  CHECK_OK(mfft_plan_rows(plan, MFFT_IN, a, &rows));
  CHECK_OK(mfft_plan_sums(plan, MFFT_IN, a, &sums));
  r->sum = mfft_exact_value(&sums.sum, NULL), r->largest = sums.max;
  int touched = 0;
  for (int64_t i = 0; i < count; i++)
    for (int z = 0; z < row; z++) {
      if (z < Z) r->row[i][z] = a[i * row + z];
      if (z >= Z) touched += a[i * row + z] != SPACE;
    }
  CHECK(!touched, "layout %d: %d numbers behind rows have changed", (int)how, touched);
  if (count && how == PACKED) {
    mfft_status status = mfft_plan_multiply_add(plan, MFFT_IN, 1, a, a, 1, a + 1);
    CHECK(status == MFFT_ERR_ARG && strstr(mfft_last_error(), "a and c overlap"), "%d: %s", (int)status, mfft_last_error());
  }
  mfft_plan_destroy(plan);
}

/* A product with a function of |k| into an array that begins within its input. */
static void overlapping(void) {
  static double spectrum[2 * PLACES + 2], value[4] = {2, 2, 2, 2}, radius[3][X + Y + Z];
  mfft_plan plan = make(PACKED);
  mfft_radial radial;
  mfft_radial_init(&radial);
  radial.count = 4, radial.value = value, radial.lo = 1, radial.hi = 10;
  for (int axis = 0; axis < 3; axis++) radial.radius[axis] = radius[axis];
  if (rows_of(plan))
    CHECK_FAILS(mfft_plan_multiply_radial(plan, &radial, spectrum, spectrum + 2), MFFT_ERR_ARG, "in and out");
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  static results r[LAYOUTS];
  MPI_Init(&argc, &argv);
  for (int how = 0; how < LAYOUTS; how++) {
    run((layout)how, &r[how]);
    CHECK(!memcmp(&r[how], &r[PACKED], sizeof r[how]), "layout %d: sum %.17g, of packed rows %.17g", how, r[how].sum,
          r[PACKED].sum);
  }
  CHECK(r[PACKED].largest > 0, "nothing was filled");
  overlapping();
  MPI_Finalize();
  return test_end();
}
