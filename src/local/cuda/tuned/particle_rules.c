/* particle_rules.c: see particle_rules.h. */
#include "local/cuda/tuned/particle_rules.h"

int mfft_tuned_sorts(int order) { return order > 1; }
