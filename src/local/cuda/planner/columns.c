/* columns.c: see columns.h. */
#include "local/cuda/planner/columns.h"

#include <math.h>

enum { BLOCK_TILE_BYTES = 65536 }; /* lines whose tile is no larger are done well by a block */

/* What was faster than passes of blocks on an H200 with 2^27 elements (docs/performance.md). */
static const struct {
  mfft_precision precision;
  int64_t n;
  mfft_pair_way way;
} fastest[] = {
    {MFFT_SINGLE, 2048, {.cluster = 8, .values = 16}},    {MFFT_SINGLE, 4096, {.cluster = 16, .values = 32}},
    {MFFT_SINGLE, 8192, {.cluster = 16, .values = 32}},   {MFFT_DOUBLE, 2048, {.cluster = 8, .values = 16}},
    {MFFT_DOUBLE, 4096, {.cluster = 16, .values = 16}},   {MFFT_BFLOAT16, 2048, {.cluster = 8, .values = 16}},
    {MFFT_BFLOAT16, 4096, {.cluster = 16, .values = 16}},
};

static mfft_pair_way choose(const builder *b, int64_t n, int64_t lines) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_pair_way none = {0};
  mfft_pair_way asked = {.cluster = spec->columns, .values = spec->cluster_values};
  if (!asked.values) asked.values = 16; /* twice as many save a merge, but leave few threads */
  if (spec->columns < 0 || spec->filtered || spec->scatter.count || spec->wire) return none;
  if (spec->columns > 0) return asked;
  for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++)
    if (fastest[i].precision == spec->precision && fastest[i].n == n)
      return lines * fastest[i].way.cluster >= b->limits->sms ? fastest[i].way : none;
  return none;
}

/* Whether some dimension's neighbours touch in memory, so that lines along the axis lie side by side. */
static int side_by_side(const builder *b, int axis, mfft_place_id place) {
  return b->dims[axis].stride[place] > 1 && mfft_builder_least_stride(b, axis, place, NULL, 0, 0) == 1;
}

mfft_status mfft_columns_try(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, int last, int *added) {
  /* Whole cache lines, also where the data is in cache: a cluster has the room.  Of 16 bits, which take twice as much of it
   * as of memory, half of one. */
  const int segment = is_sixteen_bit(b->spec->precision) ? 64
                      : b->limits->segment_bytes < 128   ? 128
                                                         : b->limits->segment_bytes;
  const int columns = segment / complex_bytes(b->spec->precision);
  const int64_t is = b->dims[axis].stride[src], os = b->dims[axis].stride[dst];
  const mfft_pair_way way = choose(b, n, (mfft_builder_others(b, axis, axis) + columns - 1) / columns);
  *added = 0;
  if (!mfft_cluster_usable(b, &way) || n * segment <= BLOCK_TILE_BYTES || !side_by_side(b, axis, src) ||
      !side_by_side(b, axis, dst))
    return MFFT_SUCCESS;
  mfft_matrix x = {.n = n, .m = 1, .in_line = is, .out_line = os, .twiddled = 1, .columns = columns};
  mfft_kernel k = mfft_cluster_kernel(b, &x);
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  MFFT_TRY(mfft_builder_loops(b, pass, axis, axis, NULL, 0, 1));
  k.cluster.apart = pass->args.loop_out[0] != 1;
  k.twiddle.loop = pass->kernel.twiddle.loop;
  if (pass->args.loop_in[0] != 1 || mfft_pair_best(b, mfft_cluster_shape, &way, &x, &k) == INFINITY) {
    b->schedule->count--;
    return MFFT_SUCCESS;
  }
  mfft_pair_fill(b, &x, &k, last, pass);
  pass->args.inner_step = 1;
  pass->outer_length = n;
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].turns > 1)
      pass->args.inner_step = (unsigned)b->dims[d].n, pass->outer_length = n * b->dims[d].n;
  *added = 1;
  return mfft_cluster_blocks(pass, (pass->args.lines + k.cluster.columns - 1) / k.cluster.columns);
}
