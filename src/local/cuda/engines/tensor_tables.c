/* tensor_tables.c: the matrices and twiddles of kernels/tensor, in the order in which lanes load them. */
#include "local/cuda/engines/tensor_tables.h"

#include <stdlib.h>

/* The matrices of a kernel: radix 16; the same, of columns two further on in the first merge of contiguous lines; a smaller
 * last radix, or of radix 32 the odd half; and that of the other axis of a plane. */
enum { EVEN = 0, BESIDE, LAST, SECOND_LAST, MATRICES };

/* Whether products are those of sums and differences of rows (kernels/tensor/fragment.cuh): in all kernels but those of
 * short lines. */
static int is_folded(const mfft_kernel *kernel) { return !kernel->tile.rows_touch; }

/* Entry (k, column) of the matrix of product b, for the rows of one half: see kernels/tensor/fragment.cuh.  k counts re and
 * im of the inputs t + 4 half, t < 4, and of those 8 further on; of short lines, of 4 t + 2 half and the next.  Columns are
 * re and im of the outputs 4 t + b, or t + 4 b of a small radix that is folded. */
static double matrix_entry(const mfft_kernel *kernel, int matrix, int b, int half, int k, int column) {
  const int of_second = matrix == SECOND_LAST && kernel->second.merges > 0;
  const int last =
      of_second ? kernel->second.radix[kernel->second.merges - 1] : kernel->chain.radix[kernel->chain.merges - 1];
  const int r = matrix >= LAST && last < 16 ? last : 16, wide = 16 / r;
  const int t = k / 2 % 4, next = k / 8, output = is_folded(kernel) && r <= 4 ? column / 2 + 4 * b : 4 * (column / 2) + b;
  const int input = kernel->tile.rows_touch ? 4 * t + 2 * half + next : t + 4 * half + 8 * next;
  if (output % wide != input % wide) return 0;
  const int64_t q = output / wide, twiddle = matrix == BESIDE               ? 2 * q
                                             : matrix == LAST && last == 32 ? q * (kernel->chain.n / 32)
                                                                            : 0;
  double re, im;
  mfft_root(q * (input / wide) * (kernel->chain.n / r) + twiddle, kernel->chain.n, kernel->sign, &re, &im);
  const double size = is_folded(kernel) && kernel->scaled && kernel->precision == MFFT_HALF ? 2 : 1; /* halves of sums */
  if (column % 2) return size * (k % 2 ? re : im);
  return size * (k % 2 ? -im : re);
}

static mfft_status make_matrices(const mfft_kernel *kernel, mfft_table *table) {
  const int depth = is_folded(kernel) ? 1 : 2; /* of eight rows each */
  const int count = MATRICES * 4 * 32 * 4 * depth;
  table->bytes = (size_t)count * 2;
  uint16_t *to = table->data = malloc(table->bytes); /* [MATRICES][2 depth][lane][2 / depth of b][half][depth][k % 2] */
  if (!to) return mfft_fail(MFFT_ERR_MEMORY, "matrices: no memory for %zu bytes", table->bytes);
  for (int i = 0; i < count; i++) {
    const int lane = i / 8 % 32, next = i / 2 % depth, half = i / 2 / depth % 2, matrix = i / (512 * depth),
              b = i / 256 % (2 * depth) * (2 / depth) + i / 4 / depth % (2 / depth);
    to[i] = mfft_round_half(matrix_entry(kernel, matrix, b, half, lane % 4 * 2 + i % 2 + 8 * next, lane / 4));
  }
  return MFFT_SUCCESS;
}

/* Twiddles of the merges but the last, times their share of the scale: W^(p q) for the outputs q = 4 t + b of four lanes t.
 * Four neighbouring columns share p, but in the first merge of contiguous lines: of those, two have their own.  Of radix 32
 * the second tile has the outputs 16 further on. */
static mfft_status make_twiddles(const mfft_pass *pass, mfft_table *table) {
  const mfft_kernel *kernel = &pass->kernel;
  table->bytes = 8;
  const int64_t columns = kernel->chain.n / 16;
  for (int64_t merge = 0, s = 1; merge + 1 < kernel->chain.merges; s *= kernel->chain.radix[merge++])
    table->bytes += (size_t)(16 * 8 * columns / s);
  float *to = table->data =
      malloc(table->bytes); /* [merge][pair of outputs, of each e if alone, of each tile of two][p][t][output][re, im] */
  if (!to) return mfft_fail(MFFT_ERR_MEMORY, "twiddles: no memory for %zu bytes", table->bytes);
  for (int64_t merge = 0, s = 1; merge + 1 < kernel->chain.merges; s *= kernel->chain.radix[merge++]) {
    int alone = merge == 0 && kernel->in.map == MFFT_MAP_ELEMENT, two = kernel->chain.radix[merge] == 32;
    int64_t rows = columns / s / (alone ? 4 : two ? 2 : 1);
    for (int64_t i = 0; i < (alone || two ? 4 : 2) * rows * 8; i++) {
      int64_t k = i / (8 * rows), p = i / 8 % rows, q = i / 2 % 4 * 4 + k % 2 * 2 + i % 2 + (two ? k / 2 * 16 : 0);
      double re, im;
      mfft_root((alone ? 4 * p + k / 2 : p) * q, kernel->chain.n / s, kernel->sign, &re, &im);
      *to++ = (float)(re * pass->args.merge_scale[merge]);
      *to++ = (float)(im * pass->args.merge_scale[merge]);
    }
  }
  return MFFT_SUCCESS;
}

/* Puts W^(p q) of an order, times a scale, for `count` values of p from `first` on, `step` apart, and the outputs q of four
 * lanes t.  Returns the end of what it wrote. */
static float *put_roots(float *to, int sign, int64_t order, int64_t first, int64_t step, int64_t count, double scale) {
  for (int64_t i = 0; i < 2 * count * 8; i++) { /* [pair of outputs][count][t][output] */
    const int64_t p = first + i / 8 % count * step, q = i / 2 % 4 * 4 + i / (8 * count) * 2 + i % 2;
    double re, im;
    mfft_root(p * q, order, sign, &re, &im);
    *to++ = (float)(re * scale);
    *to++ = (float)(im * scale);
  }
  return to;
}

/* The twiddles of resident tiles: those of every merge that does not end its axis, first of lines, then of columns of
 * planes.  If the four columns of a unit are elements of one line, the table of the first merge has only every fourth p. The
 * kernel multiplies by W^q to get from one p to the next, and by another root to get from round to round; these factors come
 * last. */
static mfft_status make_resident_twiddles(const mfft_pass *pass, mfft_table *table) {
  const mfft_kernel *kernel = &pass->kernel;
  const int spread = kernel->in.map == MFFT_MAP_ELEMENT, merges = kernel->chain.merges + kernel->second.merges,
            rounds = kernel->tile.exchange_bytes / 4 / 16 / (kernel->chain.lines * kernel->chain.threads),
            steps = 2 * rounds < kernel->chain.n / 16 ? 2 * rounds : kernel->chain.n / 16;
  int64_t order[2 * MFFT_MAX_MERGES], step[2 * MFFT_MAX_MERGES], rows = spread ? 1 + steps : 0; /* [merges] */
  for (int m = 0; m < merges; m++) {
    const int second = m >= kernel->chain.merges, last = m == kernel->chain.merges - 1 || m == merges - 1;
    order[m] = (second ? kernel->second.n : kernel->chain.n) >> 4 * (second ? m - kernel->chain.merges : m);
    step[m] = last ? 0 : spread && m == 0 ? 4 : 1; /* 0: has none */
    rows += last ? 0 : order[m] / 16 / step[m];
  }
  table->bytes = (size_t)rows * 16 * 8 + 8;
  float *to = table->data = malloc(table->bytes);
  if (!to) return mfft_fail(MFFT_ERR_MEMORY, "twiddles: no memory for %zu bytes", table->bytes);
  for (int m = 0; m < merges; m++)
    if (step[m]) to = put_roots(to, kernel->sign, order[m], 0, step[m], order[m] / 16 / step[m], pass->args.merge_scale[m]);
  if (spread) to = put_roots(to, kernel->sign, kernel->chain.n, 1, 0, 1, 1);
  if (spread) put_roots(to, kernel->sign, kernel->chain.n, 0, kernel->chain.n / 16 / steps, steps, 1);
  return MFFT_SUCCESS;
}

/* Inter-pass twiddles are computed: their orders are powers of two, so an index is shifted to fill 32 bits and read as a
 * signed angle. */
static mfft_status make_common(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  pass->args.merge_angle = (float)(pass->kernel.sign * 3.14159265358979323846 / 2147483648.0);
  pass->args.outer_shift = 32;
  for (int64_t n = pass->twiddle_order; n > 1; n /= 2) pass->args.outer_shift--;
  return make_matrices(&pass->kernel, &table[MFFT_TABLE_MATRICES]);
}

mfft_status mfft_tensor_tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  MFFT_TRY(make_common(pass, table));
  return make_twiddles(pass, &table[MFFT_TABLE_MERGES]);
}

mfft_status mfft_resident_tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  MFFT_TRY(make_common(pass, table));
  return make_resident_twiddles(pass, &table[MFFT_TABLE_MERGES]);
}
