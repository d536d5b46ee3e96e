/* settings.c: see settings.h. */
#include "settings.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "mfft_inspect.h"

/* Reads a variable of the library's table as the library does: an empty value counts as unset. */
static const char *variable(mfft_env which) {
  const char *name = "", *fallback = "", *help;
  mfft_environment_variable((int)which, &name, &fallback, &help);
  const char *value = getenv(name);
  return value && *value ? value : fallback;
}

const char *mfft_dropin_report_file(void) {
  const char *file = variable(MFFT_ENV_FFTW_REPORT);
  return *file ? file : NULL;
}

int mfft_dropin_trial(void) { return !strcmp(variable(MFFT_ENV_FFTW_TRIAL), "1"); }

/* On one node, copies straight between arrays are fastest; a transport that the user names takes precedence. */
const char *mfft_dropin_transport(void) {
  const char *named = variable(MFFT_ENV_TRANSPORT);
  return *named ? named : NULL;
}

static double limit; /* seconds; 0: none */
double mfft_dropin_time_limit(void) { return limit; }
void mfft_dropin_set_time_limit(double seconds) {
  const double least = 1e-3; /* with 0 FFTW plans in no time, and mergefft by its default limit */
  limit = seconds < 0 || seconds >= 1e6 ? 0 : seconds > least ? seconds : least;
}

int mfft_dropin_same_mpi(char *why, size_t size) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\n,")] = '\0';
#ifdef OMPI_MAJOR_VERSION
  char wanted[32];
  snprintf(wanted, sizeof wanted, "Open MPI v%d.", OMPI_MAJOR_VERSION);
  const int same = !strncmp(version, wanted, strlen(wanted));
#else
  const char *wanted = "an MPI with the interface of MPICH";
  const int same = strncmp(version, "Open MPI", 8) != 0;
#endif
  if (!same) snprintf(why, size, "the program runs on %s and this library was built for %s", version, wanted);
  return same;
}

mfft_dropin_mode_t mfft_dropin_mode(void) {
  static const char *const names[] = {"auto", "cpu", "gpu", "off"};
  const char *value = variable(MFFT_ENV_FFTW);
  int mode = 0;
  while (mode < MFFT_DROPIN_MODE_UNKNOWN && strcmp(value, names[mode])) mode++;
  return (mfft_dropin_mode_t)mode;
}

int mfft_dropin_enabled(char *why, size_t size) {
  const mfft_dropin_mode_t mode = mfft_dropin_mode();
  if (mode == MFFT_DROPIN_MODE_UNKNOWN) {
    char shown[128];
    mfft_escape(variable(MFFT_ENV_FFTW), shown, sizeof shown);
    snprintf(why, size, "MFFT_FFTW is \"%s\", which is none of auto, cpu, gpu and off", shown);
    return 0;
  }
  return mfft_dropin_same_mpi(why, size);
}
