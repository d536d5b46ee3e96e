/* rader_rules.c: see rader_rules.h. */
#include "local/cuda/tuned/rader_rules.h"

const mfft_rader_cost *mfft_rader_cost_for(mfft_precision precision) {
  static const mfft_rader_cost cost[] = {
      {{.exchange = 16, .of_value = 0.01, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6},
      {{.exchange = 16, .of_value = 0.03, .large = 0.2, .free_values = 16, .large_threads = 512}, .twiddle = 6}};
  return &cost[is_double(precision)];
}

int mfft_rader_registers(mfft_precision precision, int values, int has_long_prime) {
  const int registers = (is_double(precision) ? 84 + 6 * values : 44 + 4 * values) + (has_long_prime ? 32 : 0);
  return registers > 255 ? 255 : registers;
}

/* By line while at least half of the threads that access shared memory at once have neighbouring lines. */
const mfft_rader_rows *mfft_rader_rows_choice(mfft_precision precision, int i) {
  static const mfft_rader_rows single[] = {{16, 1}, {8, 1}, {4, 0}, {2, 0}, {1, 0}},
                               wide[] = {{8, 1}, {4, 1}, {2, 0}, {1, 0}};
  return is_double(precision) ? &wide[i] : &single[i];
}

int mfft_rader_rows_fit(mfft_precision precision, const mfft_rader_rows *rows, int64_t n) {
  enum { BLOCK_BYTES = 34000 };
  return rows->lines * n * value_bytes(precision) <= BLOCK_BYTES;
}
