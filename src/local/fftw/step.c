/* step.c: functions that the modes of fft.h share: bytes of one transform, loops of a piece, and one FFTW plan. */
#include "local/fftw/fft.h"

size_t mfft_fftw_transform_bytes(const mfft_fftw_fft *f) {
  size_t in = f->in_element, out = f->out_element;
  for (int a = 0; a < f->spec.naxes; a++) {
    in *= (size_t)mfft_fft_length(&f->spec, a, 0);
    out *= (size_t)mfft_fft_length(&f->spec, a, 1);
  }
  return in > out ? in : out;
}

size_t mfft_fftw_cached_of_threads(const mfft_fftw_fft *f, size_t bytes) {
  (void)bytes;
  return (size_t)MFFT_FFTW_CACHED * (size_t)f->spec.threads;
}

int mfft_fftw_piece_loops(const mfft_fftw_fft *f, const mfft_fftw_part *p, mfft_dim loop[MFFT_MAX_LOOPS]) {
  const mfft_fftw_pieces *q = &f->pieces;
  for (int l = 0; l < q->ninner; l++) loop[l] = q->inner[l];
  if (p->run == 1) return q->ninner;
  loop[q->ninner] = (mfft_dim){p->run, q->cut.is, q->cut.os};
  return q->ninner + 1;
}

mfft_status mfft_fftw_step(const mfft_fftw_fft *f, const mfft_fftw_problem *problem, mfft_fftw_plan *plan) {
  const int aligned = f->mode->in_work || mfft_fftw_pieces_aligned(&f->pieces, f->in_element, f->out_element);
  const mfft_fftw_care care = {f->spec.effort, f->spec.deadline, f->spec.threads, !aligned};
  return mfft_fftw_plan_make(f->api, problem, &care, plan);
}
