// TEST ranks=2,3,4 labels=dist args=fftw
// TEST ranks=2,4 labels=dist+cuda args=cuda
// TEST ranks=3 labels=emulated+nightly timeout=300 args=cuda
/* Two exchanges of slabs, as natural order has them, overlap: the second begins before the first has ended, with the slices
 * that the transform between them has computed from the chunks that have arrived.  On a GPU this holds for real arrays too,
 * in place or with a second array of workspace, and at half the width. */
#include "dist.h"
#include "mfft_inspect.h"

static const char *backend;

/* Of one direction: how many stages START of the second exchange precede the last WAIT of the first one, of how many. */
static int early_starts(mfft_plan plan, int direction, int *starts) {
  const mfft_program *program = &plan->program[direction];
  const mfft_transfer *last = NULL; /* of the first exchange */
  int exchange = -1, early = 0, ended = 0;
  *starts = 0;
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *s = &program->stage[i];
    if (s->kind == MFFT_STAGE_START) {
      exchange += mfft_stage_begins_exchange(s);
      if (exchange == 0) last = s->transfer;
      *starts += exchange == 1;
      early += exchange == 1 && !ended;
    }
    ended |= s->kind == MFFT_STAGE_WAIT && s->transfer == last;
  }
  return early;
}

static void check(mfft_desc d, mfft_options options, int joined, const char *name) {
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) return;
  for (int direction = 0; direction < 2; direction++) {
    int starts;
    const int early = early_starts(plan, direction, &starts);
    CHECK(starts > 1, "%s: %d chunks", name, starts);
    CHECK(joined ? early > 0 : early == 0, "%s, direction %d: %d of %d chunks begin early", name, direction, early, starts);
  }
  mfft_plan_destroy(plan);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
}

/* The number of chunks of the first exchange, each of which should let some of the second start. */
static int first_chunks(const mfft_desc *d, const mfft_options *options, const char *name) {
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan));
  int starts = 0, exchange = -1;
  for (int i = 0; plan && i < plan->program[MFFT_FORWARD].count; i++) {
    const mfft_stage *s = &plan->program[MFFT_FORWARD].stage[i];
    if (s->kind != MFFT_STAGE_START) continue;
    exchange += mfft_stage_begins_exchange(s);
    starts += exchange == 0;
    if (exchange == 0) CHECK(s->transfer->sent_bytes > 0, "%s: %s is empty", name, s->label);
  }
  mfft_plan_destroy(plan);
  return starts;
}

/* Few planes make few chunks, early and late ones alike; a short axis gives no empty early part; and two chunks become
 * three, so that the first exchange begins while the first transform is in progress. */
static void check_slices(mfft_desc d, mfft_options options, int ranks) {
  d.n[0] = 2 * ranks, d.n[1] = 32 * ranks, d.n[2] = 8;
  options.chunks = 8;
  options.overlap_split = 15;
  int chunks = first_chunks(&d, &options, "two planes a rank");
  CHECK(chunks == 3, "two planes a rank: %d chunks", chunks);
  d.n[0] = 32 * ranks, d.n[1] = ranks;
  chunks = first_chunks(&d, &options, "one row a rank");
  CHECK(chunks > 1, "one row a rank: %d chunks", chunks);
  d.n[1] = 32 * ranks;
  options.chunks = 2;
  chunks = first_chunks(&d, &options, "two chunks");
  CHECK(chunks == 3, "two chunks are %d", chunks);
}

int main(int argc, char **argv) {
  backend = argc > 1 ? argv[1] : "fftw";
  MPI_Init(&argc, &argv);
  char why[256] = "";
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  const int device = strcmp(backend, "cuda") == 0;
  for (int run = 0; run < 12; run++) {
    if (test_small() && run % 2 != run / 4 % 2) continue; /* all kinds and placements */
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.n[0] = 24, d.n[1] = run & 1 ? 36 : 26, d.n[2] = 20; /* slices of one length, and of several */
    d.kind = run / 2 & 1 ? MFFT_R2C : MFFT_C2C;
    d.placement = run / 4 & 1 ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
    options.wire = run / 8 ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
    d.precision = MFFT_SINGLE;
    options.backend = backend;
    options.transport = "p2p";
    options.effort = MFFT_ESTIMATE;
    d.batch = 1 + run % 3;
    options.chunks = 6;
    options.overlap_split = 7 + run % 4;
    /* On the host real arrays have no second array of workspace, and half the width uses messages. */
    const int joined = device || d.placement == MFFT_IN_PLACE || d.kind == MFFT_C2C;
    if (options.wire == MFFT_WIRE_HALF && (!device || d.placement == MFFT_IN_PLACE)) continue;
    char name[96];
    snprintf(name, sizeof name, "run %d: %s, %s, %s", run, d.kind ? "R2C" : "C2C", d.placement ? "in place" : "out of place",
             options.wire ? "half the width" : "full width");
    if (joined) check(d, options, 1, name);
  }
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 24;
  options.backend = backend;
  options.transport = "p2p";
  options.effort = MFFT_ESTIMATE;
  options.chunks = 6;
  options.overlap_split = 8;
  if (!device) check_slices(d, options, ranks);
  if (device) { /* without that array C2R waits, and is equally accurate */
    setenv("MFFT_OVERLAP_BYTES", "0", 1);
    d.kind = MFFT_R2C;
    mfft_plan plan = NULL;
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
    int starts;
    if (plan) CHECK(early_starts(plan, 1, &starts) == 0, "C2R begins early without a second array");
    mfft_plan_destroy(plan);
    dist_check(MPI_COMM_WORLD, &d, &options, "without a second array");
  }
  /* Data arrives in memory from which other data is still sent: slabs move to other ranks. */
  const int other = (rank + 1) % ranks;
  const mfft_box out = {{24 * other / ranks, 0, 0}, {24 * (other + 1) / ranks, 24, 24}, {0, 0, 0}};
  d.kind = MFFT_C2C;
  options.grid[0] = ranks, options.grid[1] = 1;
  d.out_box = &out;
  dist_check(MPI_COMM_WORLD, &d, &options, "to other ranks");
  MPI_Finalize();
  return test_end();
}
