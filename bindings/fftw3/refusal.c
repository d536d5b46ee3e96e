/* refusal.c: see refusal.h. */
#include "refusal.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "real.h"
#include "settings.h"

enum { WHY_BYTES = 512 };

/* Precisions are numbered by the last letter of FFTW's prefixes. */
enum { PRECISIONS = 3 };
static int precision_of(const char *prefix) { return !strcmp(prefix, "fftwf") ? 1 : !strcmp(prefix, "fftwl") ? 2 : 0; }

/* Returns NULL, or the reason why FFTW makes the plans. */
static const char *examine(const char *prefix) {
  static char why[PRECISIONS][WHY_BYTES];
  char *mine = why[precision_of(prefix)];
  memcpy(mine, "FFTW: ", 7);
  char *reason = mine + 6;
  const size_t size = WHY_BYTES - 6;
  return mfft_dropin_enabled(reason, size) && mfft_dropin_reachable(prefix, reason, size) ? NULL : mine;
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
  static const char off[] = "FFTW: MFFT_FFTW is off";
  static struct {
    int known;
    const char *why;
  } answer[PRECISIONS];
  const int precision = precision_of(prefix);
  if (mfft_dropin_mode() == MFFT_DROPIN_MODE_OFF) return off; /* read for each plan, since a program may change it */
  if (!answer[precision].known) answer[precision].why = examine(prefix);
  answer[precision].known = 1;
  const char *why = answer[precision].why;
  if (!why && mfft_dropin_is_fftw_mpi(prefix, caller)) why = bound;
  if (why) warn_once(why);
  return why;
}
