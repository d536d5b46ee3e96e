// TEST ranks=1,2,3 labels=apps
// TEST ranks=1,2,4 labels=apps+cuda timeout=300 args=cuda
// TEST ranks=2 labels=apps+emulated timeout=300 args=cuda
// The solver on a backend: its own check accepts a right solution and detects a wrong one: another coefficient, one damaged
// value, a NaN.  Through buffers, as on a device, and by several threads it computes the same numbers, bit by bit.  What a
// device finds in its memory is what the host finds in the values that are copied to it.  On a device phi and the force
// between walls and with open axes are those of the host.
#define _XOPEN_SOURCE 700 /* j0, j1 of open_symbol.c */
#include <mpi.h>

#include "../apps/cli/available.c"
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/name_list.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/phases.c"
#include "../apps/cli/plan_options.c"
#include "../apps/cli/process.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/json_absent.c"
#include "../apps/io/rows.c"
#include "../apps/io/save.c"
#include "../apps/io/sweep.c"
#include "../apps/io/threads.c"
#include "../apps/mesh/exact_sum.c"
#include "../apps/mesh/move_box.c"
#include "../apps/mesh/window.c"
#include "../apps/poisson/boundary.c"
#include "../apps/poisson/greens.c"
#include "../apps/poisson/inspect.c"
#include "../apps/poisson/open.c"
#include "../apps/poisson/open_kernel.c"
#include "../apps/poisson/open_symbol.c"
#include "../apps/poisson/poisson_solver.c"
#include "../apps/poisson/residual.c"
#include "../apps/poisson/solver_moments.c"
#include "../apps/poisson/solver_output.c"
#include "../apps/poisson/solver_pass.c"
#include "../apps/poisson/solver_rows.c"
#include "../apps/poisson/solver_source.c"
#include "../apps/poisson/solver_verify.c"
#include "../apps/poisson/wall.c"
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

/* Replaces environment.c, which would query all libraries for their versions. */
int64_t mfft_environment_available_bytes(void) { return 0; }

static const char *backend;
static int buffered;      /* the field passes through buffers */
static double seen[1680]; /* [cells] phi as the last sweep read it */

enum { RIGHT, COEFFICIENT, DAMAGED, NOT_A_NUMBER };

/* Damages the real number `i` of the spectrum, in the memory of the backend. */
static void damage(const mfft_poisson *poisson, int64_t i, double value) {
  size_t bytes = mfft_real_bytes(poisson->precision);
  double stored;
  mfft_row_store(poisson->precision, &stored, 0, 1, &value);
  CHECK_OK(mfft_memory_upload(poisson->real.backend, (char *)poisson->spectrum + (size_t)i * bytes, &stored, bytes));
}

/* The array that a step works on. */
typedef struct spot {
  mfft_precision stored;
  const mfft_box *box;
  mfft_swept *field;
  uint64_t seed;
  int64_t at;
  mfft_exact_sum sum; /* of the values as they are stored */
  mfft_poisson_inspection inspection;
} spot;

static mfft_status fill(void *context, const mfft_box *part, void *data) {
  spot *p = context;
  for (int64_t i = 0; i < mfft_box_cells(part); i++) {
    double value = 5 + test_random(&p->seed);
    mfft_row_store(p->stored, data, i, 1, &value);
    mfft_row_load(p->stored, data, i, 1, &value);
    mfft_exact_add(&p->sum, &value, 1);
  }
  return MFFT_SUCCESS;
}

static mfft_status see(void *context, const mfft_box *part, void *data) {
  spot *p = context;
  mfft_row_load(p->stored, data, 0, mfft_box_cells(part), seen + p->at);
  p->at += mfft_box_cells(part);
  return mfft_poisson_inspect(&p->inspection, p->at % 3 == 0, part, data);
}

/* Inspects phi where it lies, by a device, and on the host as it is copied; returns the check of the first, or of the only
 * one there is. */
static mfft_poisson_check inspect(mfft_poisson *poisson, spot *spot, double coefficient) {
  const mfft_projection source = poisson->source_share; /* gathered by each check */
  const int rows = mfft_poisson_by_rows(poisson);
  double largest, largest_there = 0, want = 0;
  uint64_t checksum;
  mfft_poisson_check there = {.passed = 0};
  poisson->options.coefficient = coefficient;
  if (rows) {
    CHECK_OK(mfft_poisson_inspect_rows(poisson, -1, &largest_there, &checksum));
    there = mfft_poisson_verify(poisson);
    poisson->source_share = source;
  }
  CHECK_OK(mfft_poisson_inspect_begin(poisson, -1, 2, &spot->inspection));
  const mfft_status looked = mfft_sweep(spot->field, MFFT_SWEEP_READS, see, spot);
  CHECK_OK(mfft_poisson_inspect_end(&spot->inspection, looked, &largest));
  for (int64_t i = 0; i < spot->at; i++) want = fmax(want, isnan(seen[i]) ? INFINITY : fabs(seen[i]));
  MPI_Allreduce(MPI_IN_PLACE, &want, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CHECK(largest == want, "the largest value is %g, want %g", largest, want);
  const mfft_poisson_check here = mfft_poisson_verify(poisson);
  if (!rows) return here;
  const double rounding = poisson->precision == MFFT_DOUBLE ? here.explained : 1e-6 * here.residual;
  CHECK(largest_there == want, "the largest value on the device is %g, want %g", largest_there, want);
  CHECK(there.passed == here.passed, "the device finds a residual of %g, the host %g", there.residual, here.residual);
  CHECK(!here.passed || fabs(there.residual - here.residual) <= rounding,
        "the device finds a residual of %.9g, the host %.9g", there.residual, here.residual);
  CHECK(!here.passed || fabs(there.explained / here.explained - 1) < 1e-12, "%g, on the host %g", there.explained,
        here.explained);
  return there;
}

static mfft_poisson_check solve(mfft_precision precision, int fault) {
  mfft_poisson_options options = {.greens = {.n = {12, 10, 14}, .length = {1, 2, 3}, .laplacian = MFFT_LAPLACIAN_FD2},
                                  .coefficient = 3,
                                  .check = 1,
                                  .buffered = buffered,
                                  .sweep = {.part_mib = buffered ? 1e-3 : 32}};
  mfft_poisson poisson;
  mfft_desc desc;
  mfft_options how;
  mfft_precision stored;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  desc.precision = precision;
  how.effort = MFFT_ESTIMATE;
  how.backend = backend;
  CHECK_OK(mfft_poisson_create(&options, &desc, &how, &poisson));
  mfft_swept *field = mfft_poisson_field(&poisson, &stored);
  const mfft_box *box = &poisson.box;
  spot spot = {.stored = stored, .box = box, .field = field, .seed = (uint64_t)box->lo[0] + 100 * (uint64_t)box->lo[1]};
  CHECK_OK(mfft_sweep(field, MFFT_SWEEP_WRITES, fill, &spot));
  double left[2];
  mfft_exact_gather(&spot.sum);
  left[0] = mfft_exact_mean(&spot.sum, poisson.cells, &left[1]);
  CHECK_OK(mfft_poisson_centre(&poisson, left[0], left, stored));
  CHECK_OK(mfft_poisson_source(&poisson));
  CHECK(fabs(poisson.mean - 5) < 0.1 && fabs(poisson.rms - sqrt(1 / 12.)) < 0.05, "mean %g rms %g", poisson.mean,
        poisson.rms);
  /* Faults between the transform and the check, on one rank or on all. */
  if (fault == COEFFICIENT) poisson.options.coefficient = 3.3;
  if (fault == NOT_A_NUMBER && mfft_app_rank() == 0) damage(&poisson, 2, NAN);
  if (fault == DAMAGED && mfft_app_rank() == 0) damage(&poisson, 9, 100);
  CHECK_OK(mfft_poisson_output(&poisson, -1));
  const mfft_poisson_check check = inspect(&poisson, &spot, 3);
  CHECK(spot.at == mfft_box_cells(box), "%d cells were seen", (int)spot.at);
  mfft_poisson_destroy(&poisson);
  mfft_poisson_destroy(&poisson);
  return check;
}

/* ---- Forces of all boundaries ---------------------------------------------------------------------------------------- */

static mfft_status read_output(void *context, const mfft_box *part, void *data) {
  spot *p = context;
  mfft_row_load(p->stored, data, 0, mfft_box_cells(part), seen + p->at);
  p->at += mfft_box_cells(part);
  return MFFT_SUCCESS;
}

/* Solves for a random source; output: [4][1680] phi and the components of the force on this rank. */
static int64_t solve_forces(const char *where, const mfft_boundary boundary[3], mfft_precision precision, double *output) {
  mfft_poisson_options options = {.greens = {.n = {12, 10, 14}, .length = {1, 2, 3}, .gradient = MFFT_GRADIENT_SPECTRAL},
                                  .coefficient = 3,
                                  .sweep = {.part_mib = 32}};
  mfft_poisson poisson;
  mfft_desc desc;
  mfft_options how;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memcpy(options.greens.boundary, boundary, sizeof options.greens.boundary);
  desc.precision = precision;
  how.effort = MFFT_ESTIMATE;
  how.backend = where;
  CHECK_OK(mfft_poisson_create(&options, &desc, &how, &poisson));
  const int64_t cells = mfft_box_cells(&poisson.box);
  spot spot = {.box = &poisson.box, .field = mfft_poisson_field(&poisson, &precision), .stored = precision};
  spot.seed = 1 + (uint64_t)poisson.box.lo[0] + 100 * (uint64_t)poisson.box.lo[1];
  CHECK_OK(mfft_sweep(spot.field, MFFT_SWEEP_WRITES, fill, &spot));
  CHECK_OK(mfft_poisson_centre(&poisson, 5, (double[]){5, 0}, precision));
  CHECK_OK(mfft_poisson_source(&poisson));
  for (int axis = -1; axis < 3; axis++) {
    spot.at = 0;
    CHECK_OK(mfft_poisson_output(&poisson, axis));
    CHECK_OK(mfft_sweep(spot.field, MFFT_SWEEP_READS, read_output, &spot));
    memcpy(output + 1680 * (axis + 1), seen, (size_t)cells * sizeof *seen);
  }
  mfft_poisson_destroy(&poisson);
  return cells;
}

static void compare_forces(void) {
  static const mfft_boundary kinds[][3] = {{MFFT_DIRICHLET, MFFT_NEUMANN, MFFT_PERIODIC},
                                           {MFFT_NEUMANN, MFFT_DIRICHLET, MFFT_DIRICHLET},
                                           {MFFT_OPEN, MFFT_OPEN, MFFT_OPEN},
                                           {MFFT_PERIODIC, MFFT_OPEN, MFFT_OPEN}};
  static double there[4 * 1680], here[4 * 1680];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (mfft_precision p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
      if (test_small() && (size_t)p != k % 2) continue; /* kernels of the emulated GPU take long to compile */
      const int64_t cells = solve_forces(backend, kinds[k], p, there);
      CHECK(solve_forces("fftw", kinds[k], p, here) == cells, "other boxes on the host");
      for (int output = 0; output < 4; output++) {
        double sum[2] = {0, 0}; /* squares of the difference and of the values, over all ranks */
        for (int64_t i = 1680 * output; i < 1680 * output + cells; i++) {
          sum[0] += (there[i] - here[i]) * (there[i] - here[i]);
          sum[1] += here[i] * here[i];
        }
        MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        const double error = sqrt(sum[0] / sum[1]), bound = p == MFFT_DOUBLE ? 3e-15 : 1e-6;
        CHECK(error < bound, "boundaries %d,%d,%d precision %d output %d: %g from the host", (int)kinds[k][0],
              (int)kinds[k][1], (int)kinds[k][2], (int)p, output, error);
      }
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  backend = argc > 1 ? argv[1] : "fftw";
  if (!mfft_backend_usable(backend, NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  static const mfft_precision precisions[] = {MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF};
  for (int p = 0; p < 3; p++) {
    mfft_poisson_check right = solve(precisions[p], RIGHT), nan = solve(precisions[p], NOT_A_NUMBER);
    CHECK(right.passed && right.residual > 0, "precision %d: residual %g, explained %g", p, right.residual, right.explained);
    CHECK(!nan.passed, "precision %d: a NaN passes with residual %g", p, nan.residual);
    static double whole[1680];
    solve(precisions[p], RIGHT);
    memcpy(whole, seen, sizeof seen);
    buffered = 1;
    mfft_poisson_check parts = solve(precisions[p], RIGHT);
    buffered = 0;
    CHECK(!memcmp(whole, seen, sizeof seen), "precision %d: another phi through buffers", p);
    pool = mfft_workers_create(4);
    mfft_poisson_check many = solve(precisions[p], RIGHT);
    mfft_threads_end();
    CHECK(!memcmp(whole, seen, sizeof seen), "precision %d: another phi by threads", p);
    CHECK(many.residual == right.residual && many.explained == right.explained, "precision %d: residual %.17g and %.17g", p,
          many.residual, right.residual);
    CHECK(parts.residual == right.residual && parts.explained == right.explained, "precision %d: residual %.17g and %.17g",
          p, parts.residual, right.residual);
    if (precisions[p] == MFFT_HALF) continue; /* its rounding, times the eigenvalues, is larger than these faults */
    mfft_poisson_check other = solve(precisions[p], COEFFICIENT), damaged = solve(precisions[p], DAMAGED);
    CHECK(!other.passed && other.residual > 0.03 && other.residual < 0.3, "precision %d: 10 %% too deep gives %g", p,
          other.residual);
    CHECK(!damaged.passed, "precision %d: a damaged mode passes with residual %g of %g", p, damaged.residual,
          damaged.explained);
  }
  if (strcmp(backend, "fftw") != 0) compare_forces();
  MPI_Finalize();
  return test_end();
}
