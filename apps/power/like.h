/* like.h: how `mergefft power` measures: what the options ask for, the defaults of fields and of particles, and what other
 * programs do. */
#ifndef MFFT_APPS_LIKE_H
#define MFFT_APPS_LIKE_H

#include "mesh/window.h"

enum { MFFT_SPACING_LINEAR, MFFT_SPACING_LOG, MFFT_SPACING_GADGET };
#define MFFT_POWER_SPACINGS "linear|log|gadget"
#define MFFT_POWER_LIKES    "pypower|nbodykit|pylians|gadget4"
enum { MFFT_FOLDS_MOST = 8 };

/* Each number is -1 where it is left open. */
typedef struct mfft_power_how {
  int assign;     /* order of the window; 0: none */
  int interlace;  /* order; 1: none */
  int compensate; /* mfft_compensation */
  int spacing;
  int from_zero;     /* linear bins begin at k = 0, not at half a bin */
  int corners;       /* bins reach the corners of the mesh, not the Nyquist wave number */
  int independent;   /* k and -k count as one mode */
  int subtract_shot; /* 1: also without --subtract-shot */
  int folds;
  int fold[MFFT_FOLDS_MOST]; /* [folds] */
} mfft_power_how;

/* What is left open in `how` becomes what the program `like` does (a place of MFFT_POWER_LIKES, or -1), then the default:
 * of particles TSC, interlaced by two; of a field no window. */
void mfft_power_complete(mfft_power_how *how, int like, int particles);

#endif
