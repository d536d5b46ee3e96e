/* consumer.c: the smallest user of an installed mergefft, in C and in C++: the transform of a delta is flat. */
#include <math.h>
#include <mfft.h>
#include <mfft_inspect.h>
#include <stdio.h>

int main(void) {
  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.rank = 1;
  desc.n[0] = 12;
  double in[24] = {1}, out[24]; /* [12] complexes */
  mfft_plan plan;
  if (mfft_plan_create(&desc, NULL, &plan) || mfft_execute(plan, MFFT_FORWARD, in, out)) {
    fprintf(stderr, "%s\n", mfft_last_error());
    return 1;
  }
  mfft_plan_destroy(plan);
  for (int k = 0; k < 12; k++)
    if (fabs(out[2 * k] - 1) > 1e-15 || fabs(out[2 * k + 1]) > 1e-15) return 1;
  return mfft_version() != MFFT_VERSION;
}
