/* settings.c: see settings.h. */
#include "settings.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "mfft_inspect.h"
#include "real.h"

enum { WHY_BYTES = 512 };

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

/* On one node, copies straight between arrays are fastest; a transport that the user names takes precedence. */
const char *mfft_dropin_transport(void) {
  const char *named = variable(MFFT_ENV_TRANSPORT);
  return *named ? named : NULL;
}

static double limit; /* seconds; 0: none */
double mfft_dropin_time_limit(void) { return limit; }
void mfft_dropin_set_time_limit(double seconds) { limit = seconds > 0 && seconds < 1e6 ? seconds : 0; }

/* Checks that the running MPI library has the ABI that this library was built for; other handles are meaningless here. */
static int check_mpi(char *why) {
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
  if (!same) snprintf(why, WHY_BYTES, "the program runs on %s and this library was built for %s", version, wanted);
  return same;
}

/* Returns NULL, or the reason why FFTW makes the plans; *warn: 1 unless the user has requested it. */
static const char *examine(const char *prefix, int *warn) {
  static char why[2][WHY_BYTES]; /* [single] */
  char *mine = why[!strcmp(prefix, "fftwf")];
  const char *mode = variable(MFFT_ENV_FFTW);
  *warn = 0;
  if (!strcmp(mode, "off")) return "FFTW: MFFT_FFTW is off";
  *warn = 1;
  memcpy(mine, "FFTW: ", 7);
  char *reason = mine + 6;
  if (strcmp(mode, "cpu")) {
    char shown[128];
    mfft_escape(mode, shown, sizeof shown);
    snprintf(reason, WHY_BYTES - 6, "MFFT_FFTW is \"%s\", which this build does not have; use cpu or off", shown);
    return mine;
  }
  return check_mpi(reason) && mfft_dropin_reachable(prefix, reason, WHY_BYTES - 6) ? NULL : mine;
}

/* Prints once that FFTW makes plans, and the reason. */
static void warn_once(const char *why) {
  static int warned;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!warned && rank == 0)
    fprintf(stderr, "mergefft: warning: FFTW itself makes the plans of this program: %s\n", why + strlen("FFTW: "));
  warned = 1;
}

const char *mfft_dropin_refusal(const char *prefix, const void *caller) {
  static const char bound[] =
      "FFTW: the program's calls of FFTW-MPI are bound to FFTW's library, for instance by RTLD_DEEPBIND";
  static struct {
    int known, warn;
    const char *why;
  } answer[2]; /* [single] */
  const int single = !strcmp(prefix, "fftwf");
  if (!answer[single].known) answer[single].why = examine(prefix, &answer[single].warn);
  answer[single].known = 1;
  const char *why = answer[single].why;
  int warn = why && answer[single].warn;
  if (!why && mfft_dropin_is_fftw_mpi(prefix, caller)) why = bound, warn = 1;
  if (warn) warn_once(why);
  return why;
}
