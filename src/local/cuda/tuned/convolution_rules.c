/* convolution_rules.c: see convolution_rules.h. */
#include "local/cuda/tuned/convolution_rules.h"

#include <stddef.h>

/* Ascending lengths; those of single are for 16 bits too. */
static const mfft_convolution_block complex_singles[] = {
    {{192, {16, 12}, 2, 8, 16}, 1.02},       {{256, {16, 16}, 2, 8, 16}, 0.83},      {{320, {20, 16}, 2, 8, 16}, 1.27},
    {{384, {24, 16}, 2, 8, 16}, 1.14},       {{512, {32, 16}, 2, 8, 16}, 0.96},      {{576, {12, 12, 4}, 3, 4, 48}, 1.41},
    {{768, {24, 32}, 2, 4, 32}, 1.18},       {{1024, {32, 32}, 2, 8, 32}, 1.05},     {{1536, {24, 8, 8}, 3, 2, 64}, 1.29},
    {{2048, {16, 16, 8}, 3, 1, 128}, 1.13},  {{3072, {32, 12, 8}, 3, 1, 128}, 1.64}, {{4096, {16, 16, 16}, 3, 1, 256}, 1.32},
    {{6144, {24, 16, 16}, 3, 1, 256}, 1.85}, {{8192, {32, 16, 16}, 3, 1, 256}, 1.51}};
static const mfft_convolution_block complex_doubles[] = {
    {{192, {16, 12}, 2, 8, 16}, 0.87},       {{256, {16, 16}, 2, 8, 16}, 0.70},
    {{320, {20, 16}, 2, 8, 16}, 1.18},       {{384, {24, 16}, 2, 8, 16}, 1.07},
    {{512, {32, 16}, 2, 8, 16}, 0.96},       {{576, {24, 24}, 2, 4, 32}, 1.39},
    {{768, {24, 32}, 2, 4, 32}, 1.23},       {{1024, {32, 32}, 2, 4, 32}, 1.04},
    {{1536, {24, 8, 8}, 3, 2, 64}, 1.37},    {{2048, {16, 16, 8}, 3, 1, 128}, 1.14},
    {{3072, {16, 16, 12}, 3, 1, 256}, 1.58}, {{4096, {16, 16, 16}, 3, 1, 256}, 1.31},
    {{6144, {24, 16, 16}, 3, 1, 256}, 2.08}, {{8192, {32, 16, 16}, 3, 1, 256}, 1.96}};
static const mfft_convolution_block real_singles[] = {
    {{192, {12, 16}, 2, 16, 16}, 1.49},      {{256, {8, 32}, 2, 16, 8}, 1.01},
    {{512, {8, 8, 8}, 3, 2, 64}, 1.14},      {{576, {12, 12, 4}, 3, 4, 48}, 1.76},
    {{768, {8, 8, 12}, 3, 2, 64}, 1.36},     {{1024, {16, 8, 8}, 3, 2, 64}, 1.49},
    {{1536, {8, 8, 24}, 3, 2, 64}, 1.36},    {{2048, {16, 16, 8}, 3, 1, 128}, 1.55},
    {{3072, {12, 16, 16}, 3, 1, 256}, 2.05}, {{4096, {16, 16, 16}, 3, 1, 256}, 1.88},
    {{8192, {16, 8, 8, 8}, 4, 1, 512}, 2.10}};
static const mfft_convolution_block real_doubles[] = {
    {{192, {12, 16}, 2, 16, 16}, 1.22},      {{256, {16, 16}, 2, 8, 16}, 0.86},
    {{512, {8, 8, 8}, 3, 2, 64}, 1.11},      {{768, {8, 8, 12}, 3, 2, 64}, 1.28},
    {{1024, {16, 8, 8}, 3, 2, 64}, 1.37},    {{1536, {8, 8, 24}, 3, 2, 64}, 1.41},
    {{2048, {16, 16, 8}, 3, 1, 128}, 1.43},  {{3072, {12, 16, 16}, 3, 1, 256}, 1.80},
    {{4096, {16, 16, 16}, 3, 1, 256}, 1.65}, {{6144, {24, 16, 16}, 3, 1, 256}, 2.90},
    {{8192, {16, 8, 8, 8}, 4, 1, 512}, 2.56}};

typedef struct block_list {
  const mfft_convolution_block *row; /* [count] */
  size_t count;
} block_list;

static const block_list *blocks_of(mfft_precision precision, int of_reals) {
#define LIST(rows) \
  { rows, sizeof rows / sizeof *rows }
  static const block_list lists[2][2] = {{LIST(complex_singles), LIST(complex_doubles)},
                                         {LIST(real_singles), LIST(real_doubles)}}; /* [of_reals][in double] */
#undef LIST
  return &lists[of_reals != 0][is_double(precision)];
}

const mfft_convolution_block *mfft_convolution_block_for(mfft_precision precision, int of_reals, int64_t least) {
  const block_list *list = blocks_of(precision, of_reals);
  const mfft_convolution_block *best = NULL;
  if (least <= list->row[0].chain.n / 2) return NULL; /* no block was measured for lines so short */
  for (size_t i = 0; i < list->count; i++) {
    const mfft_convolution_block *row = &list->row[i];
    if (row->chain.n >= least && (!best || row->chain.n * row->cost < best->chain.n * best->cost)) best = row;
  }
  return best;
}

const mfft_convolution_block *mfft_convolution_block_of(const mfft_kernel *k) {
  const int whole = MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_SPECTRUM | MFFT_BLUESTEIN_STORE;
  const block_list *list = blocks_of(k->precision, mfft_is_of_reals(k->real_pairs, k->in.form, k->out.form));
  if (k->bluestein.steps != whole || k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT) return NULL;
  for (size_t i = 0; i < list->count; i++)
    if (list->row[i].chain.n == k->chain.n) return &list->row[i];
  return NULL;
}
