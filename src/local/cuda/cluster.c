/* cluster.c: passes of two line transforms, with an exchange among the blocks of a cluster between them; see
 * kernels/cluster.cu for what a block does.  A long line is such a pair by four steps, a plane is one by its two axes. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/pair.h"
#include "local/cuda/shape.h"

/* The chains of a cluster of so many blocks, by threads that hold `values` elements each.  Returns the instructions that an
 * element costs, or INFINITY where a block cannot do it. */
static double shape(const builder *b, const mfft_matrix *x, int blocks, int together, int values, mfft_kernel *k) {
  const mfft_device_limits *limits = b->limits;
  int64_t tile = x->n * x->m * together / blocks, threads = tile / values;
  if (x->n % blocks || x->m % blocks || tile % values || threads > limits->threads || threads % 32) return INFINITY;
  mfft_chain first = {.n = (int)x->n, .lines = (int)(x->m / blocks) * together};
  mfft_chain second = {.n = (int)x->m, .lines = (int)(x->n / blocks) * together};
  if (threads % first.lines || threads % second.lines) return INFINITY;
  first.threads = (int)threads / first.lines;
  second.threads = (int)threads / second.lines;
  double cost = mfft_chain_find(k->precision, values, &first) + mfft_chain_find(k->precision, values, &second);
  if (cost == INFINITY) return INFINITY;
  int64_t step = first.n / first.radix[first.merges - 1], after = first.n / blocks;
  if (step % after && after % step) return INFINITY;

  k->cluster = blocks;
  k->together = together;
  mfft_pair_set(k, &first, &second, k->map_in == MFFT_MAP_LINE, together >= 16);
  if (k->shared_bytes > limits->shared_bytes) return INFINITY;
  mfft_bound_blocks(k, limits, complex_bytes(k->precision) * values > 128 ? 128 : 64);
  return cost;
}

/* Whether neighbours in memory that a block touches together fill a segment on both sides. */
static int fills_segments(const builder *b, const mfft_matrix *x, int blocks, int together) {
  int64_t least = 64 / complex_bytes(b->spec->precision), run = together > 1 ? together : INT64_MAX;
  int64_t in = x->in_line < x->in ? x->m / blocks : x->n, out = x->n / blocks;
  return (run < in ? run : in) >= least && (run < out ? run : out) >= least;
}

/* The best shape for the matrix, or for the best of all n m = length where it is one line. */
static double best_shape(const builder *b, const mfft_pair_way *way, mfft_matrix *x, mfft_kernel *kernel) {
  double best = INFINITY;
  int64_t length = x->n * x->m, is = x->in_line, os = x->out_line;
  mfft_matrix best_matrix = *x;
  mfft_kernel best_kernel = *kernel;
  for (int64_t n = x->twiddled ? 2 : x->n; n <= (x->twiddled ? length / 2 : x->n); n++) {
    if (length % n || (x->twiddled && way->first && way->first != n)) continue;
    mfft_matrix y = *x;
    if (x->twiddled) y.n = n, y.m = length / n, y.in = y.m * is, y.out = n * os;
    if (!fills_segments(b, &y, way->cluster, 1)) continue;
    for (int values = 16; values <= 32; values *= 2) {
      if (way->values && way->values != values) continue;
      mfft_kernel k = *kernel;
      k.map_in = y.in_line < y.in ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
      double cost = shape(b, &y, way->cluster, 1, values, &k);
      cost += 1e-3 * fabs(log2((double)y.n / (double)y.m)); /* of equals, the squarest */
      if (cost >= best) continue;
      best = cost;
      best_kernel = k;
      best_matrix = y;
    }
  }
  *kernel = best_kernel;
  *x = best_matrix;
  return best;
}

mfft_status mfft_pair_try_cluster(builder *b, const mfft_pair_way *way, int slow, int fast, mfft_place_id src,
                                  mfft_place_id dst, int last, int *added) {
  const mfft_fft_spec *spec = b->spec;
  *added = 0;
  int blocks = way->cluster, device = b->limits->arch >= 90 ? b->limits->cluster : 0;
  if (blocks <= 0 || blocks > device || is_sixteen_bit(spec->precision) || spec->compute == MFFT_COMPUTE_TENSOR ||
      !mfft_pair_in_order(b, slow, fast, src, dst))
    return MFFT_SUCCESS;
  mfft_matrix x = mfft_pair_matrix(b, slow, fast, src, dst);
  mfft_kernel k = {.engine = MFFT_ENGINE_CLUSTER,
                   .precision = spec->precision,
                   .sign = spec->direction == MFFT_FORWARD ? -1 : 1,
                   .map_mid = MFFT_MAP_LINE,
                   .map_out = MFFT_MAP_LINE,
                   .outer = x.twiddled};
  if (best_shape(b, way, &x, &k) == INFINITY) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, slow, fast, &x, &k, src, dst, last, &pass));
  pass->blocks = (pass->args.lines + k.together - 1) / k.together * blocks;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  *added = 1;
  return MFFT_SUCCESS;
}
