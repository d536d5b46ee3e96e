/* report.h: the report of the plans of the program, in the file that MFFT_FFTW_REPORT names.
 *
 * An entry is a kind of plan and the library that executed it.  The report is written when MPI_Finalize begins, or at the
 * end of a process that never calls it, by rank 0 of MPI_COMM_WORLD, with the times of that rank, which include waits for
 * other ranks. */
#ifndef MFFT_DROPIN_REPORT_H
#define MFFT_DROPIN_REPORT_H

#include "request.h"

typedef struct mfft_dropin_entry mfft_dropin_entry;

/* Seconds of a monotonic clock. */
double mfft_dropin_now(void);

/* A request as text, such as "r2c 256x256x256 double, in place, transposed out, estimate". */
void mfft_dropin_describe_request(const mfft_dropin_request *request, char *text, size_t size);

/* Counts a new plan for a request, which `where` executes and which took `seconds` to make.  Returns the entry, or NULL if
 * memory is exhausted, which the functions below accept. */
mfft_dropin_entry *mfft_dropin_entry_plan(const mfft_dropin_request *request, const char *where, double seconds);

/* Counts one execute. */
void mfft_dropin_entry_run(mfft_dropin_entry *entry, double seconds);

/* Records the seconds of one execute by the library whose interface the program calls, as a trial on separate arrays found
 * them.  The trial took `spent` seconds, which do not count as time of the run. */
void mfft_dropin_entry_trial(mfft_dropin_entry *entry, double seconds, double spent);

/* Whether such a trial was recorded. */
int mfft_dropin_entry_tried(const mfft_dropin_entry *entry);

/* Writes the report if it is requested. */
void mfft_dropin_report(int rank, int ranks);

#endif
