// TEST ranks=1,2 labels=emulated+dist timeout=300 args=cuda
// TEST ranks=3 labels=emulated+dist+nightly timeout=300 args=cuda,staged
// TEST ranks=1,2 labels=cuda+dist args=cuda
// TEST ranks=2 labels=dist args=fftw
/* Arrays on the host while a GPU transforms (options.host_arrays): the same bits as with arrays on the device; parts are
 * uploaded while others are transformed and downloaded before the last ones are, on streams of their own; guards, truth and
 * the input by dist_check; what cannot have them says so. */
#include "dist.h"
#include "mfft_convolution.h"
#include "mfft_inspect.h"
#include "mfft_particles.h"

static const char *backend;
static int rank, ranks;

/* ---- What a program does --------------------------------------------------------------------------------------------- */

typedef struct counts {
  int uploads, downloads;
  int before; /* transforms and exchanges before the last part is uploaded */
  int behind; /* the same after the first part to download is computed */
} counts;

static counts count(mfft_plan plan, mfft_direction direction) {
  const mfft_program *p = &plan->program[direction];
  counts c = {0, 0, 0, 0};
  int done = 0, computed = 0;
  for (int i = 0; i < p->count; i++) {
    const mfft_stage *s = &p->stage[i];
    const int copies = s->chunk < 0, waits = s->kind == MFFT_STAGE_WAIT, up = s->in.buffer == MFFT_BUFFER_HOST_SRC;
    const int works = s->kind == MFFT_STAGE_FFT || (!copies && s->transfer);
    done += works;
    c.behind += computed && works;
    computed |= copies && !waits && !up;
    c.uploads += copies && waits && up;
    c.downloads += copies && waits && !up;
    if (copies && waits && up) c.before = done;
  }
  return c;
}

/* ---- Bits ------------------------------------------------------------------------------------------------------------ */

static void fill(void *array, size_t bytes, mfft_precision precision) {
  const size_t numbers = bytes / (precision == MFFT_DOUBLE ? 8 : 4);
  for (size_t i = 0; i < numbers; i++) dist_store(array, precision, (int64_t)i, dist_value((int64_t)i + 1000 * rank));
}

/* Bytes of an array without the space after its box, which a plan may leave with anything. */
static size_t count_bytes(mfft_plan plan, const mfft_desc *d, mfft_side side) {
  const int parts = d->kind == MFFT_R2C && side == MFFT_IN ? 1 : 2;
  mfft_box box;
  size_t bytes;
  CHECK_OK(mfft_plan_box(plan, side, &box));
  CHECK_OK(mfft_plan_bytes(plan, side, &bytes));
  if (d->placement == MFFT_IN_PLACE) return bytes; /* rows are padded */
  return (size_t)(dist_count(&box) * d->batch) * (size_t)parts * (d->precision == MFFT_DOUBLE ? 8 : 4);
}

/* Forward and backward of a plan with arrays on the host, and of one with arrays on the device: the arrays after each. */
static void compare_bits(const mfft_desc *d, const mfft_options *options, const char *name) {
  mfft_options plain = *options;
  mfft_plan plan[2] = {NULL, NULL};                                                   /* on the host, on the device */
  void *host[2] = {NULL, NULL}, *wanted[2] = {NULL, NULL}, *device[2] = {NULL, NULL}; /* [side] */
  size_t bytes[2];                                                                    /* [side] */
  const int in_place = d->placement == MFFT_IN_PLACE;
  plain.host_arrays = 0;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan[0]));
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, &plain, &plan[1]));
  if (!plan[0] || !plan[1]) return;
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan[1], (mfft_side)side, &bytes[side]));
  if (in_place) bytes[0] = bytes[1] = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_memory_alloc_host(backend, bytes[side], &host[side]));
    CHECK_OK(mfft_alloc(bytes[side], &wanted[side]));
    CHECK_OK(mfft_memory_alloc(backend, bytes[side], &device[side]));
    memset(host[side], 0, bytes[side]);
  }
  fill(host[0], bytes[0], d->precision);
  CHECK_OK(mfft_memory_upload(backend, device[0], host[0], bytes[0]));
  for (int direction = 0; direction < 2; direction++) {
    const int from = direction, to = in_place ? from : !from;
    CHECK_OK(mfft_execute(plan[0], (mfft_direction)direction, host[in_place ? 0 : from], host[in_place ? 0 : to]));
    CHECK_OK(mfft_plan_synchronize(plan[0]));
    CHECK_OK(mfft_execute(plan[1], (mfft_direction)direction, device[in_place ? 0 : from], device[in_place ? 0 : to]));
    CHECK_OK(mfft_plan_synchronize(plan[1]));
    const int result = in_place ? 0 : to;
    const size_t used = count_bytes(plan[1], d, (mfft_side)!direction);
    CHECK_OK(mfft_memory_download(backend, wanted[result], device[result], used));
    size_t differ = 0;
    for (size_t i = 0; i < used; i++) differ += ((unsigned char *)host[result])[i] != ((unsigned char *)wanted[result])[i];
    CHECK(differ == 0, "%s, direction %d: %zu of %zu bytes differ", name, direction, differ, used);
  }
  for (int side = 0; side < 2; side++) {
    mfft_memory_free_host(backend, host[side]);
    mfft_free(wanted[side]);
    mfft_memory_free(backend, device[side]);
  }
  for (int i = 0; i < 2; i++) mfft_plan_destroy(plan[i]);
}

/* ---- Streams --------------------------------------------------------------------------------------------------------- */

/* The time line has uploads and downloads on two queues that are not the plan's stream. */
static void check_streams(const mfft_desc *d, const mfft_options *options, int parts) {
  mfft_plan plan = NULL;
  void *array[2] = {NULL, NULL};
  size_t bytes[2];
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan));
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
    CHECK_OK(mfft_memory_alloc_host(backend, bytes[side], &array[side]));
    memset(array[side], 0, bytes[side]);
  }
  CHECK_OK(mfft_plan_trace(plan, 1));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]));
  CHECK_OK(mfft_plan_synchronize(plan));
  int64_t spans = 0;
  int copies[2] = {0, 0}, transforms = 0;
  CHECK_OK(mfft_plan_trace_count(plan, &spans));
  for (int64_t i = 0; i < spans; i++) {
    mfft_span span;
    CHECK_OK(mfft_plan_trace_span(plan, i, &span));
    const int up = span.kind == MFFT_SPAN_UPLOAD, down = span.kind == MFFT_SPAN_DOWNLOAD;
    copies[0] += up, copies[1] += down;
    transforms += span.kind == MFFT_SPAN_FFT && span.queue == 0;
    if (up || down)
      CHECK(span.queue > 0 && strstr(span.queue_name, up ? "uploads" : "downloads"), "%s on %s",
            mfft_span_kind_name(span.kind), span.queue_name);
  }
  CHECK(copies[0] == parts && copies[1] == parts && transforms >= parts, "%d uploads, %d downloads, %d transforms",
        copies[0], copies[1], transforms);
  mfft_plan_destroy(plan);
  for (int side = 0; side < 2; side++) mfft_memory_free_host(backend, array[side]);
}

/* ---- Cases ----------------------------------------------------------------------------------------------------------- */

static void check_refused(mfft_desc d, mfft_options options) {
  mfft_plan plan = NULL;
  mfft_convolution convolution = NULL;
  mfft_particle_mesh mesh = NULL;
  mfft_particle_mesh_desc cells;
  mfft_desc field = d;
  mfft_particle_mesh_desc_init(&cells);
  field.kind = MFFT_R2C;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &field, &options, &plan));
  CHECK(mfft_convolution_create(plan, &convolution) == MFFT_ERR_UNSUPPORTED, "a convolution: %s", mfft_last_error());
  CHECK(strstr(mfft_last_error(), "host_arrays is 1 for a convolution"), "%s", mfft_last_error());
  CHECK(mfft_particle_mesh_create(plan, &cells, &mesh) == MFFT_ERR_UNSUPPORTED, "particles: %s", mfft_last_error());
  CHECK(strstr(mfft_last_error(), "host_arrays is 1 for a mesh of particles"), "%s", mfft_last_error());
  mfft_plan_destroy(plan);
  options.effort = MFFT_TUNE_ESTIMATE;
  CHECK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan) == MFFT_ERR_UNSUPPORTED, "tuned: %s", mfft_last_error());
  CHECK(strstr(mfft_last_error(), "host_arrays is 1 for an effort with TUNE"), "%s", mfft_last_error());
  options.effort = MFFT_ESTIMATE;
  CHECK(mfft_plan_create(&d, &options, &plan) == MFFT_ERR_UNSUPPORTED, "local: %s", mfft_last_error());
  options.host_arrays = 2;
  CHECK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan) == MFFT_ERR_ARG, "2: %s", mfft_last_error());
}

static const struct {
  mfft_kind kind;
  mfft_placement placement;
  mfft_order order;
  int batch, boxes; /* boxes: OUT in the memory order y, x, z, as FFTW-MPI has it transposed */
} cases[] = {
    {MFFT_R2C, MFFT_OUT_OF_PLACE, MFFT_ORDER_NATURAL, 1, 0},    {MFFT_R2C, MFFT_IN_PLACE, MFFT_ORDER_TRANSPOSED, 1, 0},
    {MFFT_C2C, MFFT_IN_PLACE, MFFT_ORDER_NATURAL, 1, 0},        {MFFT_C2C, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, 1, 0},
    {MFFT_C2C, MFFT_OUT_OF_PLACE, MFFT_ORDER_TRANSPOSED, 3, 0}, {MFFT_R2C, MFFT_OUT_OF_PLACE, MFFT_ORDER_NATURAL, 1, 1}};

static void check_case(int i, mfft_options options) {
  mfft_desc d;
  mfft_plan plan = NULL;
  char name[64];
  mfft_desc_init(&d);
  d.n[0] = 12, d.n[1] = 24, d.n[2] = 80; /* rows of slices are long enough for copies of their own */
  d.kind = cases[i].kind;
  d.placement = cases[i].placement;
  d.order = cases[i].order;
  d.batch = cases[i].batch;
  const mfft_box in = {{d.n[0] * rank / ranks, 0, 0}, {d.n[0] * (rank + 1) / ranks, d.n[1], d.n[2]}, {0, 1, 2}};
  const mfft_box out = {{0, d.n[1] * rank / ranks, 0}, {d.n[0], d.n[1] * (rank + 1) / ranks, d.n[2] / 2 + 1}, {1, 0, 2}};
  if (cases[i].boxes) d.in_box = &in, d.out_box = &out;
  snprintf(name, sizeof name, "case %d", i);
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  for (int direction = 0; plan && direction < 2; direction++) {
    const counts c = count(plan, (mfft_direction)direction);
    /* Other transports pack what they send, so fewer stages touch slices alone. */
    CHECK(options.transport || (c.uploads > 1 && c.before > 0 && c.downloads > 1 && c.behind > 0),
          "%s, direction %d: %d uploads, %d stages before the last; %d downloads, %d stages after one", name, direction,
          c.uploads, c.before, c.downloads, c.behind);
  }
  mfft_plan_destroy(plan);
  dist_check(MPI_COMM_WORLD, &d, &options, name);
  compare_bits(&d, &options, name);
  if (i == 0 && ranks == 1) check_streams(&d, &options, 4);
}

/* A plane of padded rows of an odd length, whose last axis is the second of the caller's. */
static void check_padded_plane(const mfft_options *options) {
  mfft_desc d;
  mfft_desc_init(&d);
  const mfft_box in = {{14 * rank / ranks, 0, 0}, {14 * (rank + 1) / ranks, 9, 1}, {0, 1, 2}};
  const mfft_box out = {{14 * rank / ranks, 0, 0}, {14 * (rank + 1) / ranks, 5, 1}, {0, 1, 2}};
  d.rank = 2;
  d.n[0] = 14, d.n[1] = 9;
  d.kind = MFFT_R2C;
  d.padded = 1;
  d.in_box = &in;
  d.out_box = &out;
  dist_check(MPI_COMM_WORLD, &d, options, "padded plane");
}

int main(int argc, char **argv) {
  backend = argc > 1 ? argv[1] : "fftw";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char why[256] = "";
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    MPI_Finalize();
    return 77;
  }
  mfft_options options;
  mfft_desc d;
  mfft_options_init(&options);
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  options.chunks = 4; /* two of them early, in either direction, where an exchange is divided along two axes */
  options.host_arrays = 1;
  options.transport = argc > 2 ? argv[2] : NULL;
  if (!strcmp(backend, "fftw")) { /* arrays are on the host already */
    mfft_desc_init(&d);
    d.n[0] = d.n[1] = d.n[2] = 12;
    dist_check(MPI_COMM_WORLD, &d, &options, "on CPUs");
  } else {
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) check_case(i, options);
    check_padded_plane(&options);
    mfft_desc_init(&d);
    d.n[0] = d.n[1] = d.n[2] = 8;
    check_refused(d, options);
  }
  MPI_Finalize();
  return test_end();
}
