/* cluster.c: passes of two line transforms, with an exchange among the blocks of a cluster between them; see
 * kernels/butterfly/cluster.cu for what a block does. */
#include <limits.h>
#include <math.h>

#include "local/cuda/planner/pair.h"
#include "local/cuda/planner/shape.h"

/* Whether neighbours in memory that a block touches together fill half a cache line on both sides; of columns, which fill a
 * segment themselves, those of the output where they lie apart. */
static int fills_segments(const builder *b, const mfft_matrix *x, const mfft_kernel *k, int blocks) {
  if (x->columns > 1) return !k->cluster.apart || x->n / blocks >= segment_lines(b);
  int64_t least = 64 / complex_bytes(b->spec->precision), in = x->in_line < x->in ? x->m / blocks : x->n;
  return in >= least && x->n / blocks >= least;
}

/* The chains of a cluster of so many blocks, by threads that hold `values` elements each. */
static double shape_by(const builder *b, const mfft_matrix *x, int blocks, int values, mfft_kernel *k) {
  const mfft_device_limits *limits = b->limits;
  int64_t tile = x->n * x->m * x->columns / blocks, threads = tile / values;
  if (x->n % blocks || x->m % blocks || tile % values || threads > limits->threads || threads % 32) return INFINITY;
  mfft_chain first = {.n = (int)x->n, .lines = (int)(x->m / blocks) * x->columns};
  mfft_chain second = {.n = (int)x->m, .lines = (int)(x->n / blocks) * x->columns};
  if (threads % first.lines || threads % second.lines) return INFINITY;
  first.threads = (int)threads / first.lines;
  second.threads = (int)threads / second.lines;
  double cost = mfft_chain_find(k->precision, values, &first) + mfft_chain_find(k->precision, values, &second);
  if (cost == INFINITY) return INFINITY;
  int64_t step = first.n / first.radix[first.merges - 1], after = first.n / blocks;
  if (step % after && after % step) return INFINITY;
  k->cluster.blocks = blocks;
  mfft_pair_set(k, &first, &second, k->in.map == MFFT_MAP_LINE, k->cluster.columns > 1);
  if (k->tile.shared_bytes > limits->shared_bytes) return INFINITY;
  mfft_bound_blocks(k, limits, value_bytes(k->precision) * values > 128 ? 128 : 64);
  return cost;
}

double mfft_cluster_shape(const builder *b, const mfft_matrix *x, const void *demand, mfft_kernel *k) {
  const mfft_pair_way *way = demand;
  double best = INFINITY;
  if ((way->first && x->twiddled && way->first != x->n) || !fills_segments(b, x, k, way->cluster)) return INFINITY;
  for (int values = 16; values <= 32; values *= 2) {
    mfft_kernel tried = *k;
    double cost = way->values && way->values != values ? INFINITY : shape_by(b, x, way->cluster, values, &tried);
    if (cost < best) best = cost, *k = tried;
  }
  return best;
}

int mfft_cluster_usable(const builder *b, const mfft_pair_way *way) {
  int device = b->limits->arch >= 90 ? b->limits->cluster : 0;
  return way->cluster > 0 && way->cluster <= device && b->spec->precision != MFFT_HALF &&
         b->spec->compute != MFFT_COMPUTE_TENSOR;
}

mfft_kernel mfft_cluster_kernel(const builder *b, const mfft_matrix *x) {
  return (mfft_kernel){.engine = MFFT_ENGINE_CLUSTER,
                       .precision = b->spec->precision,
                       .sign = b->spec->direction == MFFT_FORWARD ? -1 : 1,
                       .map_mid = MFFT_MAP_LINE,
                       .out.map = MFFT_MAP_LINE,
                       .cluster = {.columns = x->columns, .twiddled = x->twiddled}};
}

mfft_status mfft_cluster_blocks(mfft_pass *pass, int64_t tiles) {
  const mfft_kernel *k = &pass->kernel;
  pass->blocks = tiles * k->cluster.blocks;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  return MFFT_SUCCESS;
}

mfft_status mfft_pair_try_cluster(builder *b, const mfft_pair_way *way, int slow, int fast, mfft_place_id src,
                                  mfft_place_id dst, int last, int *added) {
  *added = 0;
  if (!mfft_cluster_usable(b, way) || !mfft_pair_in_order(b, slow, fast, src, dst)) return MFFT_SUCCESS;
  mfft_matrix x = mfft_pair_matrix(b, slow, fast, src, dst);
  mfft_kernel k = mfft_cluster_kernel(b, &x);
  if (mfft_pair_best(b, mfft_cluster_shape, way, &x, &k) == INFINITY) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, slow, fast, &x, &k, src, dst, last, &pass));
  *added = 1;
  return mfft_cluster_blocks(pass, pass->args.lines);
}

/* Reals that lie two by two as complexes do, each transform on an even place. */
static int packed_evenly(const builder *b, int axis, mfft_place_id dst) {
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].n > 1 && b->dims[d].stride[dst] % 2) return 0;
  return b->dims[axis].stride[dst] == 1;
}

mfft_status mfft_pair_try_halves(builder *b, const mfft_pair_way *way, int axis, mfft_place_id src, mfft_place_id dst,
                                 int *added) {
  *added = 0;
  if (!mfft_cluster_usable(b, way) || b->dims[axis].n % 2 || b->dims[axis].stride[src] != 1 || !packed_evenly(b, axis, dst))
    return MFFT_SUCCESS;
  const int64_t n = b->dims[axis].n / 2;
  mfft_matrix x = {.n = n, .m = 1, .in_line = 1, .out_line = 1, .twiddled = 1, .columns = 1};
  mfft_kernel k = mfft_cluster_kernel(b, &x);
  k.in.form = MFFT_FORM_HALF_EVEN;
  k.out.form = MFFT_FORM_REAL_PAIR;
  k.out.wide = 1;
  if (mfft_pair_best(b, mfft_cluster_shape, way, &x, &k) == INFINITY) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, axis, axis, &x, &k, src, dst, 1, &pass));
  pass->vector_out = complex_bytes(b->spec->precision);
  pass->outer_length = 2 * n; /* the roots of packing; every other one is one between the chains */
  pass->args.inner_step = 2;
  *added = 1;
  return mfft_cluster_blocks(pass, pass->args.lines);
}
