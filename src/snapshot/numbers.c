/* numbers.c: see numbers.h. */
#include "snapshot/numbers.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

const mfft_snap_number_kind mfft_snap_numbers[MFFT_SNAPSHOT_NUMBER_COUNT] = {
    [MFFT_SNAPSHOT_FLOAT32] = {"float", 4, 1, 1},          [MFFT_SNAPSHOT_FLOAT64] = {"double", 8, 1, 1},
    [MFFT_SNAPSHOT_INT32] = {"32-bit integer", 4, 0, 0},   [MFFT_SNAPSHOT_INT64] = {"64-bit integer", 8, 0, 1},
    [MFFT_SNAPSHOT_UINT32] = {"32-bit unsigned", 4, 0, 0}, [MFFT_SNAPSHOT_UINT64] = {"64-bit unsigned", 8, 0, 1},
};

mfft_precision mfft_snap_precision(mfft_snapshot_number number) {
  return mfft_snap_numbers[number].bytes == 4 ? MFFT_SINGLE : MFFT_DOUBLE;
}

mfft_status mfft_snap_check_memory(mfft_snapshot_number number) {
  if ((int)number >= 0 && number < MFFT_SNAPSHOT_NUMBER_COUNT && mfft_snap_numbers[number].in_memory) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "number is %d; use MFFT_SNAPSHOT_FLOAT32, FLOAT64, INT64 or UINT64 for arrays",
                   (int)number);
}

/* Any stored integer, as 64 bits and a sign. */
typedef struct integer {
  uint64_t bits; /* in two's complement */
  int negative;
} integer;

static integer load(const void *data, int64_t i, mfft_snapshot_number number) {
  const char *at = (const char *)data + i * mfft_snap_numbers[number].bytes;
  int32_t narrow;
  uint32_t unsigned_narrow;
  uint64_t wide;
  if (number == MFFT_SNAPSHOT_INT32) {
    memcpy(&narrow, at, sizeof narrow);
    return (integer){(uint64_t)(int64_t)narrow, narrow < 0};
  }
  if (number == MFFT_SNAPSHOT_UINT32) {
    memcpy(&unsigned_narrow, at, sizeof unsigned_narrow);
    return (integer){unsigned_narrow, 0};
  }
  memcpy(&wide, at, sizeof wide);
  return (integer){wide, number == MFFT_SNAPSHOT_INT64 && wide >> 63};
}

/* Stores an integer and returns 1 if it does not fit. */
static int store(integer value, void *data, int64_t i, mfft_snapshot_number number) {
  static const uint64_t largest[MFFT_SNAPSHOT_NUMBER_COUNT] = {[MFFT_SNAPSHOT_INT32] = INT32_MAX,
                                                               [MFFT_SNAPSHOT_INT64] = INT64_MAX,
                                                               [MFFT_SNAPSHOT_UINT32] = UINT32_MAX,
                                                               [MFFT_SNAPSHOT_UINT64] = UINT64_MAX};
  const int is_signed = number == MFFT_SNAPSHOT_INT32 || number == MFFT_SNAPSHOT_INT64;
  char *at = (char *)data + i * mfft_snap_numbers[number].bytes;
  const uint32_t low = (uint32_t)value.bits;
  if (mfft_snap_numbers[number].bytes == 4)
    memcpy(at, &low, sizeof low);
  else
    memcpy(at, &value.bits, sizeof value.bits);
  return value.negative ? !is_signed || ~value.bits > largest[number] : value.bits > largest[number];
}

int64_t mfft_snap_widen(void *data, int64_t count, mfft_snapshot_number from, mfft_snapshot_number to) {
  int64_t lost = 0;
  if (from == to) return 0;
  /* The loop runs backward, since the conversion is in place and results are at least as wide. */
  for (int64_t i = count - 1; i >= 0; i--) lost += store(load(data, i, from), data, i, to);
  return lost;
}

int64_t mfft_snap_store(const void *data, int64_t count, mfft_snapshot_number from, void *stored, mfft_snapshot_number to) {
  int64_t lost = 0;
  if (from == to) {
    memcpy(stored, data, (size_t)(count * mfft_snap_numbers[to].bytes));
  } else if (from == MFFT_SNAPSHOT_FLOAT32) {
    for (int64_t i = 0; i < count; i++) ((double *)stored)[i] = ((const float *)data)[i];
  } else if (from == MFFT_SNAPSHOT_FLOAT64) {
    const double *value = data;
    float *narrow = stored;
    for (int64_t i = 0; i < count; i++) {
      narrow[i] = (float)value[i];
      lost += isinf(narrow[i]) && !isinf(value[i]);
    }
  } else {
    for (int64_t i = 0; i < count; i++) lost += store(load(data, i, from), stored, i, to);
  }
  return lost;
}
