/* like.c: see like.h.
 *
 * pypower: CatalogFFTPower with resampler tsc and interlacing 2.  nbodykit: FFTPower of a catalogue, with CIC assignment and
 * compensation by the first-order formula of Jing (2005).  Pylians: Pk_library.Pk.  GADGET-4: pm_periodic.cc, with 4000
 * logarithmic bins from the fundamental wave number to 256 times the Nyquist wave number, and foldings by 16 and 256. */
#include "power/like.h"

static const mfft_power_how likes[] = {
    {3, 2, MFFT_COMPENSATE_SINC, MFFT_SPACING_LINEAR, 1, 0, 0, 1, 1, {1}},
    {2, 1, MFFT_COMPENSATE_JING, MFFT_SPACING_LINEAR, 1, 0, 0, 0, 1, {1}},
    {2, 1, MFFT_COMPENSATE_SINC, MFFT_SPACING_LINEAR, 1, 1, 1, 0, 1, {1}},
    {2, 1, MFFT_COMPENSATE_SINC, MFFT_SPACING_GADGET, 0, 1, 0, 0, 3, {1, 16, 256}},
};
static const mfft_power_how of_particles = {3, 2, MFFT_COMPENSATE_SINC, MFFT_SPACING_LINEAR, 0, 0, 0, 0, 1, {1}};
static const mfft_power_how of_field = {0, 1, MFFT_COMPENSATE_SINC, MFFT_SPACING_LINEAR, 0, 0, 0, 0, 1, {1}};

static void take(int *value, int other) {
  if (*value < 0) *value = other;
}

void mfft_power_complete(mfft_power_how *how, int like, int particles) {
  const mfft_power_how *other = like >= 0 ? &likes[like] : particles ? &of_particles : &of_field;
  take(&how->assign, other->assign);
  take(&how->interlace, other->interlace);
  take(&how->compensate, other->compensate);
  how->from_zero = how->spacing < 0 || how->spacing == other->spacing ? other->from_zero : 0;
  take(&how->spacing, other->spacing);
  how->corners = other->corners || how->spacing == MFFT_SPACING_GADGET;
  how->independent = other->independent;
  how->subtract_shot |= other->subtract_shot;
  for (int i = 0; how->folds == 0 && i < (particles ? other->folds : 1); i++) how->fold[i] = other->fold[i];
  if (how->folds == 0) how->folds = particles ? other->folds : 1;
}
