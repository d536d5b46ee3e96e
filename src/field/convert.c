/* convert.c: types, byte order and memory order. */
#include "field/convert.h"

#include <math.h>

int mfft_value_bytes(mfft_precision precision) {
  return precision == MFFT_SINGLE ? (int)sizeof(float) : precision == MFFT_DOUBLE ? (int)sizeof(double) : 0;
}

/* One row: n values with strides in_step and out_step.  Unit strides have a loop of their own, so that it is vectorised. */
typedef int64_t (*row_function)(const void *in, int64_t in_step, void *out, int64_t out_step, int64_t n);

#define ROW(name, from, to, lost)                                                                    \
  static int64_t name(const void *in, int64_t in_step, void *out, int64_t out_step, int64_t n) {     \
    const from *a = in;                                                                              \
    to *b = out;                                                                                     \
    int64_t bad = 0;                                                                                 \
    if (in_step == 1 && out_step == 1)                                                               \
      for (int64_t i = 0; i < n; i++) b[i] = (to)a[i], bad += lost(a[i], b[i]);                      \
    else                                                                                             \
      for (int64_t i = 0; i < n; i++, a += in_step, b += out_step) *b = (to)*a, bad += lost(*a, *b); \
    return bad;                                                                                      \
  }
#define NEVER(a, b)     0
#define OVERFLOWS(a, b) (isinf(b) && !isinf(a))
ROW(double_to_double, double, double, NEVER)
ROW(double_to_single, double, float, OVERFLOWS)
ROW(single_to_double, float, double, NEVER)
ROW(single_to_single, float, float, NEVER)

static const row_function row_table[2][2] = {
    /* [from][to], by mfft_precision */
    {double_to_double, double_to_single},
    {single_to_double, single_to_single},
};

static int64_t copy_block(const mfft_block *block, const void *in, mfft_precision from, void *out, mfft_precision to) {
  row_function row = row_table[from][to];
  const int64_t *n = block->n, *is = block->is, *os = block->os;
  int in_bytes = mfft_value_bytes(from), out_bytes = mfft_value_bytes(to);
  int64_t bad = 0;
  for (int64_t i = 0; i < n[0]; i++)
    for (int64_t j = 0; j < n[1]; j++)
      for (int64_t k = 0; k < n[2]; k++) {
        int64_t a = block->in_offset + i * is[0] + j * is[1] + k * is[2];
        int64_t b = block->out_offset + i * os[0] + j * os[1] + k * os[2];
        bad += row((const char *)in + a * in_bytes, is[3], (char *)out + b * out_bytes, os[3], n[3]);
      }
  return bad;
}

static mfft_box packed_box(const mfft_box *piece) {
  mfft_box packed = *piece;
  for (int level = 0; level < 3; level++) packed.order[level] = level;
  return packed;
}

int mfft_convert_direct(const mfft_box *piece, const mfft_box *box, int64_t *offset) {
  mfft_box packed = packed_box(piece);
  mfft_block block = mfft_box_copy(piece, &packed, box, 1);
  *offset = block.out_offset;
  return block.n[0] == 1 && block.n[1] == 1 && block.n[2] == 1 && block.is[3] == 1 && block.os[3] == 1;
}

int64_t mfft_convert_in(const mfft_box *piece, const void *packed, mfft_precision stored, const mfft_box *box, void *array,
                        mfft_precision memory) {
  mfft_box from = packed_box(piece);
  mfft_block block = mfft_box_copy(piece, &from, box, 1);
  return copy_block(&block, packed, stored, array, memory);
}

int64_t mfft_convert_out(const mfft_box *piece, void *packed, mfft_precision stored, const mfft_box *box, const void *array,
                         mfft_precision memory) {
  mfft_box to = packed_box(piece);
  mfft_block block = mfft_box_copy(piece, box, &to, 1);
  return copy_block(&block, array, memory, packed, stored);
}

void mfft_swap_bytes(void *values, int element_bytes, int64_t count) {
  if (element_bytes == 4) {
    uint32_t *v = values;
    for (int64_t i = 0; i < count; i++) v[i] = v[i] >> 24 | (v[i] >> 8 & 0xff00u) | (v[i] << 8 & 0xff0000u) | v[i] << 24;
  } else {
    uint64_t *v = values;
    for (int64_t i = 0; i < count; i++) {
      uint64_t b = v[i];
      b = (b >> 8 & 0x00ff00ff00ff00ffu) | (b << 8 & 0xff00ff00ff00ff00u);
      b = (b >> 16 & 0x0000ffff0000ffffu) | (b << 16 & 0xffff0000ffff0000u);
      v[i] = b >> 32 | b << 32;
    }
  }
}

int mfft_big_endian_machine(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 0;
}
