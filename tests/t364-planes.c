// TEST ranks=1,2,4 labels=dist args=fftw
/* Boxes of arrays of one and two axes: with any grid rows are shared among all ranks, the axes that the array lacks have
 * length 1 on ranks without elements too, and a transform of the plane is right. */
#include "dist.h"

static int rank, ranks;

static mfft_plan make(const char *backend, const mfft_desc *d, int p, int q) {
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_options_init(&options);
  options.backend = backend, options.effort = MFFT_ESTIMATE;
  options.grid[0] = p, options.grid[1] = q;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, &options, &plan));
  return plan;
}

/* The boxes of a plan have all elements, and on no rank more than `most`. */
static void check_boxes(mfft_plan plan, const mfft_desc *d, const char *name, int64_t most) {
  for (int side = 0; side < 2; side++) {
    mfft_box box;
    CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box));
    int64_t mine = 1, all = 0, total = 1;
    for (int a = 0; a < 3; a++) mine *= box.hi[a] - box.lo[a];
    for (int a = 0; a < d->rank; a++) total *= d->n[a];
    for (int a = d->rank; a < 3; a++)
      CHECK(box.lo[a] == 0 && box.hi[a] == 1, "%s, side %d, rank %d: axis %d is [%lld,%lld)", name, side, rank, a,
            (long long)box.lo[a], (long long)box.hi[a]);
    CHECK(mine <= most, "%s, side %d: rank %d has %lld elements", name, side, rank, (long long)mine);
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == total, "%s, side %d: %lld elements", name, side, (long long)all);
  }
}

/* A wave of the plane has one number in its spectrum. */
static void check_wave(mfft_plan plan, const mfft_desc *d, const char *name) {
  mfft_box box[2];
  int64_t i[2]; /* [axis] */
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box[side]));
  double *x[2]; /* [side] */
  for (int side = 0; side < 2; side++) {
    size_t bytes;
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes));
    x[side] = malloc(bytes + 1);
  }
  double *at = x[0];
  for (i[0] = box[0].lo[0]; i[0] < box[0].hi[0]; i[0]++)
    for (i[1] = box[0].lo[1]; i[1] < box[0].hi[1]; i[1]++) {
      const double turn = 2 * acos(-1) * (5.0 * (double)i[0] / (double)d->n[0] + 3.0 * (double)i[1] / (double)d->n[1]);
      *at++ = cos(turn), *at++ = sin(turn);
    }
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x[0], x[1]));
  at = x[1];
  for (i[0] = box[1].lo[0]; i[0] < box[1].hi[0]; i[0]++)
    for (i[1] = box[1].lo[1]; i[1] < box[1].hi[1]; i[1]++, at += 2) {
      const double truth = i[0] == 5 && i[1] == 3 ? (double)(d->n[0] * d->n[1]) : 0;
      CHECK(fabs(at[0] - truth) + fabs(at[1]) < 1e-9, "%s: %g + %g i at %lld, %lld", name, at[0], at[1], (long long)i[0],
            (long long)i[1]);
    }
  free(x[0]), free(x[1]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_desc d;
  mfft_desc_init(&d);
  d.rank = 2, d.n[0] = 64, d.n[1] = 8;
  const int grids[][2] = {{0, 0},
                          {ranks, 1},
                          {1, ranks},
                          {ranks, 0},
                          {ranks / 2 + (ranks == 1), ranks > 1 ? 2 : 1},
                          {0, ranks},
                          {0, ranks > 1 ? 2 : 1}}; /* [][2] */
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
    char name[64];
    snprintf(name, sizeof name, "grid %d x %d", grids[g][0], grids[g][1]);
    mfft_plan plan = make(argv[1], &d, grids[g][0], grids[g][1]);
    check_boxes(plan, &d, name, 64 * 8 / ranks);
    check_wave(plan, &d, name);
    mfft_plan_destroy(plan);
  }
  const int wrong[][2] = {{3, 0}, {3, 2}, {65536, 65536}, {0, 7}}; /* [][2] */
  for (size_t g = 0; g < sizeof wrong / sizeof *wrong; g++) {
    char words[64];
    mfft_options options;
    mfft_plan plan = NULL;
    mfft_options_init(&options);
    options.backend = argv[1], options.grid[0] = wrong[g][0], options.grid[1] = wrong[g][1];
    snprintf(words, sizeof words, "options.grid is %d x %d", wrong[g][0], wrong[g][1]);
    CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan), MFFT_ERR_ARG, words);
  }
  d.n[1] = 1;
  mfft_plan line = make(argv[1], &d, 0, 0);
  check_boxes(line, &d, "64 x 1", 64);
  mfft_plan_destroy(line);
  d.rank = 1, d.kind = MFFT_R2R, d.axis_kind[0] = MFFT_DCT2;
  line = make(argv[1], &d, 0, 0);
  check_boxes(line, &d, "cosines", 64);
  mfft_plan_destroy(line);
  MPI_Finalize();
  return test_end();
}
