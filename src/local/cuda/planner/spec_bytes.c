/* spec_bytes.c: see spec_bytes.h. */
#include "local/cuda/planner/spec_bytes.h"

int64_t mfft_side_bytes(const mfft_fft_spec *s, int output) {
  int real = s->type == MFFT_FFT_R2C ? !output : s->type == MFFT_FFT_C2R ? output : 0;
  const int halved = real || (!output && s->wire & MFFT_WIRED_INPUT);
  return (int64_t)mfft_real_bytes(s->precision) * (halved ? 1 : 2);
}

int64_t mfft_share_bytes(const mfft_fft_spec *s) { return mfft_side_bytes(s, 1) / (s->wire & MFFT_WIRED_SHARES ? 2 : 1); }

double mfft_spec_bytes(const mfft_fft_spec *s) {
  double bytes = 2.0 * (double)mfft_real_bytes(s->precision) / (s->type == MFFT_FFT_C2C ? 1 : 2);
  for (int a = 0; a < s->naxes; a++) bytes *= (double)s->axis[a].n;
  for (int l = 0; l < s->nloops; l++) bytes *= (double)s->loop[l].n;
  return bytes;
}

double mfft_moved_bytes(const mfft_fft_spec *s) {
  double bytes = 0;
  for (int output = 0; output < 2; output++) {
    double side = (double)(output && s->scatter.count ? mfft_share_bytes(s) : mfft_side_bytes(s, output));
    for (int a = 0; a < s->naxes; a++) {
      const int halved = a == s->naxes - 1 && s->type == (output ? MFFT_FFT_R2C : MFFT_FFT_C2R);
      side *= (double)(halved ? s->axis[a].n / 2 + 1 : s->axis[a].n);
    }
    for (int l = 0; l < s->nloops; l++) side *= (double)s->loop[l].n;
    bytes += side;
  }
  return bytes;
}
