// TEST ranks=2,3,5 labels=dist
/* All ranks fail together, with one message: arguments that differ, one rank with a wrong argument, boxes that do not tile;
 * and a plan works afterwards on the same communicator. */
#include "check.h"
#include "comm/agree.h"
#include "comm/compare.h"
#include "comm/mismatch.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"

static int rank, ranks;

static void ask(mfft_desc *d, mfft_options *options) {
  mfft_desc_init(d);
  mfft_options_init(options);
  d->n[0] = d->n[1] = d->n[2] = 8;
  options->effort = MFFT_ESTIMATE;
}

static void refused(const mfft_desc *d, const mfft_options *options, mfft_status wanted, const char *words) {
  mfft_plan plan = NULL;
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan), wanted, words);
  CHECK(plan == NULL, "a failed call set its output");
}

static void differing_arguments(void) {
  mfft_desc d;
  mfft_options options;
#define DIFFERS(field, value, words)    \
  ask(&d, &options);                    \
  if (rank == ranks - 1) field = value; \
  refused(&d, &options, MFFT_ERR_MISMATCH, words);
  DIFFERS(d.n[1], 9, "desc.n[1] differs between ranks")
  DIFFERS(d.batch, 2, "desc.batch")
  DIFFERS(d.kind, MFFT_R2C, "r2c on rank")
  DIFFERS(d.placement, MFFT_IN_PLACE, "in place on rank")
  DIFFERS(d.order, MFFT_ORDER_TRANSPOSED, "transposed on rank")
  ask(&d, &options);
  d.rank = 1;
  if (rank == ranks - 1) d.scrambled = 1;
  refused(&d, &options, MFFT_ERR_MISMATCH, "desc.scrambled");
  DIFFERS(options.transport, "alltoallv", "\"alltoallv\" on rank")
  DIFFERS(options.chunks, 3, "options.chunks")
  DIFFERS(options.overlap_split, 8, "options.overlap_split")
  DIFFERS(options.host_arrays, 1, "options.host_arrays")
  DIFFERS(d.scale[1], MFFT_SCALE_FULL, "desc.scale[MFFT_BACKWARD]")
  DIFFERS(d.axes, 3, "desc.axes")
  DIFFERS(options.time_limit, 2.5, "2.5 on rank")
  DIFFERS(options.effort, MFFT_TUNE_ESTIMATE, "tune-estimate on rank")
  ask(&d, &options);
  options.wire = MFFT_WIRE_AUTO;
  options.tolerance = rank ? 1e-6 : 1e-3;
  refused(&d, &options, MFFT_ERR_MISMATCH, "options.tolerance");
}

/* The values of all ranks, the value of fewest ranks first, in the words of the API. */
static void who_gave_what(void) {
  mfft_desc d;
  mfft_options options;
  char words[128];
  ask(&d, &options);
  if (rank == 1) d.precision = MFFT_SINGLE;
  snprintf(words, sizeof words, "desc.precision differs between ranks: %s; give every rank the same",
           ranks == 2   ? "double on rank 0, single on rank 1"
           : ranks == 3 ? "single on rank 1, double on ranks 0, 2"
                        : "single on rank 1, double on ranks 0, 2-4");
  refused(&d, &options, MFFT_ERR_MISMATCH, words);
  ask(&d, &options);
  d.batch = 1 + rank;
  snprintf(words, sizeof words, "desc.batch differs between ranks: 1 on rank 0, 2 on rank 1%s",
           ranks == 2   ? "; give"
           : ranks == 3 ? ", 3 on rank 2; give"
                        : ", 3 on rank 2, and 2 other values; give");
  refused(&d, &options, MFFT_ERR_MISMATCH, words);
}

/* Lists of ranks: ranges of three and more, and an end if the list is long. */
static void names_of_ranks(void) {
  enum { MANY = 40 };
  int group[MANY];
  char text[128];
  const int some[] = {0, 1, 1, 1, 0, 1, 1, 0, 1};
  mfft_mismatch_ranks(some, 9, 1, text, sizeof text);
  CHECK(strcmp(text, "ranks 1-3, 5, 6, 8") == 0, "%s", text);
  mfft_mismatch_ranks(some, 1, 0, text, sizeof text);
  CHECK(strcmp(text, "rank 0") == 0, "%s", text);
  for (int i = 0; i < MANY; i++) group[i] = i % 2;
  mfft_mismatch_ranks(group, MANY, 0, text, sizeof text);
  CHECK(strcmp(text, "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 12 more") == 0, "%s", text);
}

static void one_bad_rank(void) {
  mfft_desc d;
  mfft_options options;
  char words[32];
  snprintf(words, sizeof words, "rank %d of %d", ranks - 1, ranks);
  ask(&d, &options);
  if (rank == ranks - 1) d.n[2] = -1;
  refused(&d, &options, MFFT_ERR_ARG, words);
  refused(rank == ranks - 1 ? NULL : &d, &options, MFFT_ERR_ARG, words);
  mfft_plan plan = NULL;
  ask(&d, &options);
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, rank == 0 ? NULL : &plan), MFFT_ERR_ARG, "rank 0");
  if (rank == 0) options.backend = "fftv";
  refused(&d, &options, MFFT_ERR_ARG, "fftw");
}

/* Values at the limits of 64 bits: the bits of -0.0 are one of them. */
static void extreme_values(void) {
  const int64_t value[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, 0, -1};
  for (size_t i = 0; i < sizeof value / sizeof *value; i++)
    for (size_t j = 0; j < sizeof value / sizeof *value; j++) {
      const mfft_agree_item item = mfft_agree_integer("an argument", rank == 0 ? value[i] : value[j]);
      char words[128];
      if (i == j)
        CHECK_OK(mfft_agree_values(MPI_COMM_WORLD, &item, 1));
      else {
        snprintf(words, sizeof words, "an argument differs between ranks: %lld on rank 0, %lld on rank", (long long)value[i],
                 (long long)value[j]);
        CHECK_FAILS(mfft_agree_values(MPI_COMM_WORLD, &item, 1), MFFT_ERR_MISMATCH, words);
      }
    }
}

/* Fields that only local plans have are refused, not ignored. */
static void local_fields(void) {
  mfft_desc d;
  mfft_options options;
#define LOCAL(field, words) \
  ask(&d, &options);        \
  d.field = 640;            \
  refused(&d, &options, MFFT_ERR_UNSUPPORTED, words);
  LOCAL(in_stride[0], "in_stride[0] is 640")
  LOCAL(in_stride[2], "in_stride[2] is 640")
  LOCAL(in_dist, "in_dist is 640")
  LOCAL(out_stride[1], "out_stride[1] is 640")
  LOCAL(out_dist, "out_dist is 640")
  ask(&d, &options);
  options.radices = "8";
  refused(&d, &options, MFFT_ERR_UNSUPPORTED, "radices are \"8\"");
}

static void bad_geometry(void) {
  mfft_desc d;
  mfft_options options;
  ask(&d, &options);
  mfft_box box = {{8 * rank / ranks, 0, 0}, {8 * (rank + 1) / ranks, 8, 8}, {0}};
  d.in_box = &box;
  if (rank == 1) box.lo[0]--;
  refused(&d, &options, MFFT_ERR_ARG, "overlap");
  if (rank == 1) box.lo[0] += 2;
  refused(&d, &options, MFFT_ERR_ARG, "to no rank");
  box.order[0] = box.order[1] = 2;
  refused(&d, &options, MFFT_ERR_ARG, "order");
  ask(&d, &options);
  options.grid[0] = ranks + 1;
  refused(&d, &options, MFFT_ERR_ARG, "options.grid");
}

static void misuse(void) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  ask(&d, &options);
  CHECK_FAILS(mfft_plan_create_mpi(MPI_COMM_NULL, &d, &options, &plan), MFFT_ERR_ARG, "MPI_COMM_NULL");
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  int grid[2];
  mfft_box box;
  CHECK_FAILS(mfft_plan_box_of(plan, MFFT_IN, ranks, &box), MFFT_ERR_ARG, "rank is");
  CHECK_FAILS(mfft_plan_grid(NULL, grid), MFFT_ERR_ARG, "NULL");
  int64_t n1, n2;
  CHECK_FAILS(mfft_plan_four_step(plan, &n1, &n2), MFFT_ERR_ARG, "rank 3");
  size_t bytes[2];
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[0]));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[1]));
  double *in = calloc(1, bytes[0] + 1), *out = calloc(1, bytes[1] + 1);
  const struct {
    mfft_direction direction;
    const void *in;
    const char *words;
  } wrong[] = {
      {MFFT_FORWARD, NULL, "in is NULL"}, {MFFT_FORWARD, out, "overlap"}, {(mfft_direction)7, in, "direction is 7"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    mfft_plan wasted = NULL;
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &wasted));
    CHECK_FAILS(mfft_execute(wasted, wrong[i].direction, wrong[i].in, out), MFFT_ERR_ARG, wrong[i].words);
    CHECK_FAILS(mfft_execute(wasted, MFFT_FORWARD, in, out), MFFT_ERR_STATE, "the plan has failed in an execute");
    mfft_plan_destroy(wasted);
  }
  in[0] = rank == 0;
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK(out[0] == 1, "the impulse at the origin became %g", out[0]);
  free(in);
  free(out);
  mfft_plan_destroy(plan);
  mfft_plan_destroy(NULL);
}

/* The caller's own nonblocking calls, waited for as the library waits. */
static void own_waits(void) {
  int64_t sum = rank, left = -1;
  MPI_Request request[2];
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, peer[2] = {before, next};
  MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, request);
  CHECK_OK(mfft_wait(MPI_COMM_WORLD, request, NULL, 1, "adding up ranks"));
  CHECK(sum == (int64_t)ranks * (ranks - 1) / 2, "the sum is %lld", (long long)sum);
  MPI_Irecv(&left, 1, MPI_INT64_T, before, 7, MPI_COMM_WORLD, &request[0]);
  MPI_Isend(&(int64_t){rank}, 1, MPI_INT64_T, next, 7, MPI_COMM_WORLD, &request[1]);
  CHECK_OK(mfft_wait(MPI_COMM_WORLD, request, peer, 2, "a ring"));
  CHECK(left == before, "rank %d sent %lld", before, (long long)left);
  CHECK_OK(mfft_wait(MPI_COMM_WORLD, NULL, NULL, 0, "nothing"));
  CHECK_FAILS(mfft_wait(MPI_COMM_WORLD, NULL, NULL, 1, "nothing"), MFFT_ERR_ARG, "1 requests");
  CHECK_FAILS(mfft_wait(MPI_COMM_WORLD, request, NULL, -1, "nothing"), MFFT_ERR_ARG, "-1 requests");
  CHECK_FAILS(mfft_wait(MPI_COMM_WORLD, request, NULL, 1, NULL), MFFT_ERR_ARG, "NULL");
}

/* The arguments and environment of a program. */
static void named_texts(void) {
  const char *const name[] = {"--first", "--second"};
  const char *text[] = {"same", rank == ranks - 1 ? "7" : "1"};
  char words[64];
  snprintf(words, sizeof words, "--second differs between ranks: %s on rank %d, ", ranks == 2 ? "1" : "7",
           ranks == 2 ? 0 : ranks - 1);
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_WORLD, name, text, 2), MFFT_ERR_MISMATCH, words);
  CHECK_OK(mfft_compare_texts(MPI_COMM_WORLD, name, text, 1));
  CHECK_OK(mfft_compare_texts(MPI_COMM_WORLD, NULL, NULL, 0));
  text[1] = rank ? "" : NULL;
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_WORLD, name, text, 2), MFFT_ERR_MISMATCH, "none on rank 0");
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_WORLD, name, text, rank ? 2 : 1), MFFT_ERR_MISMATCH, "the number of texts");
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_WORLD, rank ? name : NULL, text, 1), MFFT_ERR_ARG, "the array of names is NULL");
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_WORLD, name, text, -1), MFFT_ERR_ARG, "the number of texts is -1");
  CHECK_FAILS(mfft_compare_texts(MPI_COMM_NULL, name, text, 1), MFFT_ERR_ARG, "MPI_COMM_NULL");
}

/* Numbers of all ranks, arguments and a status by one reduction: the results, and the failure of the last rank. */
static void reduced(void) {
  for (int fails = 0; fails < 2; fails++) {
    const mfft_status mine = fails && rank == ranks - 1 ? mfft_fail(MFFT_ERR_ARG, "no good") : MFFT_SUCCESS;
    double most[2] = {rank, -rank};
    int64_t sum[2] = {1, INT64_MAX};
    const mfft_agree_item same = mfft_agree_integer("same", 7), other = mfft_agree_integer("other", rank);
    if (fails) {
      CHECK_FAILS(mfft_agree_largest(MPI_COMM_WORLD, mine, most, 2, "a test"), MFFT_ERR_ARG, "no good");
      CHECK_FAILS(mfft_agree_total(MPI_COMM_WORLD, mine, sum, 2, "a test"), MFFT_ERR_ARG, "no good");
      CHECK_FAILS(mfft_agree_and_compare(MPI_COMM_WORLD, mine, &other, 1), MFFT_ERR_ARG, "no good");
      continue;
    }
    CHECK_OK(mfft_agree_largest(MPI_COMM_WORLD, mine, most, 2, "a test"));
    CHECK(most[0] == ranks - 1 && most[1] == 0, "largest: %g, %g", most[0], most[1]);
    CHECK_OK(mfft_agree_total(MPI_COMM_WORLD, mine, sum, 1, "a test"));
    CHECK(sum[0] == ranks && sum[1] == INT64_MAX, "sum: %lld", (long long)sum[0]);
    CHECK_OK(mfft_agree_and_compare(MPI_COMM_WORLD, mine, &same, 1));
    CHECK_FAILS(mfft_agree_and_compare(MPI_COMM_WORLD, mine, &other, 1), MFFT_ERR_MISMATCH, "other differs between ranks");
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  differing_arguments();
  who_gave_what();
  names_of_ranks();
  one_bad_rank();
  extreme_values();
  local_fields();
  bad_geometry();
  misuse();
  own_waits();
  named_texts();
  reduced();
  MPI_Finalize();
  return test_end();
}
