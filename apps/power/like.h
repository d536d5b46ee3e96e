/* like.h: the method by which `mergefft power` measures: from the options, from another program's method (--like), and from
 * the defaults of fields and of particles. */
#ifndef MFFT_APPS_LIKE_H
#define MFFT_APPS_LIKE_H

#include "mesh/window.h"

enum { MFFT_SPACING_LINEAR, MFFT_SPACING_LOG, MFFT_SPACING_GADGET };
#define MFFT_POWER_SPACINGS "linear|log|gadget"
#define MFFT_POWER_LIKES    "pypower|nbodykit|pylians|gadget4"
enum { MFFT_FOLDS_MOST = 8 };

/* A number of -1 has not been chosen. */
typedef struct mfft_power_how {
  int assign;     /* order of the window; 0: none */
  int interlace;  /* order; 1: none */
  int compensate; /* mfft_compensation */
  int spacing;
  int from_zero;     /* linear bins begin at k = 0, not at half a bin */
  int corners;       /* bins reach the corners of the mesh, not the Nyquist wave number */
  int independent;   /* k and -k count as one mode */
  int subtract_shot; /* subtract the shot noise even without --subtract-shot */
  int folds;
  int fold[MFFT_FOLDS_MOST]; /* [folds] */
} mfft_power_how;

/* Replaces each -1 in `how` by the value of the program `like` (an index of MFFT_POWER_LIKES, or -1), or else by the
 * default: for particles TSC with interlacing of order 2, for a field no window. */
void mfft_power_complete(mfft_power_how *how, int like, int particles);

#endif
