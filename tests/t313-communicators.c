// TEST ranks=1,3,4 labels=dist
/* Plans on communicators other than the world: halves at the same time, ranks in reverse, one rank alone; a workspace that
 * two plans share; a communicator that is freed before its plan is destroyed; and intercommunicators, which are refused. */
#include "dist.h"
#include "mfft_memory.h"
#include "plan/plan.h"

static void ask(mfft_desc *d, mfft_options *options, int64_t nx, mfft_kind kind) {
  mfft_desc_init(d);
  mfft_options_init(options);
  d->n[0] = nx;
  d->n[1] = 6;
  d->n[2] = 9;
  d->kind = kind;
  options->effort = MFFT_ESTIMATE;
}

static void shared_workspace(const char *transport, int late_window) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan[2];
  size_t work[2], in_bytes, out_bytes;
  for (int p = 0; p < 2; p++) {
    ask(&d, &options, p ? 12 : 10, MFFT_C2C);
    options.user_workspace = 1;
    options.late_window = late_window;
    options.transport = transport;
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan[p]));
    CHECK_OK(mfft_plan_workspace_bytes(plan[p], &work[p]));
  }
  CHECK_OK(mfft_plan_bytes(plan[1], MFFT_IN, &in_bytes));
  CHECK_OK(mfft_plan_bytes(plan[1], MFFT_OUT, &out_bytes));
  double *in = calloc(1, in_bytes + 1), *out = calloc(1, out_bytes + 1);
  void *memory = NULL;
  size_t most = work[0] > work[1] ? work[0] : work[1];
  mfft_plan without = NULL; /* an argument that one of several ranks refuses fails on all */
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &without));
  if (work[1]) CHECK_FAILS(mfft_execute(without, MFFT_FORWARD, in, out), MFFT_ERR_STATE, "mfft_plan_set_workspace");
  mfft_plan_destroy(without);
  CHECK_OK(mfft_alloc(most ? most : 64, &memory));
  if (work[1]) CHECK_FAILS(mfft_plan_set_workspace(plan[1], memory, work[1] - 1), MFFT_ERR_ARG, "the plan needs");
  if (work[1]) CHECK_FAILS(mfft_plan_set_workspace(plan[1], (char *)memory + 8, work[1]), MFFT_ERR_ARG, "aligned");
  for (int p = 0; p < 2; p++) CHECK_OK(mfft_plan_set_workspace(plan[p], memory, most));
  for (int p = 0; p < 2; p++) CHECK(!plan[p]->shared_work, "%s: the window is open", transport);
  mfft_box box;
  CHECK_OK(mfft_plan_box(plan[1], MFFT_IN, &box));
  if (dist_count(&box) && box.lo[0] == 0) in[0] = 1;
  for (int round = 0; round < 2; round++)
    for (int p = 0; p < 2; p++) CHECK_OK(mfft_execute(plan[p], MFFT_FORWARD, in, out));
  for (int p = 0; p < 2; p++) CHECK(!plan[p]->shared_work == !plan[p]->shares_work, "%s: the window", transport);
  CHECK_OK(mfft_plan_box(plan[1], MFFT_OUT, &box));
  for (int64_t i = 0; i < dist_count(&box); i++)
    CHECK(fabs(out[2 * i] - 1) < 1e-14, "mode %d of an impulse is %g", (int)i, out[2 * i]);
  for (int p = 0; p < 2; p++) mfft_plan_destroy(plan[p]);
  mfft_free(memory);
  free(in);
  free(out);
}

/* The ranks of even and of odd number as two groups. */
static void intercommunicator(MPI_Comm half, int rank) {
  static const char refused[] = "is an intercommunicator";
  const char *const name[] = {"--seed"}, *const text[] = {"7"};
  MPI_Comm inter;
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_exchange exchange = NULL;
  mfft_exchange_desc moved;
  ask(&d, &options, 8, MFFT_C2C);
  mfft_exchange_desc_init(&moved);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(rank % 2), 0, &inter);
  CHECK_FAILS(mfft_plan_create_mpi(inter, &d, &options, &plan), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_exchange_create(inter, &moved, NULL, &exchange), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_compare_texts(inter, name, text, 1), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_wisdom_load(inter, "none"), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_wisdom_save(inter, "none"), MFFT_ERR_ARG, refused);
  MPI_Comm_free(&inter);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_desc d;
  mfft_options options;

  MPI_Comm half, reverse;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  ask(&d, &options, 7 + rank % 2, rank % 2 ? MFFT_R2C : MFFT_C2C);
  dist_check(half, &d, &options, "half of the ranks");

  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &reverse);
  ask(&d, &options, 8, MFFT_R2C);
  dist_check(reverse, &d, &options, "ranks in reverse");

  ask(&d, &options, 5, MFFT_C2C);
  dist_check(MPI_COMM_SELF, &d, &options, "one rank alone");

  mfft_plan plan = NULL;
  ask(&d, &options, 8, MFFT_C2C);
  CHECK_OK(mfft_plan_create_mpi(reverse, &d, &options, &plan));
  MPI_Comm_free(&reverse);
  size_t bytes;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  void *in = calloc(1, bytes + 1), *out = calloc(1, bytes + 1);
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  mfft_plan_destroy(plan);
  free(in);
  free(out);

  shared_workspace("alltoallv", 0);
  shared_workspace("p2p", 1);
  if (ranks > 1) intercommunicator(half, rank);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return test_end();
}
