/* numbers.h: conversion of the numbers of columns between files and arrays. */
#ifndef MFFT_SNAPSHOT_NUMBERS_H
#define MFFT_SNAPSHOT_NUMBERS_H

#include "mfft_snapshot.h"

typedef struct mfft_snap_number_kind {
  const char *words;
  int bytes, is_float, in_memory; /* in_memory: 1: allowed for arrays */
} mfft_snap_number_kind;
extern const mfft_snap_number_kind mfft_snap_numbers[MFFT_SNAPSHOT_NUMBER_COUNT];

/* The floating-point precision with the same number of bytes; functions that copy values treat integers as such numbers. */
mfft_precision mfft_snap_precision(mfft_snapshot_number number);

/* MFFT_ERR_ARG unless the type is allowed for arrays. */
mfft_status mfft_snap_check_memory(mfft_snapshot_number number);

/* Converts `count` integers of type `from` at the beginning of `data`, in place, to type `to`, which has at least as many
 * bytes.  Returns the number of integers that do not fit. */
int64_t mfft_snap_widen(void *data, int64_t count, mfft_snapshot_number from, mfft_snapshot_number to);

/* Converts numbers of an array (FLOAT32, FLOAT64, INT64 or UINT64) to the type of the file, floats to floats, integers to
 * integers.  Returns the number of values that do not fit. */
int64_t mfft_snap_store(const void *data, int64_t count, mfft_snapshot_number from, void *stored, mfft_snapshot_number to);

#endif
