/* batch_truth_body.h: see batch_truth.h.  Included once for each FFTW: FFTW(x) is fftw_x or fftwl_x, NUMBER its number. */
static int FFTW(batch_transform)(const mfft_fft_spec *s, const void *in, int64_t in_reals, long double *out,
                                 int64_t out_reals) {
  NUMBER *wide = FFTW(malloc)((size_t)in_reals * sizeof *wide), *want = FFTW(malloc)((size_t)out_reals * sizeof *want);
  FFTW(iodim64) axis[3], loop = {s->loop[0].n, s->loop[0].is, s->loop[0].os}; /* axis: [naxes] */
  FFTW(plan) plan = NULL;
  const unsigned how = FFTW_ESTIMATE;
  if (!wide || !want) goto done;
  for (int a = 0; a < s->naxes; a++) axis[a] = (FFTW(iodim64)){s->axis[a].n, s->axis[a].is, s->axis[a].os};
  for (int64_t i = 0; i < in_reals; i++) wide[i] = stored_value(s->precision, in, i);
  for (int64_t i = 0; i < out_reals; i++) want[i] = 0;
  plan = s->type == MFFT_FFT_R2C ? FFTW(plan_guru64_dft_r2c)(s->naxes, axis, 1, &loop, wide, (FFTW(complex) *)want, how)
         : s->type == MFFT_FFT_C2R
             ? FFTW(plan_guru64_dft_c2r)(s->naxes, axis, 1, &loop, (FFTW(complex) *)wide, want, how)
             : FFTW(plan_guru64_dft)(s->naxes, axis, 1, &loop, (FFTW(complex) *)wide, (FFTW(complex) *)want,
                                     s->direction == MFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, how);
  if (!plan) goto done;
  FFTW(execute)(plan);
  for (int64_t i = 0; i < out_reals; i++) out[i] = want[i];
done:
  FFTW(destroy_plan)(plan);
  FFTW(free)(want);
  FFTW(free)(wide);
  return plan != NULL;
}
