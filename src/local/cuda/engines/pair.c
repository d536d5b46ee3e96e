/* pair.c: see pair.h. */
#include "local/cuda/engines/pair.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/engines/chain.h"

mfft_matrix mfft_pair_matrix(const mfft_builder *b, const mfft_pair_request *r) {
  const mfft_builder_dim *f = &b->dims[r->fast], *s = &b->dims[r->slow];
  const mfft_place_id src = r->src, dst = r->dst;
  if (r->slow == r->fast)
    return (mfft_matrix){
        .n = f->n, .m = 1, .in_line = f->stride[src], .out_line = f->stride[dst], .twiddled = 1, .columns = 1};
  return (mfft_matrix){.n = f->n,
                       .m = s->n,
                       .in = f->stride[src],
                       .in_line = s->stride[src],
                       .out = s->stride[dst],
                       .out_line = f->stride[dst],
                       .columns = 1};
}

int mfft_pair_in_order(const mfft_builder *b, const mfft_pair_request *r) {
  const int slow = r->slow, fast = r->fast;
  const mfft_place_id src = r->src, dst = r->dst;
  for (int d = 0; d < b->count; d++) {
    const mfft_builder_dim *x = &b->dims[d], *f = &b->dims[fast], *s = &b->dims[slow];
    if (d == fast || x->n == 1) continue;
    if (x->stride[src] < f->stride[src] * f->n || x->stride[dst] < f->stride[dst] * f->n) return 0;
    if (d != slow && slow != fast && (x->stride[src] < s->stride[src] || x->stride[dst] < s->stride[dst])) return 0;
  }
  return 1;
}

double mfft_pair_best(const mfft_builder *b, mfft_pair_shape *shape, const mfft_cluster_choice *choice, mfft_matrix *x,
                      mfft_kernel *kernel) {
  const mfft_matrix whole = *x;
  const mfft_kernel empty = *kernel;
  int64_t length = whole.n * whole.m;
  double best = INFINITY;
  for (int64_t n = whole.twiddled ? 2 : whole.n; n <= (whole.twiddled ? length / 2 : whole.n); n++) {
    if (length % n) continue;
    mfft_matrix y = whole;
    if (whole.twiddled) {
      y.n = n, y.m = length / n;
      y.in = y.m * y.in_line, y.out = n * y.out_line;
    }
    mfft_kernel k = empty;
    k.in.map = y.in_line < y.in ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
    double cost = shape(b, &y, choice, &k) + 1e-3 * fabs(log2((double)y.n / (double)y.m)); /* of equals, the squarest */
    if (cost >= best) continue;
    best = cost;
    *kernel = k;
    *x = y;
  }
  return best;
}

int mfft_pair_sides(const mfft_kernel *k, int second) {
  return k->in.form == MFFT_FORM_LINE_PAIR && second != mfft_converts_first(k) ? 2 : 1;
}

/* Roots of a chain, as merge_tables.c makes them. */
static int roots(const mfft_chain *c) {
  int count = 0, s = 1;
  for (int i = 0; i + 1 < c->merges; i++) s *= c->radix[i], count += (c->radix[i] - 1) * (c->n / s);
  return count;
}

/* Slots of a chain in the tile.  Between columns there are gaps; see kernels/butterfly/cluster.cu. */
static int slots(const mfft_kernel *k, const mfft_chain *c, int line_inner) {
  const int second = c == &k->second, lines = c->lines * mfft_pair_sides(k, second);
  int gaps = second && k->cluster.columns > 1 &&
             (k->cluster.contiguous_lines || k->cluster.columns * value_bytes(k->precision) < MFFT_CACHE_LINE_BYTES);
  return line_inner ? c->n * (lines + (gaps ? k->cluster.columns : 0)) : ((c->n + c->n / 16) | 1) * lines;
}

void mfft_pair_set(mfft_kernel *k, const mfft_chain *first, const mfft_chain *second, int first_inner, int second_inner) {
  k->chain = *first;
  k->second = *second;
  int value = value_bytes(k->precision), last = first->radix[first->merges - 1];
  int before = slots(k, &k->chain, first_inner), then = slots(k, &k->second, second_inner);
  int rows = first->lines * mfft_pair_sides(k, 0) / k->cluster.columns;
  int between = k->cluster.twiddled ? (last + first->n / last) * rows : 0;
  int ends = k->twiddle.loop ? second->radix[second->merges - 1] * k->cluster.columns : 0;
  k->tile.exchange_bytes = ((before > then ? before : then) * value + 15) / 16 * 16;
  k->tile.shared_bytes = k->tile.exchange_bytes + (roots(first) + roots(second) + between + ends) * value;
}

/* A stride that the kernel is compiled with; 0: an argument.  With a stride that is known, the addresses of the n elements
 * of a line are offsets in the instructions, which reach 2^23 bytes. */
static int compiled_in(int64_t stride, int64_t n) { return stride > 0 && stride * n <= 1 << 18 ? (int)stride : 0; }

void mfft_pair_fill(const mfft_builder *b, const mfft_matrix *x, const mfft_kernel *kernel, int last, mfft_pass *pass) {
  const int loops = pass->kernel.loops, outer = pass->kernel.twiddle.loop;
  pass->kernel = *kernel;
  pass->kernel.loops = loops;
  pass->kernel.twiddle.loop = outer;
  pass->kernel.cluster.in_stride = compiled_in(x->in, x->n);
  pass->kernel.cluster.out_stride = compiled_in(x->out, x->m);
  pass->args.in_stride = x->in;
  pass->args.line_in = x->in_line;
  pass->args.out_stride = x->out;
  pass->args.line_out = x->out_line;
  pass->args.scale = mfft_builder_scale(b, x->n * x->m, last);
  pass->kernel.scaled = pass->args.scale != 1;
  pass->kernel.wide_counts = pass->args.lines > (long long)UINT_MAX / (x->n > x->m ? x->n : x->m) - MFFT_MAX_CLUSTER;
}

mfft_status mfft_pair_add(mfft_builder *b, const mfft_pair_request *r, const mfft_matrix *x, const mfft_kernel *kernel,
                          mfft_pass **pass) {
  mfft_pass *p;
  MFFT_TRY(mfft_builder_new_pass(b, r->src, r->dst, &p));
  *pass = p;
  MFFT_TRY(mfft_builder_loops(b, p, r->fast, r->slow, NULL, 0, 1));
  mfft_pair_fill(b, x, kernel, r->last, p);
  p->twiddle_order = x->twiddled ? x->n * x->m : 0;
  p->args.inner_step = 1;
  return MFFT_SUCCESS;
}
