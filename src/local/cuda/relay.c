/* relay.c: two passes in one launch, of which the second finds the data in the L2 cache; see kernels/relay.cu. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/builder.h"
#include "local/cuda/pair.h"
#include "local/cuda/shape.h"

/* What to ask of a block, in this order: as many overlap on a multiprocessor; segments of 64 bytes cost little where half of
 * the traffic stays in the cache. */
typedef struct demand {
  int overlap, segment_bytes, threads, values;
} demand;
static const demand demands[] = {{2, 128, 0, 0}, {2, 64, 0, 0}, {1, 128, 0, 0}, {1, 64, 0, 0}}; /* [4] */

/* Whether what a block touches together fills a segment, wherever neighbours are lines. */
static int fills_segments(const builder *b, const mfft_matrix *x, const mfft_kernel *k, int bytes) {
  int64_t least = bytes / complex_bytes(b->spec->precision);
  return (k->map_in == MFFT_MAP_ELEMENT || k->lines >= least) && k->second.lines >= least && x->n >= least;
}

static double shape(const builder *b, const mfft_matrix *x, const void *demanded, mfft_kernel *k) {
  const demand *d = demanded;
  int64_t tile = (int64_t)d->threads * d->values;
  if (tile % x->n || tile % x->m) return INFINITY;
  mfft_chain first = {.n = (int)x->n, .lines = (int)(tile / x->n)}, second = {.n = (int)x->m, .lines = (int)(tile / x->m)};
  if (d->threads % first.lines || d->threads % second.lines || x->m % first.lines || x->n % second.lines) return INFINITY;
  first.threads = d->threads / first.lines;
  second.threads = d->threads / second.lines;
  double cost = mfft_chain_find(k->precision, d->values, &first) + mfft_chain_find(k->precision, d->values, &second);
  if (cost == INFINITY) return INFINITY;
  mfft_pair_set(k, &first, &second, 0, 1);
  if (k->shared_bytes > b->limits->shared_bytes) return INFINITY;
  mfft_bound_blocks(k, b->limits, complex_bytes(k->precision) * d->values > 128 ? 128 : 64);
  return k->min_blocks >= d->overlap && fills_segments(b, x, k, d->segment_bytes) ? cost : INFINITY;
}

/* The smallest block that will do. */
static double best_shape(const builder *b, const mfft_pair_way *way, mfft_matrix *x, mfft_kernel *kernel) {
  for (int i = 0; i < 4; i++)
    for (int threads = 128; threads <= b->limits->threads; threads *= 2) {
      demand d = demands[i];
      d.threads = threads;
      d.values = way->values ? way->values : 16;
      double cost = mfft_pair_best(b, shape, &d, x, kernel);
      if (cost < INFINITY) return cost;
    }
  return INFINITY;
}

/* Where the data can lie between the passes: in the output, unless the first pass would write over what others still read;
 * then in the workspace, if it is laid out in the same way. */
static int middle_place(const builder *b, int twiddled, mfft_place_id dst, mfft_place_id *middle) {
  *middle = dst;
  if (!twiddled || !b->spec->in_place) return 1;
  for (int d = 0; d < b->count; d++)
    if (b->dims[d].n > 1 && b->dims[d].stride[MFFT_AT_WORK] != b->dims[d].stride[dst]) return 0;
  *middle = MFFT_AT_WORK;
  return 1;
}

mfft_status mfft_pair_try_relay(builder *b, const mfft_pair_way *way, int slow, int fast, mfft_place_id src,
                                mfft_place_id dst, int last, int *added) {
  const mfft_fft_spec *spec = b->spec;
  *added = 0;
  int twiddled = slow == fast;
  if (is_sixteen_bit(spec->precision) || spec->compute == MFFT_COMPUTE_TENSOR || way->relay_bytes <= 0 ||
      !mfft_pair_in_order(b, slow, fast, src, dst))
    return MFFT_SUCCESS;
  mfft_place_id middle;
  if (!middle_place(b, twiddled, dst, &middle)) return MFFT_SUCCESS;
  mfft_matrix x = mfft_pair_matrix(b, slow, fast, src, dst);
  mfft_kernel k = {.engine = MFFT_ENGINE_RELAY,
                   .precision = spec->precision,
                   .sign = spec->direction == MFFT_FORWARD ? -1 : 1,
                   .map_mid = MFFT_MAP_ELEMENT,
                   .map_out = MFFT_MAP_ELEMENT,
                   .columns = 1,
                   .between = twiddled};
  if (best_shape(b, way, &x, &k) == INFINITY) return MFFT_SUCCESS;
  k.middle_stride = mfft_pair_compiled_in(x.middle, x.n);
  k.middle_line = mfft_pair_compiled_in(x.middle_line, x.m);
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, slow, fast, &x, &k, src, dst, last, &pass));
  pass->middle = middle;
  mfft_builder_use_work(b, middle);
  pass->args.middle_stride = x.middle;
  pass->args.middle_line = x.middle_line;
  int64_t matrix_bytes = x.n * x.m * complex_bytes(spec->precision), each = way->relay_bytes / matrix_bytes;
  if (each < 1) each = 1;
  int64_t parts = (pass->args.lines + each - 1) / each;
  pass->args.lead = 1;
  pass->args.parts = (unsigned)parts;
  pass->args.first_blocks = (unsigned)(each * x.m / k.lines);
  pass->args.second_blocks = (unsigned)(each * x.n / k.second.lines);
  pass->blocks = (parts + pass->args.lead) * ((int64_t)pass->args.first_blocks + pass->args.second_blocks);
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  *added = 1;
  return MFFT_SUCCESS;
}
