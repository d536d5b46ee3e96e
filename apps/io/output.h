/* output.h: an array of a plan into a dataset of a file. */
#ifndef MFFT_APPS_OUTPUT_H
#define MFFT_APPS_OUTPUT_H

#include "io/sweep.h"
#include "mfft_field.h"

/* Writes the array, of MFFT_SINGLE or MFFT_DOUBLE, part by part, each by several threads.  visit, which may be NULL: is
 * called with the values while they are in cache (mfft_field.h).  Planes are the steps of the progress, if work has begun
 * there whose steps are unknown (cli/progress.h).  Collective. */
mfft_status mfft_output_put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array,
                            mfft_field_visit *visit, void *context);

/* The same, from the memory of a GPU: fails if what is written has another checksum than `checksum`, which mfft_plan_rows
 * has found for this rank's part before it was copied to the host.  `name` is what messages call the dataset. */
mfft_status mfft_output_put_checked(mfft_field_file file, int dataset, const char *name, mfft_precision precision,
                                    mfft_swept *array, uint64_t checksum);

/* mfft_output_put in two steps, for an array in host memory, which must not be changed in between: the values are written in
 * the background while the caller computes.  Both are collective, and begin that succeeded needs an end, or
 * mfft_field_abandon.
 */
mfft_status mfft_output_begin(mfft_field_file file, int dataset, mfft_precision precision, const mfft_swept *array,
                              mfft_field_visit *visit, void *context);
mfft_status mfft_output_end(mfft_field_file file);

#endif
