// TEST ranks=1,2,3,4,7 labels=dist
/* Exchanges of the public interface: any boxes, element sizes, batches and transports; targets that overlap (halos); results
 * left in the window of p2p; refusals. */
#include "check.h"
#include "dist/topology.h"
#include "mfft_mpi.h"

static int rank, ranks;

static unsigned char value(int64_t b, const int64_t i[3], int64_t e) {
  return (unsigned char)(b * 101 + i[0] * 59 + i[1] * 17 + i[2] * 5 + e * 3);
}

static void visit(const mfft_box *box, int64_t batch, int64_t element, unsigned char *array, int check, const int64_t n[3]) {
  int64_t i[3], at = 0, wrong = 0;
  for (int64_t b = 0; b < batch; b++)
    for (i[box->order[0]] = box->lo[box->order[0]]; i[box->order[0]] < box->hi[box->order[0]]; i[box->order[0]]++)
      for (i[box->order[1]] = box->lo[box->order[1]]; i[box->order[1]] < box->hi[box->order[1]]; i[box->order[1]]++)
        for (i[box->order[2]] = box->lo[box->order[2]]; i[box->order[2]] < box->hi[box->order[2]]; i[box->order[2]]++)
          for (int64_t e = 0; e < element; e++, at++) {
            if (check)
              wrong += array[at] != value(b, i, e);
            else
              array[at] = value(b, i, e);
          }
  CHECK(wrong == 0, "%d of %d bytes are wrong (array %dx%dx%d)", (int)wrong, (int)at, (int)n[0], (int)n[1], (int)n[2]);
}

static size_t bytes_of(const mfft_box *box) {
  size_t bytes = 1;
  for (int axis = 0; axis < 3; axis++) bytes *= box->hi[axis] > box->lo[axis] ? (size_t)(box->hi[axis] - box->lo[axis]) : 0;
  return bytes;
}

/* Elements that remain on their rank. */
static int64_t overlap(const mfft_box *a, const mfft_box *b) {
  int64_t count = 1;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t lo = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
    const int64_t hi = a->hi[axis] < b->hi[axis] ? a->hi[axis] : b->hi[axis];
    count *= hi > lo ? hi - lo : 0;
  }
  return count;
}

/* Whether any two ranks are on different nodes, by the environment or by the hosts that they run on. */
static int some_are_far(void) {
  mfft_topology topology;
  CHECK_OK(mfft_topology_make(MPI_COMM_WORLD, &topology));
  int far = topology.node_ranks < ranks;
  mfft_topology_free(&topology);
  MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return far;
}

static void move(const int64_t n[3], mfft_box from, mfft_box to, int64_t element, int64_t batch, const char *transport,
                 int chunks) {
  mfft_exchange_desc d;
  mfft_exchange_options options;
  mfft_exchange_desc_init(&d);
  mfft_exchange_options_init(&options);
  d.element_bytes = element;
  d.batch = batch;
  d.from = from;
  d.to = to;
  options.transport = transport;
  options.chunks = chunks;
  mfft_exchange x = NULL;
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x));
  unsigned char *in = malloc(bytes_of(&from) * (size_t)(element * batch) + 1),
                *out = malloc(bytes_of(&to) * (size_t)(element * batch) + 1);
  visit(&from, batch, element, in, 0, n);
  for (int twice = 0; twice < 2; twice++) {
    memset(out, 0, bytes_of(&to) * (size_t)(element * batch));
    CHECK_OK(mfft_exchange_execute(x, in, out));
    visit(&to, batch, element, out, 1, n);
  }
  void *window = NULL;
  const char *name = "";
  int64_t sent = 0, mine = overlap(&from, &to);
  CHECK_OK(mfft_exchange_window(x, &window));
  CHECK_OK(mfft_exchange_transport(x, &name, &sent));
  const int far = !strcmp(transport, "p2p") && some_are_far();
  CHECK(strcmp(name, far ? "p2p+pairwise" : transport) == 0, "%s", name);
  CHECK((window != NULL) == (strcmp(transport, "p2p") == 0));
  if (window) {
    memset(out, 0, bytes_of(&to) * (size_t)(element * batch));
    CHECK_OK(mfft_exchange_execute(x, in, window));
    visit(&to, batch, element, window, 1, n);
  }
  /* The bytes that ranks send are those that arrive at other ranks. */
  int64_t total[2] = {sent, (int64_t)bytes_of(&to) * element * batch - mine * element * batch};
  MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(total[0] == total[1], "sent %lld bytes of %lld", (long long)total[0], (long long)total[1]);
  free(in);
  free(out);
  mfft_exchange_destroy(x);
}

static void refusals(void) {
  mfft_exchange_desc d;
  mfft_exchange_options options;
  mfft_exchange x = NULL;
  mfft_exchange_desc_init(&d);
  mfft_exchange_options_init(&options);
  d.from = d.to = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 1, 1}, {0}};
  if (rank == ranks - 1) d.to.hi[0]++;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_ARG, "have no source");
  d.to = d.from;
  d.element_bytes = rank ? 8 : 0;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_ARG, "element_bytes is 0");
  d.element_bytes = 8;
  if (ranks > 1) {
    d.from.lo[0] = d.from.lo[0] ? d.from.lo[0] - 1 : 0;
    CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_ARG, "overlap");
    d.element_bytes = rank ? 8 : 4;
    CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_MISMATCH, "desc.element_bytes");
  }
  mfft_exchange_desc_init(&d); /* callers of other versions, and none */
  d.from = d.to = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 1, 1}, {0}};
  d.struct_size = 8;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, NULL, &x), MFFT_ERR_ARG, "desc.struct_size is 8");
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, NULL, NULL, &x), MFFT_ERR_ARG, "desc is NULL");
  mfft_exchange_desc_init_sized(&d, sizeof d);
  d.from = d.to = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 1, 1}, {0}};
  options.struct_size = 8;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_ARG, "options.struct_size is 8");
  mfft_exchange_options_init(&options);
  options.chunks = -1;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_ARG, "options.chunks is -1");
  CHECK(x == NULL);
  if (ranks > 1) {
    options.chunks = rank + 1;
    CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x), MFFT_ERR_MISMATCH, "options.chunks");
  }
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, NULL, &x));
  mfft_exchange_destroy(x);
  mfft_exchange_options_init_sized(NULL, 8);
  mfft_exchange_desc_init_sized(NULL, 8);
  CHECK_FAILS(mfft_exchange_execute(NULL, NULL, NULL), MFFT_ERR_ARG, "NULL");
  mfft_exchange_destroy(NULL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const char *const transports[] = {"pairwise", "alltoallv", "p2p", "p2p"};
  static const int64_t elements[] = {1, 2, 3, 4, 8, 64, 24, 100};
  for (int run = 0; run < 32; run++) {
    const int64_t n[3] = {5 + run % 3, 7, 3 + run % 4};
    setenv("MFFT_RUN_BYTES", run % 2 ? "1" : "32768", 1);
    setenv("MFFT_NODE_RANKS", run / 8 % 4 == 3 ? "2" : "0", 1); /* pairs of ranks are near each other, others far */
    mfft_box x_slab = {{n[0] * rank / ranks, 0, 0}, {n[0] * (rank + 1) / ranks, n[1], n[2]}, {0, 1, 2}};
    mfft_box y_slab = {
        {0, n[1] * rank / ranks, 0}, {n[0], n[1] * (rank + 1) / ranks, n[2]}, {run % 3 ? 1 : 0, run % 3 ? 0 : 1, 2}};
    move(n, x_slab, y_slab, elements[run % 8], 1 + run % 3, transports[run / 8 % 4], run % 5);
    mfft_box all = {{0, 0, 0}, {n[0], n[1], n[2]}, {2, 1, 0}}, none = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
    move(n, x_slab, rank == ranks - 1 ? all : none, elements[run % 8], 1, transports[run / 8 % 4], 0); /* gather */
    move(n, x_slab, all, elements[run % 8], 2, transports[run / 8 % 4], 2);   /* everyone gets all */
    mfft_box corner = {{1, n[1] - 2, 1}, {n[0] - 1, n[1] - 1, 2}, {0, 1, 2}}; /* and one what ends within the array */
    move(n, x_slab, rank ? none : corner, elements[run % 8], 1, transports[run / 8 % 4], 0);
    mfft_box halo = x_slab;
    if (halo.lo[0] > 0) halo.lo[0]--;
    if (halo.hi[0] < n[0]) halo.hi[0]++;
    if (halo.hi[0] - halo.lo[0] > 0 && bytes_of(&x_slab))
      move(n, x_slab, halo, 8, 1, transports[run / 8 % 4], 0);
    else
      move(n, x_slab, x_slab, 8, 1, transports[run / 8 % 4], 0);
  }
  refusals();
  MPI_Finalize();
  return test_end();
}
