/* local.c: a transform within one process: the spectrum of a plane wave on a 2D grid, and back.
 *
 * Build:  cc local.c -o local $(pkg-config --cflags --libs mergefft) -lm
 * Run:    ./local */
#include <math.h>
#include <mfft.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the message of the call that failed: the argument, its value and the remedy. */
static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  exit(1);
}

int main(void) {
  enum { NX = 48, NY = 64, KX = 2, KY = 5 }; /* C order: y is contiguous */
  const double two_pi = 6.283185307179586;

  /* The descriptor: the transform to compute.  Fields that remain zero have their defaults. */
  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.rank = 2;
  desc.n[0] = NX, desc.n[1] = NY;
  desc.kind = MFFT_R2C;                        /* the spectrum has NX x (NY/2 + 1) complexes */
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL; /* 1/N, so that backward undoes forward */

  /* How to compute it; NULL in place of the options takes all defaults. */
  mfft_options options;
  mfft_options_init(&options);
  options.backend = "fftw";       /* arrays in host memory */
  options.effort = MFFT_ESTIMATE; /* no timing: the plan runs twice */

  mfft_plan plan;
  size_t in_bytes, out_bytes;
  must(mfft_plan_create(&desc, &options, &plan));
  must(mfft_plan_bytes(plan, MFFT_IN, &in_bytes));
  must(mfft_plan_bytes(plan, MFFT_OUT, &out_bytes));
  double *field = malloc(in_bytes), *spectrum = malloc(out_bytes); /* complexes as (re, im) */
  if (!field || !spectrum) return fprintf(stderr, "no memory\n"), 1;

  for (int x = 0; x < NX; x++)
    for (int y = 0; y < NY; y++) field[x * NY + y] = cos(two_pi * ((double)KX * x / NX + (double)KY * y / NY));
  must(mfft_execute(plan, MFFT_FORWARD, field, spectrum));
  const double *mode = &spectrum[2 * (KX * (NY / 2 + 1) + KY)], off = fabs(mode[0] - NX * NY / 2) + fabs(mode[1]);
  printf("mode (%d,%d) = %.6f + %.6f i\n", KX, KY, mode[0], mode[1]); /* half of NX*NY */

  double worst = 0;
  must(mfft_execute(plan, MFFT_BACKWARD, spectrum, field));
  for (int x = 0; x < NX; x++)
    for (int y = 0; y < NY; y++)
      worst = fmax(worst, fabs(field[x * NY + y] - cos(two_pi * ((double)KX * x / NX + (double)KY * y / NY))));
  printf("there and back: an error of %.0e at most\n", worst);

  mfft_plan_destroy(plan);
  free(field);
  free(spectrum);
  return off < 1e-9 && worst < 1e-14 ? 0 : 1;
}
