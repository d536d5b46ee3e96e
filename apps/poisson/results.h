/* results.h: the results of a run of `mergefft poisson`: their file, the lines that are printed, and their JSON. */
#ifndef MFFT_APPS_POISSON_RESULTS_H
#define MFFT_APPS_POISSON_RESULTS_H

#include "poisson/run.h"

/* Creates the file, with its datasets and attributes.  Collective. */
mfft_status mfft_poisson_create_file(mfft_poisson_job *job);

/* Prints the result; adds it to the JSON file of --timing. */
void mfft_poisson_print(const mfft_poisson_job *job);
void mfft_poisson_describe(const mfft_poisson_job *job);

#endif
