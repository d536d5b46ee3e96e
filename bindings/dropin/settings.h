/* settings.h: the settings of these interfaces in the environment, and whether mergefft may be used by the program at all.
 */
#ifndef MFFT_DROPIN_SETTINGS_H
#define MFFT_DROPIN_SETTINGS_H

#include <stddef.h>

/* The backend of plans that run on a GPU. */
#define MFFT_DROPIN_GPU "cuda"

/* The values of MFFT_FFTW. */
typedef enum mfft_dropin_mode_t {
  MFFT_DROPIN_MODE_AUTO, /* by a GPU if that is faster, otherwise by CPUs */
  MFFT_DROPIN_MODE_CPU,
  MFFT_DROPIN_MODE_GPU,
  MFFT_DROPIN_MODE_OFF,
  MFFT_DROPIN_MODE_UNKNOWN
} mfft_dropin_mode_t;
mfft_dropin_mode_t mfft_dropin_mode(void);

/* Whether mergefft may make plans: 1; or 0, with the reason in `why` (of `size` bytes), if MFFT_FFTW has an unknown value or
 * the MPI of the program is not the one that these libraries were built for.  MPI must be initialized. */
int mfft_dropin_enabled(char *why, size_t size);

/* Whether the MPI that runs is of the kind that these libraries were built for: handles of another are meaningless to them.
 * 0 with the reason. */
int mfft_dropin_same_mpi(char *why, size_t size);

/* The file name of the report, "stderr", or NULL: no report. */
const char *mfft_dropin_report_file(void);

/* Whether FFTW is to be timed in comparison. */
int mfft_dropin_trial(void);

/* The transport of plans; NULL: the library chooses. */
const char *mfft_dropin_transport(void);

/* Time limit of planning in seconds, that of the program for the plan which is made; 0: the default of mergefft.  set takes
 * a limit of FFTW, negative for none. */
double mfft_dropin_time_limit(void);
void mfft_dropin_set_time_limit(double seconds);

#endif
