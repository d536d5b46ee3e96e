/* peer_fftw_body.h: FFTW's own plan as a peer, once a precision.  See peer_fftw_precisions.h for REAL, FFTW and NAME. */

typedef struct NAME(peer) {
  mfft_peer base;
  FFTW(plan) plan[2]; /* [direction] */
} NAME(peer);

static mfft_status NAME(execute)(mfft_peer *base, mfft_direction direction) {
  FFTW(execute)(((NAME(peer) *)base)->plan[direction]);
  return MFFT_SUCCESS;
}

static void NAME(destroy)(mfft_peer *base) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int d = 0; d < 2; d++)
    if (peer->plan[d]) FFTW(destroy_plan)(peer->plan[d]);
  free(peer);
}

static const mfft_peer_ops NAME(ops) = {.execute = NAME(execute), .destroy = NAME(destroy)};

static mfft_status NAME(create)(const mfft_peer_spec *spec, mfft_peer **result) {
  int n[3] = {1, 1, 1}, real_rows[3], half_rows[3], last = spec->rank - 1, r2c = spec->kind == MFFT_R2C;
  int64_t real_count = 1, half_count = 1; /* elements of one array, padding included */
  for (int a = 0; a < spec->rank; a++) n[a] = real_rows[a] = half_rows[a] = (int)spec->n[a];
  if (r2c) half_rows[last] = n[last] / 2 + 1;
  if (r2c && spec->placement == MFFT_IN_PLACE) real_rows[last] = 2 * half_rows[last];
  for (int a = 0; a < spec->rank; a++) {
    real_count *= real_rows[a];
    half_count *= half_rows[a];
  }
  NAME(peer) *peer = calloc(1, sizeof *peer);
  if (!peer) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  peer->base.ops = &NAME(ops);
  REAL *in = spec->array[MFFT_IN];
  unsigned flags = mfft_peer_flags(spec->effort, spec->destroy_input);
  int batch = (int)spec->batch, rd = (int)real_count, cd = (int)half_count;
  FFTW(complex) *ci = spec->array[MFFT_IN], *co = spec->array[MFFT_OUT];
#ifdef MFFT_HAVE_FFTW_THREADS
  FFTW(init_threads)();
  FFTW(plan_with_nthreads)(spec->threads);
#endif
  if (r2c) {
    peer->plan[MFFT_FORWARD] =
        FFTW(plan_many_dft_r2c)(spec->rank, n, batch, in, real_rows, 1, rd, co, half_rows, 1, cd, flags);
    /* FFTW cannot preserve the input of a C2R of several dimensions with any flag. */
    peer->plan[MFFT_BACKWARD] =
        FFTW(plan_many_dft_c2r)(spec->rank, n, batch, co, half_rows, 1, cd, in, real_rows, 1, rd, flags);
  } else {
    peer->plan[MFFT_FORWARD] =
        FFTW(plan_many_dft)(spec->rank, n, batch, ci, NULL, 1, rd, co, NULL, 1, cd, FFTW_FORWARD, flags);
    peer->plan[MFFT_BACKWARD] =
        FFTW(plan_many_dft)(spec->rank, n, batch, co, NULL, 1, cd, ci, NULL, 1, rd, FFTW_BACKWARD, flags);
  }
#ifdef MFFT_HAVE_FFTW_THREADS
  FFTW(plan_with_nthreads)(1);
#endif
  if (!peer->plan[0] || !peer->plan[1]) {
    NAME(destroy)(&peer->base);
    return mfft_app_fail(MFFT_ERR_BACKEND, "FFTW has no plan for this transform");
  }
  mfft_peer_describe_fftw(&peer->base, r2c ? "plan_many_dft_r2c, _c2r" : "plan_many_dft", spec);
  *result = &peer->base;
  return MFFT_SUCCESS;
}
