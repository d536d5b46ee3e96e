// TEST ranks=2 labels=emulated args=cuda
// TEST ranks=2 labels=dist+cuda args=cuda
/* A periodic solve by slabs, a real transform and a filtered one back, consists of two exchanges between GPUs and the
 * transforms around them: the filter is part of a pass, and no stage packs or copies. */
#include "dist.h"
#include "mfft_inspect.h"

static void check_stages(mfft_plan plan, int direction, const char *name) {
  const mfft_program *program = &plan->program[direction];
  int exchanges = 0, filters = 0;
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *s = &program->stage[i];
    exchanges += mfft_stage_begins_exchange(s);
    filters += s->kind == MFFT_STAGE_FFT && strstr(s->label, "filter") != NULL;
    CHECK(s->kind == MFFT_STAGE_FFT || s->kind == MFFT_STAGE_START || s->kind == MFFT_STAGE_WAIT,
          "%s, direction %d: stage %d (%s) is neither transform nor exchange", name, direction, i, s->label);
  }
  CHECK(exchanges == 1, "%s, direction %d: %d exchanges", name, direction, exchanges);
  CHECK(direction == MFFT_FORWARD ? filters == 0 : filters > 0, "%s, direction %d: %d transforms multiply", name, direction,
        filters);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  char why[256] = "";
  if (!mfft_backend_usable(argv[1], why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  for (int run = 0; run < 4; run++) {
    mfft_desc d;
    mfft_options options;
    mfft_plan plan = NULL;
    char name[64];
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.n[0] = 24, d.n[1] = 16, d.n[2] = 32;
    d.kind = MFFT_R2C;
    d.order = MFFT_ORDER_TRANSPOSED;
    d.filtered = 1 << MFFT_BACKWARD;
    d.allow_destroy_input = run & 1; /* one field; otherwise one spectrum for the potential and the forces */
    d.precision = run & 2 ? MFFT_DOUBLE : MFFT_SINGLE;
    options.backend = argv[1];
    options.transport = "p2p";
    options.effort = MFFT_ESTIMATE;
    snprintf(name, sizeof name, "precision %d, %s", d.precision, run & 1 ? "one field" : "one spectrum for many");
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    for (int direction = 0; plan && direction < 2; direction++) check_stages(plan, direction, name);
    mfft_plan_destroy(plan);
  }
  MPI_Finalize();
  return test_end();
}
