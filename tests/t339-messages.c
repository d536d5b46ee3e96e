// TEST ranks=3 labels=emulated timeout=300
/* Device memory by messages: few of them, packed into areas outside the arrays, so that the transforms before and after an
 * exchange overlap its chunks; and the same results if there is no memory for such areas. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "dist.h"
#include "emulated_mpi.h"
#include "mfft_memory.h"

/* Whether a transform or a copy with this label is between stage i and the next of the same kind. */
static int followed_by(const mfft_program *program, int i, mfft_stage_kind kind, const char *label) {
  for (int k = i + 1; k < program->count && program->stage[k].kind != program->stage[i].kind; k++)
    if (program->stage[k].kind == kind && strncmp(program->stage[k].label, label, strlen(label)) == 0) return 1;
  return 0;
}

/* The number of stages of a kind that are followed by one. */
static int count_followed(const mfft_program *program, mfft_stage_kind of, mfft_stage_kind kind, const char *label) {
  int count = 0;
  for (int i = 0; i < program->count; i++) count += program->stage[i].kind == of && followed_by(program, i, kind, label);
  return count;
}

static void check_flow(mfft_plan plan, int ranks, int chunks, const char *name) {
  for (int direction = 0; direction < 2; direction++) {
    const mfft_program *program = &plan->program[direction];
    for (int i = 0; i < program->count; i++) {
      const mfft_stage *s = &program->stage[i];
      if (s->kind == MFFT_STAGE_START)
        CHECK(s->transfer->messages == ranks - 1, "%s, direction %d, %s: %d messages", name, direction, s->label,
              (int)s->transfer->messages);
    }
  }
  const mfft_program *forward = &plan->program[MFFT_FORWARD], *backward = &plan->program[MFFT_BACKWARD];
  const int before = count_followed(forward, MFFT_STAGE_START, MFFT_STAGE_FFT, "fft");
  CHECK(before >= 2 * (chunks - 1), "%s: %d transforms during messages, of %d chunks", name, before, chunks);
  const int behind = count_followed(backward, MFFT_STAGE_WAIT, MFFT_STAGE_FFT, "fft");
  CHECK(behind >= 2 * (chunks - 1), "%s: %d transforms after messages, of %d chunks", name, behind, chunks);
  const int unpacked = count_followed(forward, MFFT_STAGE_WAIT, MFFT_STAGE_COPY, "unpack");
  CHECK(unpacked >= chunks - 1, "%s: %d of %d chunks unpacked during messages", name, unpacked, chunks);
}

static size_t work_bytes(const mfft_desc *d, const mfft_options *options, size_t *array) {
  mfft_plan plan = NULL;
  size_t work = 0;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan));
  if (!plan) return 0;
  CHECK_OK(mfft_plan_workspace_bytes(plan, &work));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, array));
  mfft_plan_destroy(plan);
  return work;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 24, d.n[1] = 26, d.n[2] = 20;
  d.precision = MFFT_SINGLE;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  options.chunks = 4;
  static const char *const transports[] = {"pairwise", "alltoallv"};
  for (int t = 0; t < 2; t++) {
    mfft_plan plan = NULL;
    options.transport = transports[t];
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    if (plan) check_flow(plan, ranks, options.chunks, options.transport);
    mfft_plan_destroy(plan);
  }
  for (int run = 0; run < 8; run++) {
    char name[96];
    d.kind = run & 1 ? MFFT_R2C : MFFT_C2C;
    d.placement = run & 2 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    d.order = run & 4 ? MFFT_ORDER_TRANSPOSED : MFFT_ORDER_NATURAL;
    options.transport = transports[(run ^ run / 2 ^ run / 4) & 1];
    d.batch = 1 + run % 3;
    snprintf(name, sizeof name, "%s, %s, %s, %s order", options.transport, d.kind ? "R2C" : "C2C",
             d.placement ? "in place" : "out of place", d.order ? "transposed" : "natural");
    setenv("MFFT_RUN_BYTES", run / 2 % 2 ? "1" : "0", 1); /* messages from array to array too */
    dist_check(MPI_COMM_WORLD, &d, &options, name);
    unsetenv("MFFT_RUN_BYTES");
  }

  /* Areas need memory: without it a plan takes no more than one array, and is equally accurate. */
  options.transport = "pairwise";
  d.kind = MFFT_C2C;
  d.placement = MFFT_OUT_OF_PLACE;
  d.order = MFFT_ORDER_NATURAL;
  d.batch = 1;
  size_t array, enough = work_bytes(&d, &options, &array);
  CHECK(enough > array + 4096, "workspace %zu, array %zu", enough, array);
  setenv("MFFT_OVERLAP_BYTES", "0", 1);
  enough = work_bytes(&d, &options, &array);
  CHECK(enough <= array + array / 6 + 65536, "workspace %zu, array %zu", enough, array);
  dist_check(MPI_COMM_WORLD, &d, &options, "without areas");
  MPI_Finalize();
  return test_end();
}
