/* solver_moments.c: see solver_moments.h. */
#include "poisson/solver_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mfft_poisson_moments_merge(mfft_poisson_moments *of_thread /* [threads] */, int threads, mfft_poisson_moments *all) {
  memset(all, 0, sizeof *all);
  for (int t = 0; t < threads; t++) {
    mfft_exact_merge(&all->squares, &of_thread[t].squares);
    mfft_projection_merge(&all->share, &of_thread[t].share);
    all->largest = fmax(all->largest, of_thread[t].largest);
    all->checksum += of_thread[t].checksum;
  }
  free(of_thread);
}
