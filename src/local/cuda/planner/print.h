/* print.h: the text of a schedule, and of the phases of a transform. */
#ifndef MFFT_CUDA_PRINT_H
#define MFFT_CUDA_PRINT_H

#include "local/cuda/planner/phase.h"

/* Prints a schedule as one line: "256 (16,16; 16 lines x 16 threads) + ...". */
void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size);

/* Prints one line: the schedules of the phases, and the time that a cost model expects of them. */
void mfft_phases_print(const mfft_phases *phases, char *text, size_t size);

#endif
