/* environment.h: the parts of the program and the machine, for `mergefft info` and the head of every JSON report. */
#ifndef MFFT_APPS_ENVIRONMENT_H
#define MFFT_APPS_ENVIRONMENT_H

#include "io/json.h"

/* Versions, "" if that part is not built in.  The texts are valid until the process ends. */
const char *mfft_environment_mpi(void);  /* first line of the version that the MPI library reports */
const char *mfft_environment_hdf5(void); /* needs no MPI */
const char *mfft_environment_fftw(void);

/* The machine of this process. */
const char *mfft_environment_host(void);
const char *mfft_environment_cpu(void); /* model name, or the architecture */
int mfft_environment_cores(void);       /* cores that this process may use */
int mfft_environment_free_cores(void);  /* cores of its control group, which it might use if no launcher had bound it */
int64_t mfft_environment_memory_bytes(void);
int64_t mfft_environment_available_bytes(void); /* 0 if the system does not report it */

/* Adds an object with all of it, the time of day (UTC) and the number of ranks.  Not collective. */
void mfft_environment_json(mfft_json *json, const char *key);

#endif
