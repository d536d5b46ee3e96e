/* peer_fftw_mpi_body.h: FFTW-MPI's own plan as a peer, once a precision.  See peer_fftw_precisions.h for REAL, FFTW
 * and NAME.
 *
 * The arrays of a batch lie one after the other and are transformed one after the other by the same plan: FFTW-MPI knows
 * batches only as tuples of elements, a layout that ours does not have. */

typedef struct NAME(peer) {
  mfft_peer base;
  FFTW(plan) plan[2]; /* [direction] */
  REAL *in, *out;     /* [batch * dist]; in place the same array */
  int64_t batch, dist;
  mfft_kind kind;
} NAME(peer);

static void NAME(fill)(mfft_peer *base, double amplitude) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int64_t i = 0; i < peer->batch * peer->dist; i++) peer->in[i] = (REAL)(amplitude * mfft_noise((uint64_t)i));
}

static mfft_status NAME(execute)(mfft_peer *base, mfft_direction direction) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int64_t b = 0; b < peer->batch; b++) {
    REAL *in = peer->in + b * peer->dist, *out = peer->out + b * peer->dist;
    FFTW(complex) *ci = (FFTW(complex) *)in, *co = (FFTW(complex) *)out;
    if (peer->kind == MFFT_C2C)
      FFTW(mpi_execute_dft)(peer->plan[direction], direction == MFFT_FORWARD ? ci : co, direction == MFFT_FORWARD ? co : ci);
    else if (direction == MFFT_FORWARD)
      FFTW(mpi_execute_dft_r2c)(peer->plan[direction], in, co);
    else
      FFTW(mpi_execute_dft_c2r)(peer->plan[direction], co, in);
  }
  return MFFT_SUCCESS;
}

static void NAME(destroy)(mfft_peer *base) {
  NAME(peer) *peer = (NAME(peer) *)base;
  for (int d = 0; d < 2; d++)
    if (peer->plan[d]) FFTW(destroy_plan)(peer->plan[d]);
  if (peer->out != peer->in) FFTW(free)(peer->out);
  FFTW(free)(peer->in);
  free(peer);
}

static const mfft_peer_ops NAME(ops) = {.fill = NAME(fill), .execute = NAME(execute), .destroy = NAME(destroy)};

/* Reals to allocate for one array. */
static int64_t NAME(local_reals)(const mfft_peer_spec *spec, const ptrdiff_t *n, unsigned flags) {
  ptrdiff_t unused[4], complexes;
  if (spec->rank == 1)
    complexes = FFTW(mpi_local_size_1d)(n[0], spec->comm, FFTW_FORWARD, flags, unused, unused + 1, unused + 2, unused + 3);
  else {
    ptrdiff_t halved[3] = {n[0], n[1], n[2]};
    if (spec->kind == MFFT_R2C) halved[spec->rank - 1] = n[spec->rank - 1] / 2 + 1;
    complexes = FFTW(mpi_local_size_transposed)(spec->rank, halved, spec->comm, unused, unused + 1, unused + 2, unused + 3);
  }
  return (2 * (int64_t)complexes + 15) / 16 * 16; /* every array of a batch is then aligned as the first */
}

static mfft_status NAME(create)(const mfft_peer_spec *spec, mfft_peer **result) {
  ptrdiff_t n[3] = {1, 1, 1};
  int transposed = spec->order == MFFT_ORDER_TRANSPOSED;
  for (int a = 0; a < spec->rank; a++) n[a] = (ptrdiff_t)spec->n[a];
  unsigned flags = mfft_peer_flags(spec->effort, spec->destroy_input), side[2] = {flags, flags}; /* [direction] */
  if (transposed && spec->rank == 1) {
    side[MFFT_FORWARD] |= FFTW_MPI_SCRAMBLED_OUT;
    side[MFFT_BACKWARD] |= FFTW_MPI_SCRAMBLED_IN;
  } else if (transposed) {
    side[MFFT_FORWARD] |= FFTW_MPI_TRANSPOSED_OUT;
    side[MFFT_BACKWARD] |= FFTW_MPI_TRANSPOSED_IN;
  }
  NAME(peer) *peer = calloc(1, sizeof *peer);
  if (mfft_app_anywhere(!peer)) {
    free(peer);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  }
  peer->base.ops = &NAME(ops);
  peer->batch = spec->batch;
  peer->kind = spec->kind;
  FFTW(mpi_init)();
  int64_t forward_reals = NAME(local_reals)(spec, n, side[MFFT_FORWARD]);
  int64_t backward_reals = NAME(local_reals)(spec, n, side[MFFT_BACKWARD]);
  peer->dist = forward_reals > backward_reals ? forward_reals : backward_reals;
  size_t bytes = (size_t)(peer->batch * peer->dist + 16) * sizeof(REAL);
  peer->in = FFTW(malloc)(bytes);
  peer->out = spec->placement == MFFT_IN_PLACE ? peer->in : FFTW(malloc)(bytes);
  if (!mfft_app_anywhere(!peer->in || !peer->out)) {
    FFTW(complex) *ci = (FFTW(complex) *)peer->in, *co = (FFTW(complex) *)peer->out;
    if (spec->kind == MFFT_R2C) {
      peer->plan[0] = FFTW(mpi_plan_dft_r2c)(spec->rank, n, peer->in, co, spec->comm, side[0]);
      peer->plan[1] = FFTW(mpi_plan_dft_c2r)(spec->rank, n, co, peer->in, spec->comm, side[1]);
    } else {
      peer->plan[0] = FFTW(mpi_plan_dft)(spec->rank, n, ci, co, spec->comm, FFTW_FORWARD, side[0]);
      peer->plan[1] = FFTW(mpi_plan_dft)(spec->rank, n, co, ci, spec->comm, FFTW_BACKWARD, side[1]);
    }
    if (!mfft_app_anywhere(!peer->plan[0] || !peer->plan[1])) {
      mfft_peer_describe_fftw(&peer->base, spec->kind == MFFT_R2C ? "mpi_plan_dft_r2c, _c2r" : "mpi_plan_dft", spec);
      *result = &peer->base;
      return MFFT_SUCCESS;
    }
  }
  int have_arrays = peer->in && peer->out;
  NAME(destroy)(&peer->base);
  return have_arrays ? mfft_app_fail(MFFT_ERR_BACKEND, "FFTW-MPI has no plan for this transform")
                     : mfft_app_fail(MFFT_ERR_MEMORY, "the arrays of the peer need 2 x %zu bytes a rank", bytes);
}
