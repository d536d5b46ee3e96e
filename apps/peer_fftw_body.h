/* peer_fftw_body.h: FFTW's own plan as a peer, once a precision.  peer_fftw.c defines before including it:
 *   REAL       the type of a real
 *   FFTW(name) a function or type of that precision
 *   NAME(name) the name of a function of this file */

typedef struct NAME(peer) {
  mfft_peer base;
  FFTW(plan) plan[2]; /* [direction] */
  REAL *in, *out;     /* [reals each]; in place the same array */
  int64_t in_reals;
} NAME(peer);

static void NAME(fill)(mfft_peer *base, double amplitude) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int64_t i = 0; i < peer->in_reals; i++) peer->in[i] = (REAL)(amplitude * mfft_peer_random((uint64_t)i));
}

static void NAME(execute)(mfft_peer *base, mfft_direction direction) {
  FFTW(execute)(((NAME(peer) *)base)->plan[direction]);
}

static void NAME(destroy)(mfft_peer *base) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int d = 0; d < 2; d++)
    if (peer->plan[d]) FFTW(destroy_plan)(peer->plan[d]);
  if (peer->out != peer->in) FFTW(free)(peer->out);
  FFTW(free)(peer->in);
  free(peer);
}

static const mfft_peer_ops NAME(ops) = {"fftw", NAME(fill), NAME(execute), NAME(destroy)};

static mfft_status NAME(create)(const mfft_peer_spec *spec, mfft_peer **result) {
  int n[3], real_rows[3], half_rows[3], last = spec->rank - 1, r2c = spec->kind == MFFT_R2C;
  int64_t real_count = 1, half_count = 1; /* elements of one array, padding included */
  for (int a = 0; a < spec->rank; a++) n[a] = real_rows[a] = half_rows[a] = (int)spec->n[a];
  if (r2c) half_rows[last] = n[last] / 2 + 1;
  if (r2c && spec->placement == MFFT_IN_PLACE) real_rows[last] = 2 * half_rows[last];
  for (int a = 0; a < spec->rank; a++) {
    real_count *= real_rows[a];
    half_count *= half_rows[a];
  }
  int64_t in_reals = spec->batch * real_count * (r2c ? 1 : 2), out_reals = 2 * spec->batch * half_count;
  NAME(peer) *peer = calloc(1, sizeof *peer);
  if (!peer) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  peer->base.ops = &NAME(ops);
  peer->in_reals = in_reals;
  peer->in = FFTW(malloc)((size_t)(in_reals > out_reals ? in_reals : out_reals) * sizeof(REAL));
  peer->out = spec->placement == MFFT_IN_PLACE ? peer->in : FFTW(malloc)((size_t)out_reals * sizeof(REAL));
  if (!peer->in || !peer->out) {
    NAME(destroy)(&peer->base);
    return mfft_app_fail(MFFT_ERR_MEMORY, "the arrays of the peer need %lld bytes", (long long)((in_reals + out_reals) * 8));
  }
  unsigned flags = mfft_peer_flags(spec->effort, spec->destroy_input);
  int batch = (int)spec->batch, rd = (int)real_count, cd = (int)half_count;
  FFTW(complex) *ci = (FFTW(complex) *)peer->in, *co = (FFTW(complex) *)peer->out;
#ifdef MFFT_HAVE_FFTW_THREADS
  FFTW(init_threads)();
  FFTW(plan_with_nthreads)(spec->threads);
#endif
  if (r2c) {
    peer->plan[MFFT_FORWARD] =
        FFTW(plan_many_dft_r2c)(spec->rank, n, batch, peer->in, real_rows, 1, rd, co, half_rows, 1, cd, flags);
    /* A C2R of several dimensions cannot preserve its input in FFTW: no flag asks for it. */
    peer->plan[MFFT_BACKWARD] =
        FFTW(plan_many_dft_c2r)(spec->rank, n, batch, co, half_rows, 1, cd, peer->in, real_rows, 1, rd, flags);
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
  *result = &peer->base;
  return MFFT_SUCCESS;
}
