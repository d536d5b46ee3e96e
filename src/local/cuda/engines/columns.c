/* columns.c: see columns.h. */
#include "local/cuda/engines/columns.h"

#include <math.h>

#include "local/cuda/engines/cluster_shape.h"
#include "local/cuda/tuned/tuned.h"

/* Distance of neighbouring lines that are adjacent in memory: a pair of columns of cosines is two numbers. */
static int64_t beside(const mfft_builder *b) { return b->spec->line_pair[0] ? 2 : 1; }

/* Columns that are side by side in the bytes of one complex: two of cosines of type IV, of which n complexes are 2 n numbers
 * in memory. */
static int columns_of_complex(const mfft_builder *b) { return b->spec->trigonometric && beside(b) == 1 ? 2 : 1; }

static mfft_cluster_choice choose(const mfft_builder *b, int64_t n, int64_t lines) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  const mfft_cluster_choice none = {0};
  mfft_cluster_choice asked = {.cluster = spec->columns, .values = spec->cluster_values};
  if (!asked.values) asked.values = 16; /* 32 values would save a merge, but leave few threads */
  if (spec->columns < 0 || spec->filtered || spec->scatter.count || spec->wire) return none;
  if (spec->columns > 0) return asked;
  const mfft_pair_kind kind = !spec->trigonometric        ? MFFT_PAIR_COLUMNS
                              : columns_of_complex(b) > 1 ? MFFT_PAIR_COSINES_4
                                                          : MFFT_PAIR_COSINES;
  for (int i = 0; i < tuned->clusters; i++) {
    const mfft_tuned_cluster *row = &tuned->cluster[i];
    if (row->kind == kind && row->precision == spec->precision && row->least <= n && n <= row->most)
      return lines * row->choice.cluster >= b->limits->sms ? row->choice : none;
  }
  return none;
}

/* Whether some other dimension is contiguous in memory, so that lines along the axis are interleaved; those of a pair too,
 * and each pair begins at an even number. */
static int side_by_side(const mfft_builder *b, int axis, mfft_place_id place, int64_t pair) {
  if (b->dims[axis].stride[place] <= beside(b) || pair > 1) return 0;
  if (mfft_builder_least_stride(b, axis, place, NULL, 0, 0) != beside(b)) return 0;
  for (int d = 0; pair && d < b->count; d++)
    if (b->dims[d].n > 1 && b->dims[d].stride[place] % 2) return 0;
  return 1;
}

/* Lets the kernel load and store columns of cosines; those of a pair together. */
static void take_cosines(const mfft_builder *b, mfft_kernel *k) {
  k->trigonometric = b->spec->trigonometric;
  if (!b->spec->line_pair[0]) return;
  k->in.form = k->out.form = MFFT_FORM_LINE_PAIR;
  k->in.wide = k->out.wide = 1;
}

/* Bytes of a segment: a whole cache line, also for data in the L2 cache, since a cluster has space for it; half of one for
 * 16-bit numbers, which take twice as many bytes in shared memory as in memory. */
static int segment_bytes(const mfft_builder *b) {
  if (is_sixteen_bit(b->spec->precision)) return MFFT_CACHE_LINE_BYTES / 2;
  return mfft_in_cache(b->limits) ? MFFT_CACHE_LINE_BYTES : b->limits->segment_bytes;
}

/* Adds the pass of a matrix, and removes it again if no cluster can hold the matrix. */
static mfft_status add(mfft_builder *b, const mfft_pair_request *r, const mfft_cluster_choice *choice, mfft_matrix *x,
                       int *added) {
  mfft_kernel k = mfft_cluster_kernel(b, x);
  mfft_pass *pass;
  take_cosines(b, &k);
  MFFT_TRY(mfft_builder_new_pass(b, r->src, r->dst, &pass));
  MFFT_TRY(mfft_builder_loops(b, pass, r->fast, r->fast, NULL, 0, 1));
  k.cluster.contiguous_lines = pass->args.loop_out[0] != beside(b);
  k.twiddle.loop = pass->kernel.twiddle.loop;
  const int unsuitable = pass->args.loop_in[0] != beside(b) || (k.trigonometric && k.cluster.contiguous_lines);
  if (unsuitable || mfft_pair_best(b, mfft_cluster_shape, choice, x, &k) == INFINITY) {
    b->schedule->count--;
    return MFFT_SUCCESS;
  }
  const int loop = mfft_builder_twiddled(b, r->fast);
  const int64_t lines = loop < 0 ? 1 : b->dims[loop].n;
  mfft_pair_fill(b, x, &k, r->last, pass);
  if (k.in.wide) pass->vector_in = pass->vector_out = complex_bytes(k.precision);
  pass->args.inner_step = (unsigned)lines;
  pass->twiddle_order = b->dims[r->fast].n * lines;
  *added = 1;
  return mfft_cluster_blocks(pass, (pass->args.lines + k.cluster.columns - 1) / k.cluster.columns);
}

mfft_status mfft_columns_try(mfft_builder *b, const mfft_pair_request *r, int *added) {
  const mfft_builder_dim *axis = &b->dims[r->fast];
  const int segment = segment_bytes(b), columns = segment / complex_bytes(b->spec->precision) * columns_of_complex(b);
  const int64_t numbers = axis->n * columns_of_complex(b), others = mfft_builder_others(b, r->fast, r->fast);
  const mfft_cluster_choice choice = choose(b, numbers, (others + columns - 1) / columns);
  if (!mfft_cluster_usable(b, &choice) || (b->spec->trigonometric && !is_power(axis->n)) ||
      numbers * segment <= mfft_tuned_for(b->limits)->block_tile_bytes ||
      !side_by_side(b, r->fast, r->src, b->spec->line_pair[0]) || !side_by_side(b, r->fast, r->dst, b->spec->line_pair[1]))
    return MFFT_SUCCESS;
  mfft_matrix x = {.n = axis->n,
                   .m = 1,
                   .in_line = axis->stride[r->src],
                   .out_line = axis->stride[r->dst],
                   .twiddled = 1,
                   .columns = columns};
  return add(b, r, &choice, &x, added);
}
