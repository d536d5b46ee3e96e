/* cluster_shape.c: see cluster_shape.h. */
#include "local/cuda/engines/cluster_shape.h"

#include <math.h>

#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/occupancy.h"
#include "local/cuda/tuned/butterfly_rules.h"

/* Whether the adjacent elements that a block accesses together fill half a cache line, of 128 bytes, in input and output.
 * Several columns fill a segment of the input; if they are not adjacent in the output, only that is checked. */
static int fills_segments(const mfft_builder *b, const mfft_matrix *x, const mfft_kernel *k, int blocks) {
  if (x->columns > 1) return !k->cluster.contiguous_lines || x->n / blocks >= segment_lines(b);
  int64_t least = 64 / complex_bytes(b->spec->precision), in = x->in_line < x->in ? x->m / blocks : x->n;
  return in >= least && x->n / blocks >= least;
}

/* Chooses the first or the `second` chain of a block of so many threads, which has `lines` lines of each matrix.  Returns
 * the cost of an element, or INFINITY. */
static double find_chain(const mfft_kernel *k, int second, int values, int64_t lines, int64_t threads, mfft_chain *chain) {
  const int sides = mfft_pair_sides(k, second);
  chain->lines = (int)lines / sides * k->cluster.columns;
  if (lines % sides || threads % chain->lines) return INFINITY;
  chain->threads = (int)threads / chain->lines;
  return mfft_chain_find(k, sides > 1, values, chain);
}

/* Chooses the chains of a cluster of so many blocks, whose threads hold `values` elements each; returns the cost of an
 * element, or INFINITY. */
static double shape_by(const mfft_builder *b, const mfft_matrix *x, int blocks, int values, mfft_kernel *k) {
  const mfft_device_limits *limits = b->limits;
  int64_t tile = x->n * x->m * x->columns / blocks, threads = tile / values;
  if (x->n % blocks || x->m % blocks || tile % values || threads > limits->threads || threads % 32) return INFINITY;
  mfft_chain first = {.n = (int)x->n}, second = {.n = (int)x->m};
  double cost =
      find_chain(k, 0, values, x->m / blocks, threads, &first) + find_chain(k, 1, values, x->n / blocks, threads, &second);
  if (cost == INFINITY) return INFINITY;
  int64_t step = first.n / first.radix[first.merges - 1], after = first.n / blocks;
  if (step % after && after % step) return INFINITY;
  k->cluster.blocks = blocks;
  mfft_pair_set(k, &first, &second, k->in.map == MFFT_MAP_LINE, k->cluster.columns > 1);
  if (k->tile.shared_bytes > limits->shared_bytes) return INFINITY;
  mfft_bound_blocks(k, limits, mfft_cluster_registers(value_bytes(k->precision) * values));
  return cost;
}

double mfft_cluster_shape(const mfft_builder *b, const mfft_matrix *x, const mfft_cluster_choice *choice, mfft_kernel *k) {
  double best = INFINITY;
  if ((choice->first && x->twiddled && choice->first != x->n) || !fills_segments(b, x, k, choice->cluster)) return INFINITY;
  for (int values = 16; values <= 32; values *= 2) {
    mfft_kernel tried = *k;
    double cost = choice->values && choice->values != values ? INFINITY : shape_by(b, x, choice->cluster, values, &tried);
    if (cost < best) best = cost, *k = tried;
  }
  return best;
}

int mfft_cluster_usable(const mfft_builder *b, const mfft_cluster_choice *choice) {
  int device = b->limits->arch >= 90 ? b->limits->cluster : 0;
  return choice->cluster > 0 && choice->cluster <= device && b->spec->compute != MFFT_COMPUTE_TENSOR;
}

mfft_kernel mfft_cluster_kernel(const mfft_builder *b, const mfft_matrix *x) {
  return (mfft_kernel){.engine = MFFT_ENGINE_CLUSTER,
                       .precision = b->spec->precision,
                       .sign = b->spec->direction == MFFT_FORWARD ? -1 : 1,
                       .map_mid = MFFT_MAP_LINE,
                       .out.map = MFFT_MAP_LINE,
                       .cluster = {.columns = x->columns, .twiddled = x->twiddled}};
}

mfft_status mfft_cluster_blocks(mfft_pass *pass, int64_t tiles) {
  return mfft_builder_set_blocks(pass, tiles * pass->kernel.cluster.blocks);
}
