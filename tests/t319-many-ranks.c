// TEST labels=dist timeout=120
/* Planning for 4,096 and 65,536 ranks in one process: the path, the routes of the first, the last and other ranks, and the
 * groups of an exchange.  Sender and receiver agree on each message, every element is sent once, and time and memory of a
 * rank stay within limits that anything proportional to the square of the number of ranks would exceed. */
#include <malloc.h>
#include <time.h>

#include "check.h"
#include "dist/connected.h"
#include "dist/route.h"
#include "plan/path.h"

enum { NODE_RANKS = 8 };

/* Limits of one rank; the aim is a second and 50 MB for all that a plan takes of either. */
#ifdef TEST_ADDRESS_SANITIZER
static const double most_s = 10, most_bytes = 50e6;
#else
static const double most_s = 1, most_bytes = 50e6;
#endif

static double cpu_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double heap_bytes(void) {
  const struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

/* The route of one rank through exchange x of a path, in four chunks along an axis that neither side transforms. */
static void build_route(const mfft_path *path, int x, int rank, const unsigned char *near, mfft_route *route) {
  const mfft_route_spec spec = {.from = &path->step[x].out,
                                .to = &path->step[x + 1].in,
                                .rank = rank,
                                .batch = 1,
                                .element_bytes = 16,
                                .cut = {.chunks = 4, .axis = 0},
                                .run_bytes = 32768,
                                .messages = MFFT_FROM_AREAS,
                                .near = near};
  CHECK_OK(mfft_route_build(&spec, route));
}

/* Bytes sent to `peer`, or received from it, in messages. */
static int64_t bytes_with(const mfft_route *route, int sends, int peer) {
  int64_t bytes = 0;
  for (int c = 0; c < route->chunks; c++) {
    const mfft_message_list *list = sends ? &route->chunk[c].send : &route->chunk[c].recv;
    for (int64_t i = 0; i < list->count; i++)
      if (peer < 0 || list->message[i].peer == peer) bytes += list->message[i].bytes;
  }
  return bytes;
}

/* Every element that a rank holds is sent or stays, and its messages are those that its peers expect. */
static void check_route(const mfft_path *path, int x, int rank, uint64_t *seed) {
  mfft_route route, other;
  build_route(path, x, rank, NULL, &route);
  const mfft_box *from = &path->step[x].out.box[rank], *to = &path->step[x + 1].in.box[rank];
  const mfft_box stays = mfft_box_intersect(from, to);
  const int64_t self_bytes = 16 * mfft_box_count(&stays);
  CHECK(bytes_with(&route, 1, -1) + self_bytes == 16 * mfft_box_count(from), "rank %d sends too little or too much", rank);
  CHECK(bytes_with(&route, 0, -1) + self_bytes == 16 * mfft_box_count(to), "rank %d gets too little or too much", rank);
  for (int k = 0; k < 2 && route.chunk[0].send.count; k++) {
    const int64_t at = (int64_t)((test_random(seed) + 0.5) * (double)route.chunk[0].send.count);
    const int peer = route.chunk[0].send.message[at].peer;
    build_route(path, x, peer, NULL, &other);
    CHECK(bytes_with(&route, 1, peer) == bytes_with(&other, 0, rank), "ranks %d and %d disagree", rank, peer);
    mfft_route_free(&other);
  }
  mfft_route_free(&route);
}

/* Groups of an exchange between pencils are rows or columns of the grid. */
static void check_groups(const mfft_path *path, int x) {
  const int ranks = path->step[0].in.ranks, rows = path->grid[1];
  int *color = malloc((size_t)ranks * sizeof *color), wrong = 0; /* [ranks] */
  const double begin = cpu_s();
  CHECK_OK(mfft_layout_groups(&path->step[x].out, &path->step[x + 1].in, color));
  CHECK(cpu_s() - begin < most_s, "groups of %d ranks: %.2f s", ranks, cpu_s() - begin);
  for (int r = 0; r < ranks; r++) wrong += color[r] != (x == 0 ? r / rows * rows : r % rows);
  CHECK(wrong == 0, "%d ranks of %d are in a wrong group of exchange %d", wrong, ranks, x);
  free(color);
}

static void plan(int ranks, int p, int64_t n, mfft_order order) {
  uint64_t seed = 11;
  mfft_path_spec spec = {
      .n = {n, n, n}, .axes = 7, .kind = MFFT_R2C, .ranks = ranks, .grid = {p, p ? ranks / p : 0}, .order = order};
  const double heap = heap_bytes(), begin = cpu_s();
  mfft_path path;
  CHECK_OK(mfft_path_build(&spec, &path));
  unsigned char *near = calloc((size_t)ranks, 1); /* [ranks] */
  for (int r = 1; r < NODE_RANKS; r++) near[r] = 1;
  mfft_route route[MFFT_MAX_STEPS][2]; /* [exchange][direction] */
  for (int x = 0; x + 1 < path.count; x++)
    for (int d = 0; d < 2; d++) build_route(&path, x, 0, near, &route[x][d]);
  const double spent = cpu_s() - begin, bytes = heap_bytes() - heap;
  CHECK(spent < most_s, "%d ranks, grid %dx%d: %.2f s", ranks, path.grid[0], path.grid[1], spent);
  CHECK(bytes < most_bytes, "%d ranks, grid %dx%d: %.1f MB", ranks, path.grid[0], path.grid[1], bytes / 1e6);
  for (int x = 0; x + 1 < path.count; x++)
    for (int d = 0; d < 2; d++) mfft_route_free(&route[x][d]);
  const int someone = (int)((test_random(&seed) + 0.5) * ranks);
  for (int x = 0; x + 1 < path.count; x++) {
    const int who[] = {0, ranks - 1, someone};
    for (int k = 0; k < 3; k++) check_route(&path, x, who[k], &seed);
    if (x < 2 && path.grid[0] > 1 && path.grid[1] > 1) check_groups(&path, x);
  }
  free(near);
  mfft_path_free(&path);
}

int main(void) {
  plan(4096, 64, 2048, MFFT_ORDER_NATURAL);
  plan(4096, 512, 4096, MFFT_ORDER_TRANSPOSED);
  plan(4096, 4096, 8192, MFFT_ORDER_NATURAL); /* slabs: everyone trades with everyone */
  plan(4096, 0, 4096, MFFT_ORDER_NATURAL);    /* the grid is chosen */
  plan(65536, 256, 8192, MFFT_ORDER_NATURAL);
  plan(65536, 8192, 16384, MFFT_ORDER_TRANSPOSED);
  plan(65536, 0, 16384, MFFT_ORDER_TRANSPOSED);
  return test_end();
}
