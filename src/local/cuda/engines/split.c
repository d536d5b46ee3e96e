/* split.c: see split.h. */
#include "local/cuda/engines/split.h"

#include <stdlib.h>
#include <string.h>

#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/engines/occupancy.h"
#include "local/cuda/engines/sixteen.h"
#include "local/cuda/tuned/tensor_rules.h"
#include "local/host/half.h"

enum { LANES = 32, PARTS = 4 };

/* The exchange area has at most 128 KB: four tiles for each of 16 warps. */
static int64_t longest(mfft_precision precision, const mfft_device_limits *limits, int lines) {
  int64_t room = (limits->shared_bytes - 1024) / value_bytes(precision), most = (128 << 10) / value_bytes(precision);
  return (room < most ? room : most) / lines;
}

/* Merges of radix 16 and a smaller one last.  A tile of a warp has eight times the elements that 16 bytes hold. */
static mfft_status shape(mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  const int64_t lines = d->pass->args.lines;
  mfft_kernel *k = &d->pass->kernel;
  const int columns = k->chain.n / 16, tile = 8 * 16 / value_bytes(k->precision);
  MFFT_TRY(mfft_merge_by_sixteen(k));
  k->chain.lines = d->lines;
  while (k->chain.lines * columns < tile) k->chain.lines *= 2;
  while (k->chain.lines * columns < 8 * tile && lines / (k->chain.lines * 2) >= mfft_busy_blocks(limits))
    k->chain.lines *= 2;
  int tiles = k->chain.lines * columns / tile, each = mfft_split_tiles_of_warp(tiles);
  k->chain.threads = tiles / each * LANES / k->chain.lines;
  int exchanges = k->chain.merges - 1 + k->in.staging + k->out.staging;
  int peaks = mfft_split_bounded(k) ? 4 * k->chain.lines : 0;
  k->tile.exchange_bytes = exchanges ? k->chain.n * k->chain.lines * value_bytes(k->precision) : 0;
  k->tile.shared_bytes = k->tile.exchange_bytes + peaks;
  if (k->tile.shared_bytes > limits->shared_bytes || tiles / each > 16 || !k->chain.threads)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a tile of %d lines of %d elements does not fit a block", k->chain.lines,
                     k->chain.n);
  mfft_bound_blocks(k, limits, mfft_split_registers(k, tiles));
  return MFFT_SUCCESS;
}

/* Entry of the matrix of parity `odd`: output row g, complex input row i of 8; see product.cuh. */
static void entry(int r, int sign, int odd, int g, int i, double x[2]) {
  int w = 16 / r, output = 2 * (g / w) + odd, input = i / w;
  x[0] = x[1] = 0;
  if (g % w == i % w) mfft_root_rounded((int64_t)output * input, r, sign, &x[0], &x[1]);
}

/* Part 0 of x: x rounded to a half.  Part 1: the error of that rounding, which put_halves rounds to a half too. */
static double half_part(double x, int part) {
  double high = (double)mfft_half_to_float(mfft_round_half(x));
  return part ? x - high : high;
}

/* Registers of A for one product of 16 halves: even ones hold row g, odd ones row g + 8, and 2, 3 the inputs t + 4. */
static void put_halves(const mfft_kernel *k, int r, int odd, int part, int lane, void *to) {
  uint16_t *word = to; /* [register][low, high] */
  for (int reg = 0; reg < 4; reg++) {
    double x[2]; /* {re, im} */
    entry(r, k->sign, odd, lane / 4, lane % 4 + reg / 2 * 4, x);
    word[2 * reg] = mfft_round_half(half_part(reg % 2 ? x[1] : x[0], part));
    word[2 * reg + 1] = mfft_round_half(half_part(reg % 2 ? x[0] : -x[1], part));
  }
}
static void put_doubles(const mfft_kernel *k, int r, int odd, int part, int lane, void *to) {
  entry(r, k->sign, odd, lane / 4, lane % 4 + 4 * part, to); /* part: input t or t + 4 */
}

mfft_status mfft_split_matrices(const mfft_kernel *k, mfft_table *table) {
  void (*const put)(const mfft_kernel *, int, int, int, int, void *) =
      k->precision == MFFT_DOUBLE ? put_doubles : put_halves;
  table->bytes = (size_t)k->chain.merges * PARTS * LANES * 16;
  char *to = table->data = malloc(table->bytes);
  if (!to) return mfft_fail(MFFT_ERR_MEMORY, "matrices: no memory for %zu bytes", table->bytes);
  for (int merge = 0; merge < k->chain.merges; merge++)
    for (int part = 0; part < PARTS; part++)
      for (int lane = 0; lane < LANES; lane++, to += 16) put(k, k->chain.radix[merge], part / 2, part % 2, lane, to);
  return MFFT_SUCCESS;
}

mfft_status mfft_split_merges(const mfft_kernel *k, mfft_table *table) {
  size_t count = 0;
  for (int i = 0, s = 1; i + 1 < k->chain.merges; s *= k->chain.radix[i++]) count += (size_t)(k->chain.n / s);
  table->bytes = count * (size_t)value_bytes(k->precision);
  table->data = count ? malloc(table->bytes) : NULL;
  if (count && !table->data) return mfft_fail(MFFT_ERR_MEMORY, "twiddles: no memory for %zu roots", count);
  int64_t at = 0;
  for (int i = 0, s = 1; i + 1 < k->chain.merges; s *= k->chain.radix[i++]) {
    int r = k->chain.radix[i], order = k->chain.n / s;
    double factor = mfft_split_bounded(k) ? 1.0 / r : 1;
    for (int q = 0; q < r; q++)
      for (int p = 0; p < order / r; p++) mfft_table_put(k, table, at++, (int64_t)p * q, order, factor);
  }
  return MFFT_SUCCESS;
}

static int suits(const mfft_pass_request *r) { return !is_sixteen_bit(r->spec->precision) && mfft_prefers_tensor_cores(r); }

static void ends(mfft_pass_draft *d) { mfft_sixteen_ends(d, 64); }

static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  MFFT_TRY(mfft_split_matrices(&pass->kernel, &table[MFFT_TABLE_MATRICES]));
  MFFT_TRY(mfft_split_merges(&pass->kernel, &table[MFFT_TABLE_MERGES]));
  return mfft_table_ends(pass, table);
}

const mfft_engine mfft_engine_split = {
    .name = "tensor ",
    .source = "split.cu",
    .on_tensor_cores = 1,
    .suits = suits,
    .longest = longest,
    .ends = ends,
    .shape = shape,
    .tables = tables,
    .options = mfft_options_of_pass,
};
