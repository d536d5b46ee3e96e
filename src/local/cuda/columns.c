/* columns.c: see columns.h. */
#include "local/cuda/columns.h"

#include <math.h>

enum { BLOCK_TILE_BYTES = 65536 }; /* lines whose tile is no larger are done well by a block */

mfft_pair_way mfft_columns_choose(const builder *b) {
  const mfft_fft_spec *spec = b->spec;
  mfft_pair_way way = {.cluster = spec->columns, .values = spec->cluster_values, .ahead = spec->ahead};
  if (!way.values) way.values = 16; /* twice as many save a merge, but leave few threads */
  if (way.cluster < 0 || spec->filtered || spec->scatter.count || !mfft_cluster_usable(b, &way)) way.cluster = 0;
  return way;
}

/* Whole cache lines, also where the data is in cache: a cluster has the room. */
static int segment_bytes(const builder *b) { return b->limits->segment_bytes < 128 ? 128 : b->limits->segment_bytes; }

static int worth_it(const builder *b, int64_t n) { return n * segment_bytes(b) > BLOCK_TILE_BYTES; }

/* The kernel for columns of n elements, whose own distance is `in` and `out`. */
static double shape(const builder *b, const mfft_pair_way *way, int64_t n, int64_t in, int64_t out, int apart, int outer,
                    mfft_matrix *x, mfft_kernel *k) {
  *x = (mfft_matrix){.n = n,
                     .m = 1,
                     .in_line = in,
                     .out_line = out,
                     .twiddled = 1,
                     .columns = segment_bytes(b) / complex_bytes(b->spec->precision)};
  *k = mfft_cluster_kernel(b, way, x);
  k->apart = apart;
  k->outer = outer;
  return mfft_pair_best(b, mfft_cluster_shape, way, x, k);
}

static int fits(const builder *b, const mfft_pair_way *way, int64_t n, int first) {
  mfft_matrix x;
  mfft_kernel k;
  return n <= mfft_kernel_longest(b->spec->precision, 0, b->limits, segment_lines(b)) ||
         shape(b, way, n, n, n, first, first, &x, &k) < INFINITY;
}

/* Whether some dimension's neighbours touch in memory, so that lines along the axis lie side by side. */
static int side_by_side(const builder *b, int axis, mfft_place_id place) {
  return b->dims[axis].stride[place] > 1 && mfft_builder_least_stride(b, axis, place, NULL, 0, 0) == 1;
}

int mfft_columns_take(const builder *b, const mfft_pair_way *way, int axis, int64_t n, mfft_place_id src,
                      mfft_place_id dst) {
  mfft_matrix x;
  mfft_kernel k;
  return way->cluster && worth_it(b, n) && side_by_side(b, axis, src) && side_by_side(b, axis, dst) &&
         shape(b, way, n, n, n, 0, 0, &x, &k) < INFINITY;
}

int mfft_columns_split(const builder *b, const mfft_pair_way *way, int axis, int64_t n, mfft_place_id src, mfft_place_id dst,
                       int64_t factor[MAX_SPLIT]) {
  const int64_t *stride = b->dims[axis].stride;
  if (!way->cluster || stride[src] != 1 || stride[dst] != 1 || stride[MFFT_AT_WORK] != 1) return 0;
  int64_t best = 0;
  for (int64_t f = 2; f < n; f++) { /* the squarest, and of those the one with the shorter first */
    const int64_t larger = f * f > n ? f : n / f;
    if (n % f || (best && larger >= best) || !fits(b, way, f, 1) || !fits(b, way, n / f, 0)) continue;
    best = larger;
    factor[0] = f;
    factor[1] = n / f;
  }
  return best ? 2 : 0;
}

mfft_status mfft_columns_try(builder *b, const mfft_pair_way *way, int axis, int64_t n, int64_t before, int64_t after,
                             mfft_place_id src, mfft_place_id dst, int last, int *added) {
  *added = 0;
  if (!way->cluster || !worth_it(b, n)) return MFFT_SUCCESS;
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  const int64_t is = b->dims[axis].stride[src], os = b->dims[axis].stride[dst];
  const loop extra[2] = {{before, is, os, 0, 0, -1}, {after, before * is, n * before * os, after > 1, 0, -1}};
  MFFT_TRY(mfft_builder_loops(b, pass, axis, axis, extra, 2, 1));
  const int apart = pass->args.loop_out[0] != 1, touch = pass->args.loop_in[0] == 1 && (!apart || before * os == 1);
  mfft_matrix x;
  mfft_kernel k;
  if (!touch || shape(b, way, n, after * before * is, before * os, apart, pass->kernel.outer, &x, &k) == INFINITY) {
    b->schedule->count--;
    return MFFT_SUCCESS;
  }
  mfft_pair_fill(b, &x, &k, last, pass);
  pass->args.inner_step = (unsigned)(after > 1 ? after : 1);
  pass->outer_length = n * after;
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].turns && b->dims[d].n > 1)
      pass->args.inner_step = (unsigned)b->dims[d].n, pass->outer_length = n * b->dims[d].n;
  *added = 1;
  return mfft_cluster_blocks(b, pass, (pass->args.lines + k.columns - 1) / k.columns);
}
