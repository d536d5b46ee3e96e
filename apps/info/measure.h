/* measure.h: `mergefft info --measure-machine FILE`: the numbers of the machine that this job runs on. */
#ifndef MFFT_APPS_MEASURE_H
#define MFFT_APPS_MEASURE_H

#include "base/whole_file.h"
#include "mfft.h"

extern const mfft_file_kind mfft_machine_kind;

/* Measures memory, local transforms, and exchanges within nodes and between them, while all ranks do the same, and writes a
 * machine (info/machine.h).  backend: whose memory, NULL: the best; seconds: what the samples of one number may take,
 * besides the last one that has begun.  Plans, which are made to be timed, take some seconds more.  Collective; fails if
 * nodes have different numbers of ranks. */
mfft_status mfft_measure_machine(const char *path, const char *backend, double seconds);

#endif
