/* options.c: see options.h. */
#include "local/cuda/engines/options.h"

#include <stdio.h>
#include <string.h>

void mfft_option_add(mfft_compile_options *options, const char *name, int value) {
  if (options->count < MFFT_MAX_OPTIONS)
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-D%s=%d", name, value);
}

typedef struct word {
  const char *name;
  int value;
} word;

static void add_words(mfft_compile_options *options, const word *words, size_t count) {
  for (size_t i = 0; i < count; i++) mfft_option_add(options, words[i].name, words[i].value);
}

static void add_radices(mfft_compile_options *options, const char *prefix, const int radix[MFFT_MAX_MERGES]) {
  char name[32];
  for (int i = 0; i < MFFT_MAX_MERGES; i++) {
    snprintf(name, sizeof name, "%s%d", prefix, i);
    mfft_option_add(options, name, radix[i]);
  }
}

void mfft_options_of_pass(const mfft_kernel *k, const char *file, mfft_compile_options *options) {
  const word words[] = {
      {"PASS_PRECISION", k->precision},
      {"PASS_N", k->chain.n},
      {"PASS_MERGES", k->chain.merges},
      {"PASS_LINES", k->chain.lines},
      {"PASS_THREADS", k->chain.threads},
      {"PASS_SIGN", k->sign},
      {"PASS_MAP_IN", k->in.map},
      {"PASS_MAP_MID", k->map_mid},
      {"PASS_MAP_OUT", k->out.map},
      {"PASS_LOAD", k->in.form},
      {"PASS_STORE", k->out.form},
      {"PASS_STAGED_IN", k->in.staging},
      {"PASS_STAGED_OUT", k->out.staging},
      {"PASS_OUTER", k->twiddle.loop},
      {"PASS_OUTER_ALSO", k->twiddle.second_loop},
      {"PASS_OUTER_PART", k->twiddle.part},
      {"PASS_MIRROR", k->mirror},
      {"PASS_SCALED", k->scaled},
      {"PASS_LOOPS", k->loops},
      {"PASS_WIDE", k->wide_counts},
      {"PASS_UNIT_IN", k->in.unit},
      {"PASS_UNIT_OUT", k->out.unit},
      {"PASS_MIN_BLOCKS", k->tile.compact ? 0 : k->tile.min_blocks},
      {"PASS_EXCHANGE_BYTES", k->tile.exchange_bytes},
      {"PASS_VECTOR", k->in.wide | k->out.wide << 1 | k->tile.lines_in_fours << 2 | k->tile.rows_touch << 3},
      {"PASS_LAST_USE", k->in.last_use | k->out.last_use << 1},
      {"PASS_TWO_AREAS", k->tile.two_areas | k->tile.double_buffered},
      {"PASS_FILTER", k->filter.side},
      {"PASS_FILTER_UNIT", k->filter.unit},
      {"PASS_PERSISTENT", k->tile.persistent},
      {"PASS_SHARES", k->scatter.shares},
      {"PASS_UNIFORM_SHARES", k->scatter.uniform},
      {"PASS_WIRE", k->in.half_width | k->out.half_width << 1},
      {"PASS_GAP", k->tile.gap},
      {"PASS_FETCH", k->hints.prefetch},
      {"PASS_EXACT", k->exact},
      {"PASS_BLUESTEIN", k->bluestein.steps},
      {"PASS_BLUESTEIN_LOOP", k->bluestein.loop}};
  memset(options, 0, sizeof *options);
  options->file = file;
  add_words(options, words, sizeof words / sizeof *words);
  add_radices(options, "PASS_R", k->chain.radix);
  if (k->trigonometric) mfft_option_add(options, "PASS_TRIGONOMETRIC", k->trigonometric);
  if (k->in.opposite || k->out.opposite) mfft_option_add(options, "PASS_OPPOSITE", k->in.opposite | k->out.opposite << 1);
  if (k->convolved) mfft_option_add(options, "PASS_CONVOLVED", k->convolved);
  if (k->real_pairs) mfft_option_add(options, "PASS_REAL_PAIRS", k->real_pairs);
  if (k->coprime) mfft_option_add(options, "PASS_COPRIME", 1);
  if (k->padded) mfft_option_add(options, "PASS_PADDED", k->padded);
  if (k->hints.early) mfft_option_add(options, "PASS_EARLY", 1);
  if (k->hints.shared_twiddles) mfft_option_add(options, "PASS_SHARED_TWIDDLES", 1);
  if (k->hints.sole_line) mfft_option_add(options, "PASS_SOLE_LINE", 1);
  if (k->hints.products) mfft_option_add(options, "PASS_PRODUCTS", k->hints.products);
  if (k->ends) mfft_option_add(options, "PASS_ENDS", 1);
}

void mfft_options_of_two_chains(const mfft_kernel *k, const char *file, mfft_compile_options *options) {
  const word words[] = {{"PASS_CLUSTER", k->cluster.blocks},
                        {"PASS_COLUMNS", k->cluster.columns},
                        {"PASS_CONTIGUOUS_LINES", k->cluster.contiguous_lines},
                        {"PASS_BETWEEN", k->cluster.twiddled},
                        {"PASS_IN_STRIDE", k->cluster.in_stride},
                        {"PASS_OUT_STRIDE", k->cluster.out_stride},
                        {"PASS_SECOND_N", k->second.n},
                        {"PASS_SECOND_MERGES", k->second.merges},
                        {"PASS_SECOND_LINES", k->second.lines},
                        {"PASS_SECOND_THREADS", k->second.threads}};
  mfft_options_of_pass(k, file, options);
  add_words(options, words, sizeof words / sizeof *words);
  add_radices(options, "PASS_SECOND_R", k->second.radix);
}
