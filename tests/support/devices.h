/* devices.h: the limits of GPUs that the cuda backend may meet, for tests that need none. */
#ifndef MFFT_TESTS_DEVICES_H
#define MFFT_TESTS_DEVICES_H

#include "local/cuda/planner/pass.h"

static const struct {
  const char *name;
  int nvrtc; /* the first version of CUDA that compiles for it: 1000 * major + minor */
  mfft_device_limits limits;
} devices[] = {
    {"A100", 11000, {166912, 167936, 1024, 2048, 65536, 80, 128, 0, 108, 20971520}},
    {"RTX 3090", 11001, {101376, 102400, 1024, 1536, 65536, 86, 128, 0, 82, 3145728}},
    {"L40S", 11008, {101376, 102400, 1024, 1536, 65536, 89, 128, 0, 142, 28000000}},
    {"H200", 11008, {232448, 233472, 1024, 2048, 65536, 90, 128, 16, 132, 28000000}},
    {"B200", 12008, {232448, 233472, 1024, 2048, 65536, 100, 128, 16, 148, 28000000}},
    {"RTX 5090", 12008, {101376, 102400, 1024, 1536, 65536, 120, 128, 8, 170, 28000000}},
}; /* [DEVICES] */
enum { DEVICES = sizeof devices / sizeof *devices };

#endif
