/* cluster.c: passes of two line transforms, with an exchange among the blocks of a cluster between them; see
 * kernels/cluster.cu for what a block does.  A long line is such a pair by four steps, a plane is one by its two axes. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/builder.h"
#include "local/cuda/shape.h"

/* A matrix of m lines of n elements, transformed along n first: distances in the input and in the output. */
typedef struct matrix {
  int64_t n, m;
  int64_t in, in_line, out, out_line;
  int twiddled; /* the two are one line of n m elements */
} matrix;

/* Roots of a chain, as tables.c makes them. */
static int roots(const mfft_chain *c) {
  int count = 0, s = 1;
  for (int i = 0; i + 1 < c->merges; i++) s *= c->radix[i], count += (c->radix[i] - 1) * (c->n / s);
  return count;
}

static int slots(const mfft_chain *c, int line_inner) {
  return line_inner ? c->n * c->lines : ((c->n + c->n / 16) | 1) * c->lines;
}

/* The chains of a cluster of so many blocks, by threads that hold `values` elements each.  Returns the instructions that an
 * element costs, or INFINITY where a block cannot do it. */
static double shape(const builder *b, const matrix *x, int blocks, int together, int values, mfft_kernel *k) {
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

  k->n = first.n;
  k->merges = first.merges;
  memcpy(k->radix, first.radix, sizeof k->radix);
  k->lines = first.lines;
  k->threads = first.threads;
  k->second = second;
  k->cluster = blocks;
  k->together = together;
  int value = complex_bytes(k->precision), before = slots(&first, k->map_in == MFFT_MAP_LINE);
  int then = slots(&second, together >= 16), last = first.radix[first.merges - 1];
  int tables = roots(&first) + roots(&second) + (k->outer ? (last + first.n / last) * first.lines : 0);
  k->exchange_bytes = ((before > then ? before : then) * value + 15) / 16 * 16;
  k->shared_bytes = k->exchange_bytes + tables * value;
  if (k->shared_bytes > limits->shared_bytes) return INFINITY;
  mfft_bound_blocks(k, limits, value * values > 128 ? 128 : 64);
  return cost;
}

/* A distance that the kernel should know: where the elements of a line are near enough for an instruction's own offset. */
static int compiled_in(int64_t stride, int64_t n) { return stride > 0 && stride * n <= 1 << 18 ? (int)stride : 0; }

/* Whether neighbours in memory that a block touches together fill a segment on both sides. */
static int fills_segments(const builder *b, const matrix *x, int blocks, int together) {
  int64_t least = 64 / complex_bytes(b->spec->precision), run = together > 1 ? together : INT64_MAX;
  int64_t in = x->in_line < x->in ? x->m / blocks : x->n, out = x->n / blocks;
  return (run < in ? run : in) >= least && (run < out ? run : out) >= least;
}

/* The best shape for the matrix, or for the best of all n m = length where it is one line. */
static double best_shape(const builder *b, matrix *x, int blocks, mfft_kernel *kernel) {
  const mfft_fft_spec *spec = b->spec;
  double best = INFINITY;
  int64_t length = x->n * x->m, is = x->in_line, os = x->out_line;
  matrix best_matrix = *x;
  mfft_kernel best_kernel = *kernel;
  for (int64_t n = x->twiddled ? 2 : x->n; n <= (x->twiddled ? length / 2 : x->n); n++) {
    if (length % n) continue;
    matrix y = *x;
    if (x->twiddled) y.n = n, y.m = length / n, y.in = y.m * is, y.out = n * os;
    if (spec->cluster_first && x->twiddled && spec->cluster_first != n) continue;
    if (!fills_segments(b, &y, blocks, 1)) continue;
    for (int values = 8; values <= 32; values *= 2) {
      if (spec->cluster_values ? spec->cluster_values != values : values < 16) continue;
      mfft_kernel k = *kernel;
      k.map_in = y.in_line < y.in ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
      double cost = shape(b, &y, blocks, 1, values, &k);
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

/* Whether a transform with these strides is one that a cluster reads and writes in whole segments. */
static int in_order(const builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst) {
  for (int d = 0; d < b->count; d++) {
    const dim *x = &b->dims[d], *f = &b->dims[fast], *s = &b->dims[slow];
    if (d == fast || x->n == 1) continue;
    if (x->stride[src] < f->stride[src] * f->n || x->stride[dst] < f->stride[dst] * f->n) return 0;
    if (d != slow && slow != fast && (x->stride[src] < s->stride[src] || x->stride[dst] < s->stride[dst])) return 0;
  }
  return 1;
}

mfft_status mfft_builder_try_cluster(builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst, int last,
                                     int *added) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_device_limits *limits = b->limits;
  *added = 0;
  if (is_sixteen_bit(spec->precision) || spec->compute == MFFT_COMPUTE_TENSOR || spec->cluster <= 0 || limits->arch < 90 ||
      !in_order(b, slow, fast, src, dst))
    return MFFT_SUCCESS;
  const dim *f = &b->dims[fast], *s = &b->dims[slow];
  matrix x = {f->n, s->n, f->stride[src], s->stride[src], s->stride[dst], f->stride[dst], 0};
  if (slow == fast) x = (matrix){f->n, 1, 0, f->stride[src], 0, f->stride[dst], 1};
  mfft_kernel kernel = {.engine = MFFT_ENGINE_CLUSTER,
                        .precision = spec->precision,
                        .sign = spec->direction == MFFT_FORWARD ? -1 : 1,
                        .map_mid = MFFT_MAP_LINE,
                        .map_out = MFFT_MAP_LINE,
                        .outer = x.twiddled};
  for (int log_blocks = 0; (1 << log_blocks) <= limits->cluster; log_blocks++) {
    int blocks = 1 << log_blocks;
    if (spec->cluster != blocks) continue;
    matrix y = x;
    mfft_kernel k = kernel;
    if (best_shape(b, &y, blocks, &k) == INFINITY) continue;
    mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
    if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
    k.in_stride = compiled_in(y.in, y.n);
    k.out_stride = compiled_in(y.out, y.m);
    pass->kernel = k;
    pass->args.in_stride = y.in;
    pass->args.line_in = y.in_line;
    pass->args.out_stride = y.out;
    pass->args.line_out = y.out_line;
    pass->outer_length = y.twiddled ? y.n * y.m : 0;
    MFFT_TRY(mfft_builder_loops(b, pass, fast, slow, NULL, 0, 1));
    pass->args.scale = last ? spec->scale : 1;
    pass->kernel.scaled = pass->args.scale != 1;
    pass->blocks = (pass->args.lines + k.together - 1) / k.together * blocks;
    pass->kernel.wide = pass->args.lines > (long long)UINT_MAX - k.together;
    if (pass->blocks > INT_MAX)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
    *added = 1;
    return MFFT_SUCCESS;
  }
  return MFFT_SUCCESS;
}
