/* report.h: the plans of the program, for the file that MFFT_FFTW_REPORT names.
 *
 * An entry is a kind of plan and the library that executed it.  The report is written when MPI_Finalize begins, or at the
 * end of a process that never calls it, by rank 0 of MPI_COMM_WORLD, with the times of that rank, which contain waiting for
 * other ranks. */
#ifndef MFFT_DROPIN_REPORT_H
#define MFFT_DROPIN_REPORT_H

#include "request.h"

typedef struct mfft_dropin_entry mfft_dropin_entry;

/* Seconds of a clock that only advances. */
double mfft_dropin_now(void);

/* The entry of a request that is done by `where`, with one more plan, which took `seconds` to make.  NULL without memory:
 * the calls below accept that. */
mfft_dropin_entry *mfft_dropin_entry_plan(const mfft_dropin_request *request, const char *where, double seconds);

/* Counts one execute. */
void mfft_dropin_entry_run(mfft_dropin_entry *entry, double seconds);

/* Writes the report if it is requested. */
void mfft_dropin_report(int rank, int ranks);

#endif
