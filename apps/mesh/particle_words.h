/* particle_words.h: words of options about particles on a mesh, in the order of the enumerations of mfft_particles.h. */
#ifndef MFFT_APPS_PARTICLE_WORDS_H
#define MFFT_APPS_PARTICLE_WORDS_H

#define MFFT_ASSIGN_WORDS   "ngp|cic|tsc|pcs"   /* mfft_assignment - 1 */
#define MFFT_GREEN_WORDS    "spectral|fd2|fd4"  /* mfft_green_laplacian */
#define MFFT_GRADIENT_WORDS "fd4|spectral|mesh" /* mfft_green_gradient */

#endif
