// TEST ranks=1,2,4 labels=dist
// TEST ranks=1,2,4 labels=dist+cuda timeout=300 args=cuda
// TEST ranks=2 labels=emulated timeout=300 args=cuda
/* Time lines: complete, ordered, without overlap on a queue, and the bytes on them add up; no time line if it is off. */
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

static int rank, ranks;
static const char *backend = "fftw";

enum { MOST = 4096 };
static mfft_span span[MOST];

static int64_t collect(mfft_plan plan) {
  int64_t count = 0;
  CHECK_OK(mfft_plan_trace_count(plan, &count));
  CHECK(count <= MOST);
  for (int64_t i = 0; i < count && i < MOST; i++) CHECK_OK(mfft_plan_trace_span(plan, i, &span[i]));
  return count;
}

/* Spans of a queue do not overlap; queue 0 has no gaps within an execute. */
static void check_order(int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    CHECK(span[i].start_s >= 0 && span[i].end_s >= span[i].start_s, "span %d: %g to %g", (int)i, span[i].start_s,
          span[i].end_s);
    CHECK(span[i].queue_name[0] && mfft_span_kind_name(span[i].kind) && span[i].label[0]);
    int64_t last = i - 1;
    while (last >= 0 && span[last].queue != span[i].queue) last--;
    if (last < 0) continue;
    CHECK(span[i].start_s >= span[last].end_s, "%s: %s begins at %.9f, before %s ends at %.9f", span[i].queue_name,
          span[i].label, span[i].start_s, span[last].label, span[last].end_s);
    CHECK(strcmp(span[i].queue_name, span[last].queue_name) == 0);
    if (span[i].queue == 0 && span[i].execute == span[last].execute)
      CHECK(span[i].start_s == span[last].end_s, "a gap before %s", span[i].label);
  }
}

/* Every stage of the two programs, as mfft_plan_describe prints them, once per execute. */
static int64_t stages_of(mfft_plan plan) {
  char text[65536];
  int64_t stages = 0;
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) stages += strncmp(line, "    ", 4) == 0;
  return stages;
}

static int64_t of_kind(mfft_span_kind kind, int64_t count) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; i++) found += span[i].kind == kind;
  return found;
}

static void check_bytes(mfft_plan plan, int64_t count, int64_t executes, int direct) {
  mfft_timing timing;
  int64_t bytes = 0, on_stream = 0;
  double stream_s = 0;
  CHECK_OK(mfft_plan_timing(plan, &timing));
  for (int64_t i = 0; i < count; i++) {
    bytes += span[i].sent_bytes;
    CHECK(span[i].queue || !span[i].sent_bytes);
    on_stream += span[i].queue == 0;
    if (span[i].queue == 0) stream_s += span[i].end_s - span[i].start_s;
  }
  CHECK(timing.executes == executes && timing.sent_bytes == bytes, "%lld bytes on the time line, %lld sent",
        (long long)bytes, (long long)timing.sent_bytes);
  CHECK(2 * on_stream == executes * stages_of(plan), "%lld stages on the time line", (long long)on_stream);
  CHECK(stream_s <= timing.total * 1.5 + 1e-3 && stream_s >= 0.3 * timing.total, "%g s of %g s", stream_s, timing.total);
  CHECK(of_kind(MFFT_SPAN_START, count) == of_kind(MFFT_SPAN_WAIT, count));
  CHECK(of_kind(MFFT_SPAN_START, count) == of_kind(direct ? MFFT_SPAN_PEERS : MFFT_SPAN_MESSAGES, count));
}

static void run(mfft_kind kind, const char *transport, int chunks, const int grid[2]) {
  mfft_plan plan = NULL;
  mfft_desc desc;
  mfft_options options;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.n[0] = 24, desc.n[1] = 20, desc.n[2] = 18;
  desc.kind = kind;
  options.effort = MFFT_ESTIMATE;
  options.backend = backend;
  options.transport = transport;
  options.chunks = chunks;
  memcpy(options.grid, grid, sizeof options.grid);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &options, &plan));
  size_t bytes[2];
  void *array[2] = {NULL, NULL};
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
    CHECK_OK(mfft_memory_alloc(backend, bytes[side] + 1, &array[side]));
  }
  int64_t count = -1;
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
  CHECK_OK(mfft_plan_trace_count(plan, &count));
  CHECK(count == 0);
  CHECK_FAILS(mfft_plan_trace_span(plan, 0, &span[0]), MFFT_ERR_ARG, "switches it on");
  for (int round = 0; round < 2; round++) { /* switched on, and on again */
    CHECK_OK(mfft_plan_trace(plan, 1));
    CHECK_OK(mfft_plan_timing_reset(plan));
    for (int i = 0; i < 3; i++) {
      CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
      CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, array[1], array[0]));
    }
    CHECK_OK(mfft_plan_synchronize(plan));
    count = collect(plan);
    check_order(count);
    check_bytes(plan, count, 6, strcmp(transport, "p2p") == 0);
    CHECK(span[count - 1].execute == 5 && span[count - 1].direction == MFFT_BACKWARD);
  }
  CHECK_OK(mfft_plan_trace(plan, 0));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
  CHECK_OK(mfft_plan_trace_count(plan, &count));
  CHECK(count == 0);
  CHECK_OK(mfft_plan_synchronize(plan));
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(backend, array[side]));
  CHECK_OK(mfft_plan_trace(plan, 1));
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int slabs[2] = {ranks, 1}, pencils[2] = {ranks / 2 > 0 ? ranks / 2 : 1, ranks > 1 ? 2 : 1};
  char why[512] = "";
  if (argc > 1) backend = argv[1];
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    if (rank == 0) fprintf(stderr, "skipped: %s\n", why);
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  const int device = strcmp(backend, "fftw") != 0; /* whose memory not every MPI can move */
  const char *const transports[] = {"p2p", device ? "staged" : "pairwise", device ? "staged" : "alltoallv", "p2p"};
  for (int t = 0; t < 4; t++) {
    setenv("MFFT_NODE_RANKS", t == 3 ? "2" : "0", 1); /* the last: messages and direct copies together */
    for (int chunks = 1; chunks <= 3; chunks += 2) {
      run(MFFT_C2C, transports[t], chunks, slabs);
      run(MFFT_R2C, transports[t], chunks, pencils);
    }
  }
  CHECK_FAILS(mfft_plan_trace(NULL, 1), MFFT_ERR_ARG, "NULL");
  MPI_Finalize();
  return test_end();
}
