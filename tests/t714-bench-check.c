// TEST ranks=1,2,3 labels=apps
// The check of `mergefft bench` accepts right transforms and detects wrong ones, by both kinds of truth: a forward or a
// backward direction that is scaled, and an input that is not that of the truth.
#include <mpi.h>

#include "../apps/bench/bench_array.c"
#include "../apps/bench/bench_check.c"
#include "../apps/bench/bench_rows.c"
#include "../apps/bench/bench_truth.c"
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/gen/noise.c"
#include "../apps/io/rows.c"
#include "check.h"

static mfft_bench_error check_plan(const mfft_desc *planned, const mfft_options *options, const mfft_desc *claimed,
                                   int64_t truth_limit, int64_t sample_limit, int distributed) {
  mfft_bench_case bench = {
      .desc = *claimed, .distributed = distributed, .truth_limit = truth_limit, .sample_limit = sample_limit};
  mfft_bench_error error = {0};
  mfft_bench_array array[2] = {{0}};
  mfft_plan plan = NULL;
  size_t bytes[2];
  CHECK_OK(distributed ? mfft_plan_create_mpi(MPI_COMM_WORLD, planned, options, &plan)
                       : mfft_plan_create(planned, options, &plan));
  for (int s = 0; s < 2; s++) {
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)s, &bytes[s]));
    CHECK_OK(mfft_bench_array_create(plan, bytes[s] + 8, "an array", &array[s]));
  }
  CHECK_OK(mfft_bench_check(&bench, plan, array, &error));
  for (int s = 0; s < 2; s++) mfft_bench_array_destroy(&array[s]);
  mfft_plan_destroy(plan);
  return error;
}

/* Large arrays and batches are checked at sampled positions, from end to end. */
static void check_samples(void) {
  static const struct {
    int rank;
    int64_t n[3], batch, truth;
    const char *words;
  } cases[] = {{1, {1 << 18}, 1, 0, "impulses"},
               {1, {1 << 12}, 60, 1 << 14, "fftw double"},
               {3, {64, 64, 70}, 2, 0, "impulses"},
               {2, {2, 1 << 17}, 1, 1 << 19, "fftw double"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++) {
      mfft_desc right, wrong;
      mfft_options options;
      mfft_desc_init(&right);
      mfft_options_init(&options);
      right.rank = cases[i].rank;
      memcpy(right.n, cases[i].n, sizeof right.n);
      right.batch = cases[i].batch;
      right.kind = (mfft_kind)kind;
      options.effort = MFFT_ESTIMATE;
      mfft_bench_error e = check_plan(&right, &options, &right, cases[i].truth, 1 << 17, 0);
      CHECK(e.rel_l2 <= e.bound && e.round_trip <= e.bound && isnan(e.parseval), "case %zu, right: %g %g %g", i, e.rel_l2,
            e.round_trip, e.parseval);
      CHECK(!strcmp(e.truth, cases[i].words), "case %zu: %s", i, e.truth);
      wrong = right;
      wrong.scale[MFFT_FORWARD] = MFFT_SCALE_FULL;
      e = check_plan(&wrong, &options, &right, cases[i].truth, 1 << 17, 0);
      CHECK(e.rel_l2 > 0.5 && e.round_trip > 0.5, "case %zu, forward scaled: %g %g", i, e.rel_l2, e.round_trip);
    }
}

/* Pieces cover every element of the rows once, or a part of them from the first to the last. */
static void check_pieces(void) {
  static const int64_t shapes[][2] = {{3, 100}, {70000, 3}, {2, 200000}, {1, 1 << 20}, {5, 1 << 16}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const int64_t count = shapes[i][0], row = shapes[i][1];
    const mfft_bench_rows rows = {.row = row, .rows = count, .reals = 2, .pitch = 2 * row};
    const mfft_bench_pieces all = mfft_bench_cut(&rows, 4, count, 0), some = mfft_bench_cut(&rows, 4, count, 1 << 17);
    unsigned char *seen = calloc((size_t)(count * row), 1);
    int64_t elements = 0, missed = 0;
    for (int64_t p = 0; p < all.taken; p++) {
      const mfft_bench_piece piece = mfft_bench_piece_at(&all, p);
      for (int64_t r = 0; r < piece.rows; r++)
        for (int64_t e = 0; e < piece.count; e++) seen[(piece.row - 4 + r) * row + piece.first + e]++;
    }
    for (int64_t e = 0; e < count * row; e++) missed += seen[e] != 1;
    CHECK(missed == 0, "shape %zu: %lld elements are not in one piece", i, (long long)missed);
    for (int64_t p = 0; p < some.taken; p++) {
      const mfft_bench_piece piece = mfft_bench_piece_at(&some, p);
      elements += piece.rows * piece.count;
      CHECK(p || (piece.row == 4 && piece.first == 0), "shape %zu: the first piece", i);
      if (p == some.taken - 1)
        CHECK(piece.row + piece.rows == 4 + count && piece.first + piece.count == row, "shape %zu: the last piece", i);
    }
    CHECK(elements <= 1 << 17, "shape %zu: %lld elements", i, (long long)elements);
    free(seen);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const int64_t shapes[][3] = {{12, 10, 14}, {2, 3, 8}};
  for (int s = 0; s < 2; s++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++)
      for (int order = MFFT_ORDER_NATURAL; order <= MFFT_ORDER_TRANSPOSED; order++)
        for (int64_t limit = 0; limit <= 1 << 20; limit += 1 << 20) {
          mfft_desc right, wrong;
          mfft_options options;
          mfft_desc_init(&right);
          mfft_options_init(&options);
          memcpy(right.n, shapes[s], sizeof right.n);
          right.kind = kind;
          right.order = order;
          right.batch = 2;
          options.effort = MFFT_ESTIMATE;
          mfft_bench_error e = check_plan(&right, &options, &right, limit, 0, 1);
          CHECK(e.rel_l2 <= e.bound && e.round_trip <= e.bound && e.parseval <= 1e-13 && e.bound < 1e-14, "right: %g %g %g",
                e.rel_l2, e.round_trip, e.parseval);
          CHECK(!strcmp(e.truth, limit ? "fftw double" : "impulses"), "truth %s", e.truth);
          wrong = right;
          wrong.scale[MFFT_FORWARD] = MFFT_SCALE_SQRT;
          e = check_plan(&wrong, &options, &right, limit, 0, 1);
          CHECK(e.rel_l2 > 0.5 && e.round_trip > 0.5 && e.parseval > 0.5, "forward scaled: %g %g %g", e.rel_l2, e.round_trip,
                e.parseval);
          wrong = right;
          wrong.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
          e = check_plan(&wrong, &options, &right, limit, 0, 1);
          CHECK(e.rel_l2 <= e.bound && e.round_trip > 0.5, "backward scaled: %g %g", e.rel_l2, e.round_trip);
          if (s == 0) { /* the axes are exchanged: the same number of elements of another array */
            wrong = right;
            wrong.n[0] = right.n[1];
            wrong.n[1] = right.n[0];
            e = check_plan(&right, &options, &wrong, limit, 0, 1);
            CHECK(e.rel_l2 > 0.1, "axes exchanged: %g", e.rel_l2);
          }
        }
  check_pieces();
  check_samples();
  MPI_Finalize();
  return test_end();
}
