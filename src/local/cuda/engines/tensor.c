/* tensor.c: how a pass on tensor cores is built: radix 16, or 32, and a smaller one last; a warp holds 32 columns of
 * 16 rows. */
#include "local/cuda/engines/tensor.h"

#include "local/cuda/engines/occupancy.h"
#include "local/cuda/engines/sixteen.h"
#include "local/cuda/engines/tensor_tables.h"

enum { TENSOR_ELEMENTS = 16384, MANY_ROUNDS = 4 };

static int64_t longest(mfft_precision precision, const mfft_device_limits *limits, int lines) {
  (void)precision;
  int64_t room = limits->shared_bytes / 4;
  return (room < TENSOR_ELEMENTS ? room : TENSOR_ELEMENTS) / lines;
}

/* A last radix of 2 is done in registers, on top of the merge before; one of 4, of strided lines, as two of them on top of
 * two merges. */
static void join_last(mfft_kernel *k) {
  const int last = k->chain.radix[k->chain.merges - 1], joins = last == 2                                 ? 1
                                                                : last == 4 && k->in.map == MFFT_MAP_LINE ? 2
                                                                                                          : 0;
  if (k->named || !joins || k->chain.merges <= joins) return;
  k->chain.radix[--k->chain.merges] = 1;
  for (int m = k->chain.merges - joins; m < k->chain.merges; m++) k->chain.radix[m] = 32;
}

/* How a pass finds its lines and leaves them. */
enum { CONTIGUOUS, STRIDED, TRANSPOSED };
static int kind_of(const mfft_kernel *k) {
  if (k->in.map == MFFT_MAP_ELEMENT) return k->out.map == MFFT_MAP_ELEMENT ? CONTIGUOUS : TRANSPOSED;
  return k->out.map == MFFT_MAP_LINE ? STRIDED : TRANSPOSED;
}

/* In how many rounds the threads of a block take its columns.  Blocks of few threads load while others merge and wait less
 * for each other, where there are enough of them; of one long line, a block holds more.  Lines of 256 are merged so soon
 * that two rounds and half the registers are better, but where they come from memory and are transposed, or are bfloat16. */
static int rounds_of(const mfft_kernel *k, const mfft_device_limits *limits, int columns, int64_t blocks) {
  const int across = kind_of(k) != CONTIGUOUS, many = kind_of(k) == STRIDED || (across && blocks >= 2 * limits->sms);
  const int soon = mfft_in_cache(limits) || (k->precision == MFFT_HALF && kind_of(k) == STRIDED), least = soon ? 512 : 256;
  if (across && k->chain.n >= least && columns >= 128 && blocks >= limits->sms) return MANY_ROUNDS;
  return columns > limits->threads / (many ? 4 : 2) ? 2 : 1;
}

/* Whether blocks take many tiles in turn, keep their matrices and load the next tile early; or are many, several to a
 * multiprocessor, and overlap each other's beginnings and ends.  As was the faster on an H200 (docs/lab/tensor-half.md). */
static int is_persistent(const mfft_kernel *k, const mfft_device_limits *limits, int rounds) {
  const int half = k->precision == MFFT_HALF;
  if (k->chain.merges == 1) return half;
  if (kind_of(k) == CONTIGUOUS) return 1;
  if (rounds == MANY_ROUNDS) return 0;
  if (mfft_in_cache(limits)) return !half && k->chain.n != 256;
  return !half || kind_of(k) == TRANSPOSED || k->chain.n != 256;
}

/* Registers of a thread. */
static int registers_of(const mfft_kernel *k, int rounds) {
  if (k->tile.persistent || rounds == MANY_ROUNDS) return 128;
  return k->chain.merges > 1 ? 64 : 80;
}

/* What merges wait for, in shared memory: twiddles, and another matrix for the last one (tensor_tables.c). */
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
  if (k->chain.lines < 4 && kind_of(k) != CONTIGUOUS) k->chain.lines = 4; /* neighbours of a thread */
  while (k->chain.lines * columns < 32) k->chain.lines *= 2;
  const int most = kind_of(k) == CONTIGUOUS ? 64 : k->chain.merges == 1 ? 128 : 256; /* columns of a small block */
  while (k->chain.lines * columns * 2 <= most && lines / (k->chain.lines * 2) >= mfft_busy_blocks(limits))
    k->chain.lines *= 2;
  const int rounds = rounds_of(k, limits, k->chain.lines * columns, lines / k->chain.lines);
  k->chain.threads = columns / rounds;
  k->tile.exchange_bytes = k->chain.merges > 1 ? k->chain.n * k->chain.lines * 4 : 0;
  k->tile.persistent = is_persistent(k, limits, rounds) || k->tile.exchange_bytes + table_bytes(k) > limits->shared_bytes;
  const int beside =
      (k->tile.persistent ? 0 : table_bytes(k)) + (k->precision == MFFT_BFLOAT16 ? 2 * 4 * k->chain.lines /* peaks */ : 0);
  k->tile.shared_bytes = k->tile.exchange_bytes + beside;
  if (k->tile.shared_bytes > limits->shared_bytes || k->chain.lines * k->chain.threads > limits->threads)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a tile of %d lines of %d elements does not fit a block", k->chain.lines,
                     k->chain.n);
  mfft_bound_blocks(k, limits, registers_of(k, rounds));
  const int both = k->tile.shared_bytes + k->tile.exchange_bytes;
  k->tile.two_areas =
      k->chain.merges > 2 && both <= limits->shared_bytes && k->tile.min_blocks * (both + 1024) <= limits->sm_shared_bytes;
  if (k->tile.two_areas) k->tile.shared_bytes = both;
  return MFFT_SUCCESS;
}

/* Angles of inter-pass twiddles are fractions of 2^32 (kernels/tensor/tensor.cu). */
static int suits(const mfft_pass_request *r) {
  const int angles = r->twiddle_order == 0 || is_power(r->twiddle_order);
  return is_sixteen_bit(r->spec->precision) && angles && mfft_likes_tensor_cores(r);
}

/* Strided halves from memory: two cache lines together are faster in tiles of 64 KB, and slower in larger ones. */
static int likes_wide(const mfft_kernel *k, const mfft_device_limits *limits) {
  return k->precision == MFFT_HALF && k->chain.n == 256 && !k->twiddle.loop && kind_of(k) == STRIDED &&
         !mfft_in_cache(limits);
}

/* Lines of fewer than four columns: neighbours of a thread are lines then, which may touch each other. */
static void short_ends(mfft_pass_draft *d) {
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  const int named = d->b->named && d->b->named_merges > 1;
  const int touch = kind_of(k) == CONTIGUOUS && k->in.unit && k->out.unit && !named;
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
    .least_scattered = 64,
    .suits = suits,
    .longest = longest,
    .likes_wide = likes_wide,
    .ends = ends,
    .shape = shape,
    .settle = mfft_share_scale_of_merges,
    .tables = mfft_tensor_tables,
    .options = mfft_options_of_pass,
};
