/* tiles.c: see tiles.h. */
#include "local/cuda/engines/tiles.h"

#include "local/cuda/planner/builder.h"

int mfft_bits_of(int64_t n) {
  int bits = 0;
  while ((int64_t)1 << (bits + 1) <= n) bits++;
  return bits;
}

int mfft_tile_shared_bits(int64_t n, int contiguous) {
  const int last = (mfft_bits_of(n) - 1) % 4 + 1;
  return !contiguous ? last : last > 2 ? last - 2 : 0;
}

int mfft_tile_shared_bytes(const mfft_builder *b, int64_t bytes, int double_buffered) {
  const int peaks = b->spec->precision == MFFT_BFLOAT16 ? 2 * 4 * MFFT_TILE_LINES : 0;
  return (int)(bytes + (double_buffered ? bytes / MFFT_TILE_ROUNDS * (MFFT_TILE_ROUNDS - 1) : 0)) + peaks;
}

/* Whether units of four elements are contiguous in the input and the output: kernels copy 16 bytes at a time. */
static int in_fours(const mfft_builder *b) {
  for (int d = 0; d < b->count; d++)
    for (int place = MFFT_AT_IN; place <= MFFT_AT_OUT; place++) {
      const int64_t stride = b->dims[d].stride[place], n = b->dims[d].n;
      if (n > 1 && (stride == 1 ? n % 4 : stride % 4)) return 0;
    }
  return 1;
}

/* Whether there are enough tiles for the blocks that the multiprocessors can hold. */
static int is_busy(const mfft_builder *b, const mfft_tile_choice *t) {
  const int64_t places =
      (int64_t)(b->limits->sm_shared_bytes / (mfft_tile_shared_bytes(b, t->bytes, t->double_buffered) + 1024)) *
      b->limits->sms;
  const int64_t *least = mfft_tuned_for(b->limits)->resident_busy;
  return least[1] * mfft_builder_others(b, -1, -1) >= least[0] * (t->bytes / 4) * places;
}

/* Whether the device can hold such a tile.  A tile that is shared by blocks of a cluster must be double-buffered: a block
 * does not know when others have read its memory (kernels/tensor/tile_load.cuh). */
static int can_take(const mfft_builder *b, const mfft_tile_choice *t) {
  const int most_blocks = !t->double_buffered || b->limits->arch < 90  ? 1
                          : b->limits->cluster < MFFT_PORTABLE_CLUSTER ? b->limits->cluster
                                                                       : MFFT_PORTABLE_CLUSTER;
  const int64_t threads = t->bytes / 4 / MFFT_TILE_VALUES;
  return is_power(t->bytes) && mfft_tile_shared_bytes(b, t->bytes, t->double_buffered) <= b->limits->shared_bytes &&
         is_power(t->blocks) && (t->blocks == 1 || t->blocks <= most_blocks) && threads >= 32 &&
         threads <= b->limits->threads && in_fours(b);
}

static int is_for(const mfft_tuned_tile *row, mfft_precision precision, int64_t length) {
  return row->precisions >> precision & 1 && length >= row->least && length <= row->most;
}

/* Whether rows of the table hold for a transform: half takes resident tiles only where tensor cores are asked for, since
 * they have more than twice the error of butterflies. */
static int by_table(const mfft_fft_spec *s) { return s->precision != MFFT_HALF || s->compute == MFFT_COMPUTE_TENSOR; }

int mfft_tile_known(const mfft_device_limits *limits, const mfft_fft_spec *spec, int64_t n, int64_t whole, int strided) {
  const mfft_tuned *tuned = mfft_tuned_for(limits);
  const mfft_tile_kind of_whole = strided ? MFFT_TILE_COLUMN : MFFT_TILE_LINE;
  for (int i = 0; i < tuned->tiles && by_table(spec); i++) {
    const mfft_tuned_tile *row = &tuned->tile[i];
    const int kind = row->kind == MFFT_TILE_PART || (n == whole && row->kind == of_whole);
    if (kind && is_power(whole) && is_for(row, spec->precision, whole)) return 1;
  }
  return 0;
}

/* Whether a transform can have resident tiles at all. */
static int may_have(const mfft_fft_spec *s) {
  return s->tile_bytes >= 0 && s->type == MFFT_FFT_C2C && is_sixteen_bit(s->precision) &&
         s->compute != MFFT_COMPUTE_BUTTERFLY && !s->filtered && !s->scatter.count;
}

mfft_tile_choice mfft_tile_choose(const mfft_builder *b, mfft_tile_kind kind, int64_t length, int64_t fast) {
  const mfft_fft_spec *s = b->spec;
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  const mfft_tile_choice none = {0, 1, 0}, asked = {s->tile_bytes, s->cluster > 1 ? s->cluster : 1, s->tile_double_buffered};
  if (!is_power(length) || !may_have(s)) return none;
  if (asked.bytes) return can_take(b, &asked) ? asked : none;
  for (int i = 0; i < tuned->tiles && by_table(s); i++) {
    const mfft_tuned_tile *row = &tuned->tile[i];
    const int fitting = row->kind == kind && !(row->far && mfft_in_cache(b->limits)) && fast == row->fast;
    if (fitting && is_for(row, s->precision, length) && is_busy(b, &row->tile) && can_take(b, &row->tile)) return row->tile;
  }
  return none;
}
