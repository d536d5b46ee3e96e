/* cluster.c: see cluster.h. */
#include "local/cuda/engines/cluster.h"

#include <math.h>

#include "local/cuda/engines/cluster_shape.h"
#include "local/cuda/engines/columns.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/tuned/tuned.h"

/* The cluster for m lines of n elements: the one that the spec asks for, or one that was measured to be faster than passes
 * of single blocks. */
static mfft_cluster_choice choose(const mfft_builder *b, mfft_pair_kind kind, int64_t m, int64_t n, int64_t matrices) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  const mfft_cluster_choice none = {0}, asked = {spec->cluster, spec->cluster_values, spec->cluster_first};
  if (asked.cluster < 0 || spec->filtered || spec->scatter.count || spec->wire || is_sixteen_bit(spec->precision))
    return none; /* passes of blocks load through the filter, scatter, and narrow; 16 bits have tiles (tiles.h) */
  if (asked.cluster > 0) return asked;
  const int even_sides = kind != MFFT_PAIR_PLANE || (m <= 4 * n && n <= 4 * m);
  for (int i = 0; i < tuned->clusters; i++) {
    const mfft_tuned_cluster *row = &tuned->cluster[i];
    if (row->precision != spec->precision || row->kind != kind || n * m < row->least || n * m > row->most) continue;
    if (row->slow ? row->slow != m : !even_sides) continue;
    if (row->few ? 2 * matrices <= b->limits->sms : matrices * row->choice.cluster >= b->limits->sms) return row->choice;
  }
  return none;
}

static mfft_cluster_choice choose_for(const mfft_builder *b, const mfft_pair_request *r) {
  const int64_t others = mfft_builder_others(b, r->slow, r->fast), n = b->dims[r->fast].n;
  if (r->kind == MFFT_PAIR_HALVES) return choose(b, r->kind, 1, n / 2, others);
  return choose(b, r->kind, r->kind == MFFT_PAIR_LINE ? 1 : b->dims[r->slow].n, n, others);
}

static mfft_status try_matrix(mfft_builder *b, const mfft_pair_request *r, int *added) {
  const mfft_cluster_choice choice = choose_for(b, r);
  if (!mfft_cluster_usable(b, &choice) || !mfft_pair_in_order(b, r)) return MFFT_SUCCESS;
  mfft_matrix x = mfft_pair_matrix(b, r);
  mfft_kernel k = mfft_cluster_kernel(b, &x);
  if (mfft_pair_best(b, mfft_cluster_shape, &choice, &x, &k) == INFINITY) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, r, &x, &k, &pass));
  *added = 1;
  return mfft_cluster_blocks(pass, pass->args.lines);
}

/* Whether the reals of a place can be accessed in pairs, as complexes: they are contiguous, and each transform begins at an
 * even index. */
static int packed_evenly(const mfft_builder *b, int axis, mfft_place_id dst) {
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].n > 1 && b->dims[d].stride[dst] % 2) return 0;
  return b->dims[axis].stride[dst] == 1;
}

static mfft_status try_halves(mfft_builder *b, const mfft_pair_request *r, int *added) {
  const mfft_cluster_choice choice = choose_for(b, r);
  const mfft_builder_dim *axis = &b->dims[r->fast];
  if (!mfft_cluster_usable(b, &choice) || axis->n % 2 || axis->stride[r->src] != 1 || !packed_evenly(b, r->fast, r->dst))
    return MFFT_SUCCESS;
  const int64_t n = axis->n / 2;
  mfft_matrix x = {.n = n, .m = 1, .in_line = 1, .out_line = 1, .twiddled = 1, .columns = 1};
  mfft_kernel k = mfft_cluster_kernel(b, &x);
  k.in.form = MFFT_FORM_HALF_EVEN;
  k.out.form = MFFT_FORM_REAL_PAIR;
  k.out.wide = 1;
  if (mfft_pair_best(b, mfft_cluster_shape, &choice, &x, &k) == INFINITY) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_pair_add(b, r, &x, &k, &pass));
  pass->vector_out = complex_bytes(b->spec->precision);
  pass->twiddle_order = 2 * n; /* the roots of packing; every other one is one between the chains */
  pass->args.inner_step = 2;
  *added = 1;
  return mfft_cluster_blocks(pass, pass->args.lines);
}

static mfft_status try_pair(mfft_builder *b, const mfft_pair_request *r, int *added) {
  if (r->kind == MFFT_PAIR_COLUMNS) return mfft_columns_try(b, r, added);
  return r->kind == MFFT_PAIR_HALVES ? try_halves(b, r, added) : try_matrix(b, r, added);
}

static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  mfft_kernel second = pass->kernel;
  second.chain = second.second;
  MFFT_TRY(mfft_table_merges(&second, &table[MFFT_TABLE_SECOND]));
  return mfft_table_chain(pass, table);
}

static void print(const mfft_kernel *k, mfft_line *line) {
  mfft_line_add(line, " and %d", k->second.n);
  mfft_line_radices(line, &k->second);
  mfft_line_add(line, "; %d x %d) ", k->second.lines, k->second.threads);
  mfft_line_add(line, "over %d block%s", k->cluster.blocks, k->cluster.blocks > 1 ? "s" : "");
  if (k->cluster.columns > 1)
    mfft_line_add(line, ", %d columns%s", k->cluster.columns, k->cluster.contiguous_lines ? ", contiguous lines" : "");
}

const mfft_engine mfft_engine_cluster = {
    .name = "cluster ",
    .source = "cluster.cu",
    .try_pair = try_pair,
    .tables = tables,
    .options = mfft_options_of_two_chains,
    .print = print,
};
