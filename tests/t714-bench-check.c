// TEST ranks=1,2,3 labels=apps
// The check of `mergefft bench` passes right transforms and finds wrong ones, by both kinds of truth: a forward or a
// backward direction that is scaled, and an input that is not the one that the truth is of.
#include <mpi.h>

#include "../apps/bench_check.c"
#include "../apps/bench_rows.c"
#include "../apps/bench_truth.c"
#include "../apps/cli.c"
#include "../apps/cli_help.c"
#include "../apps/cli_value.c"
#include "../apps/peer.c"
#include "../apps/progress.c"
#include "../apps/report.c"
#include "../apps/rows.c"
#include "check.h"

static mfft_bench_error check_plan(const mfft_desc *planned, const mfft_desc *claimed, int64_t truth_limit) {
  mfft_bench_case bench = {.desc = *claimed, .distributed = 1, .truth_limit = truth_limit};
  mfft_bench_error error = {0};
  mfft_plan plan = NULL;
  size_t bytes[2];
  void *in = NULL, *out = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, planned, &plan));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[0]));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[1]));
  CHECK_OK(mfft_alloc(bytes[0] + 8, &in));
  CHECK_OK(mfft_alloc(bytes[1] + 8, &out));
  CHECK_OK(mfft_bench_check(&bench, plan, in, out, &error));
  mfft_free(in);
  mfft_free(out);
  mfft_plan_destroy(plan);
  return error;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const int64_t shapes[][3] = {{12, 10, 14}, {2, 3, 8}};
  for (int s = 0; s < 2; s++)
    for (int kind = MFFT_C2C; kind <= MFFT_R2C; kind++)
      for (int order = MFFT_ORDER_NATURAL; order <= MFFT_ORDER_TRANSPOSED; order++)
        for (int64_t limit = 0; limit <= 1 << 20; limit += 1 << 20) {
          mfft_desc right, wrong;
          mfft_desc_init(&right);
          memcpy(right.n, shapes[s], sizeof right.n);
          right.kind = kind;
          right.order = order;
          right.batch = 2;
          right.effort = MFFT_ESTIMATE;
          mfft_bench_error e = check_plan(&right, &right, limit);
          CHECK(e.rel_l2 <= e.bound && e.round_trip <= e.bound && e.parseval <= 1e-13 && e.bound < 1e-14, "right: %g %g %g",
                e.rel_l2, e.round_trip, e.parseval);
          CHECK(!strcmp(e.truth, limit ? "fftw double" : "impulses"), "truth %s", e.truth);
          wrong = right;
          wrong.scale[MFFT_FORWARD] = MFFT_SCALE_SQRT;
          e = check_plan(&wrong, &right, limit);
          CHECK(e.rel_l2 > 0.5 && e.round_trip > 0.5 && e.parseval > 0.5, "forward scaled: %g %g %g", e.rel_l2, e.round_trip,
                e.parseval);
          wrong = right;
          wrong.scale[MFFT_BACKWARD] = MFFT_SCALE_SQRT;
          e = check_plan(&wrong, &right, limit);
          CHECK(e.rel_l2 <= e.bound && e.round_trip > 0.5, "backward scaled: %g %g", e.rel_l2, e.round_trip);
          if (s == 0) { /* the axes change places: the same number of elements of another array */
            wrong = right;
            wrong.n[0] = right.n[1];
            wrong.n[1] = right.n[0];
            e = check_plan(&right, &wrong, limit);
            CHECK(e.rel_l2 > 0.1, "axes exchanged: %g", e.rel_l2);
          }
        }
  MPI_Finalize();
  return test_end();
}
