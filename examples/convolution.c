/* convolution.c: a linear convolution within one process: a field of 200 x 150 points smoothed by a Gaussian of 31 x 31
 * points, with zeros around the field, and compared with the sum at some points.
 *
 * Build:  cc convolution.c -o convolution $(pkg-config --cflags --libs mergefft) -lm
 * Run:    ./convolution */
#include <math.h>
#include <mfft_convolution.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 200, NY = 150, REACH = 15 };

static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  exit(1);
}

static double smoothing(int64_t x, int64_t y) { return exp(-0.02 * (double)(x * x + y * y)); }

/* One row of the kernel: the values at the offsets (offset[0], offset[1]) to (offset[0], offset[1] + count - 1). */
static mfft_status row(void *context, const int64_t offset[3], int64_t count, double *value) {
  (void)context;
  for (int64_t i = 0; i < count; i++) value[i] = smoothing(offset[0], offset[1] + i);
  return MFFT_SUCCESS;
}

/* The sum over the kernel, of the points that there are. */
static double sum_at(const double *field, int x, int y) {
  double sum = 0;
  for (int i = -REACH; i <= REACH; i++)
    for (int j = -REACH; j <= REACH; j++)
      if (x - i >= 0 && x - i < NX && y - j >= 0 && y - j < NY) sum += smoothing(i, j) * field[(x - i) * NY + y - j];
  return sum;
}

int main(void) {
  static double field[NX * NY], smooth[NX * NY];
  mfft_desc desc;
  mfft_options options;
  mfft_plan plan;
  mfft_convolution convolution;
  mfft_convolution_kernel kernel;
  for (int i = 0; i < NX * NY; i++) field[i] = rand() / (double)RAND_MAX;

  /* The transforms are longer than the field, so that the kernel reaches zeros beyond its edges. */
  mfft_desc_init(&desc);
  desc.rank = 2;
  desc.kind = MFFT_R2C;
  desc.given[0] = NX, desc.n[0] = mfft_convolution_length(NX, -REACH, REACH + 1);
  desc.given[1] = NY, desc.n[1] = mfft_convolution_length(NY, -REACH, REACH + 1);
  mfft_options_init(&options);
  options.backend = "fftw"; /* arrays in host memory */
  options.effort = MFFT_ESTIMATE;
  must(mfft_plan_create(&desc, &options, &plan));
  must(mfft_convolution_create(plan, &convolution));
  mfft_convolution_kernel_init(&kernel);
  kernel.row = row;
  for (int a = 0; a < 2; a++) kernel.lo[a] = -REACH, kernel.hi[a] = REACH + 1;
  must(mfft_convolution_set_kernel(convolution, &kernel));
  must(mfft_convolution_execute(convolution, field, smooth));

  double worst = 0;
  for (int x = 0; x < NX; x += 19)
    for (int y = 0; y < NY; y += 11) worst = fmax(worst, fabs(smooth[x * NY + y] / sum_at(field, x, y) - 1));
  printf("%d x %d points by transforms of %d x %d: an error of %.0e at most\n", NX, NY, (int)desc.n[0], (int)desc.n[1],
         worst);
  mfft_convolution_destroy(convolution);
  mfft_plan_destroy(plan);
  return worst < 1e-13 ? 0 : 1;
}
