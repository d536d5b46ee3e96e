/* tensor.c: how a pass on tensor cores is built: radix 16, or 32, and a smaller one last; a warp holds 32 columns of
 * 16 rows. */
#include "local/cuda/engines/tensor.h"

#include "local/cuda/engines/occupancy.h"
#include "local/cuda/engines/sixteen.h"
#include "local/cuda/engines/tensor_tables.h"
#include "local/cuda/tuned/tensor_rules.h"

enum { TENSOR_ELEMENTS = 16384 };

static int64_t longest(mfft_precision precision, const mfft_device_limits *limits, int lines) {
  (void)precision;
  int64_t room = limits->shared_bytes / 4;
  return (room < TENSOR_ELEMENTS ? room : TENSOR_ELEMENTS) / lines;
}

/* Joins a last radix of 2 to the merge before it, as radix 32, whose second factor is done in registers; a last radix of 4,
 * of strided lines, becomes two merges of radix 32. */
static void join_last(mfft_kernel *k) {
  const int last = k->chain.radix[k->chain.merges - 1], joins = last == 2                                 ? 1
                                                                : last == 4 && k->in.map == MFFT_MAP_LINE ? 2
                                                                                                          : 0;
  if (k->named || !joins || k->chain.merges <= joins) return;
  k->chain.radix[--k->chain.merges] = 1;
  for (int m = k->chain.merges - joins; m < k->chain.merges; m++) k->chain.radix[m] = 32;
}

/* Bytes of the tables that a block copies to shared memory: twiddles, and the matrix of a last merge of another radix
 * (tensor_tables.c). */
static int table_bytes(const mfft_kernel *k) {
  int bytes = k->chain.merges > 1 && k->chain.radix[k->chain.merges - 1] != 16 ? 1024 : 0;
  for (int m = 0, columns = k->chain.n / 16; m + 1 < k->chain.merges; columns /= k->chain.radix[m++])
    bytes += 16 * 8 * columns;
  return bytes;
}

static mfft_status shape(mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  const int64_t lines = d->pass->args.lines;
  mfft_kernel *k = &d->pass->kernel;
  const int columns = k->chain.n / 16;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  join_last(k);
  k->chain.lines = d->lines;
  if (k->chain.lines < 4 && mfft_tensor_access_of(k) != MFFT_TENSOR_CONTIGUOUS)
    k->chain.lines = 4; /* neighbours of a thread */
  while (k->chain.lines * columns < 32) k->chain.lines *= 2;
  while (k->chain.lines * columns * 2 <= mfft_tensor_columns(k) && lines / (k->chain.lines * 2) >= mfft_busy_blocks(limits))
    k->chain.lines *= 2;
  const int rounds = mfft_tensor_rounds(k, limits, k->chain.lines * columns, lines / k->chain.lines);
  k->chain.threads = columns / rounds;
  k->tile.exchange_bytes = k->chain.merges > 1 ? k->chain.n * k->chain.lines * 4 : 0;
  k->tile.persistent =
      mfft_tensor_persistent(k, limits, rounds) || k->tile.exchange_bytes + table_bytes(k) > limits->shared_bytes;
  const int beside =
      (k->tile.persistent ? 0 : table_bytes(k)) + (k->precision == MFFT_BFLOAT16 ? 2 * 4 * k->chain.lines /* peaks */ : 0);
  k->tile.shared_bytes = k->tile.exchange_bytes + beside;
  if (k->tile.shared_bytes > limits->shared_bytes || k->chain.lines * k->chain.threads > limits->threads)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a tile of %d lines of %d elements does not fit a block", k->chain.lines,
                     k->chain.n);
  mfft_bound_blocks(k, limits, mfft_tensor_registers(k, rounds));
  const int both = k->tile.shared_bytes + k->tile.exchange_bytes;
  k->tile.two_areas =
      k->chain.merges > 2 && both <= limits->shared_bytes && k->tile.min_blocks * (both + 1024) <= limits->sm_shared_bytes;
  if (k->tile.two_areas) k->tile.shared_bytes = both;
  return MFFT_SUCCESS;
}

/* Angles of inter-pass twiddles are fractions of 2^32 (kernels/tensor/tensor.cu). */
static int suits(const mfft_pass_request *r) {
  const int angles = r->twiddle_order == 0 || is_power(r->twiddle_order);
  return is_sixteen_bit(r->spec->precision) && angles && mfft_prefers_tensor_cores(r);
}

/* Lines of fewer than four columns: neighbours of a thread are lines then, which may touch each other. */
static void short_ends(mfft_pass_draft *d) {
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  const int named = d->b->named && d->b->named_merges > 1;
  const int touch = mfft_tensor_access_of(k) == MFFT_TENSOR_CONTIGUOUS && k->in.unit && k->out.unit && !named;
  k->tile.rows_touch = touch;
  if (!touch && k->in.map == MFFT_MAP_ELEMENT) pass->vector_in = 0;
  if (!touch && k->out.map == MFFT_MAP_ELEMENT) pass->vector_out = 0;
  k->in.map = k->map_mid = k->out.map = MFFT_MAP_LINE;
}

static void ends(mfft_pass_draft *d) {
  mfft_sixteen_ends(d, 0);
  if (d->pass->kernel.chain.n < 64) short_ends(d);
}

const mfft_engine mfft_engine_tensor = {
    .name = "tensor ",
    .source = "tensor.cu",
    .on_tensor_cores = 1,
    .half_segments = 1,
    .least_scattered = 64,
    .suits = suits,
    .longest = longest,
    .prefers_wide = mfft_tensor_wide,
    .ends = ends,
    .shape = shape,
    .adjust = mfft_share_scale_of_merges,
    .tables = mfft_tensor_tables,
    .options = mfft_options_of_pass,
};
