/* exchange.c: sends particles to the ranks that own their cells, and returns results: the calls (exchange_state.h). */
#include "particles/exchange_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "comm/compare.h"
#include "comm/mpi_status.h"
#include "mfft_mpi.h"

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

/* Tells each rank how many particles it gets, and stores in start[r + 1] how many come from rank r.  Collective. */
static mfft_status swap_counts(mfft_particle_exchange x) {
  const mfft_particle_mesh mesh = x->mesh;
  mfft_status status = MFFT_SUCCESS;
  int64_t *sent = calloc((size_t)mesh->ranks, sizeof *sent); /* [ranks] */
  if (!sent) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the counts of %d ranks", mesh->ranks);
  status = mfft_pm_agree(mesh, status);
  for (int r = 0; r < mesh->ranks && status == MFFT_SUCCESS; r++) sent[r] = x->start[r + 1] = x->first[r + 1] - x->first[r];
  if (status == MFFT_SUCCESS && mesh->comm != MPI_COMM_NULL) {
    MPI_Request request;
    status = mfft_mpi_status(MPI_Ialltoall(sent, 1, MPI_INT64_T, x->start + 1, 1, MPI_INT64_T, mesh->comm, &request),
                             "MPI_Ialltoall");
    if (status == MFFT_SUCCESS) status = mfft_wait(mesh->comm, &request, NULL, 1, "counting the particles of an exchange");
  }
  free(sent);
  return status;
}

static mfft_status allocate(mfft_particle_exchange x) {
  const size_t ranks = (size_t)x->mesh->ranks;
  x->first = calloc(ranks + 1, sizeof *x->first);
  x->start = calloc(ranks + 1, sizeof *x->start);
  x->message = calloc(2 * ranks, sizeof *x->message);
  if (x->first && x->start && x->message) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for an exchange of particles between %d ranks", x->mesh->ranks);
}

static mfft_status find(mfft_particle_exchange x, const mfft_particles *particles) {
  mfft_device_guard guard;
  MFFT_TRY(mfft_pm_enter(x->mesh, &guard));
  mfft_status status = allocate(x);
  if (status == MFFT_SUCCESS) status = mfft_pm_find_owners(x, particles);
  mfft_pm_leave(x->mesh, &guard);
  return mfft_pm_agree(x->mesh, status);
}

mfft_status mfft_particle_exchange_create(mfft_particle_mesh mesh, const mfft_particles *given,
                                          mfft_particle_exchange *exchange) {
  mfft_particles particles;
  MFFT_TRY(mfft_pm_check(mesh));
  mfft_status status = mfft_pm_take_particles(given, &particles);
  mfft_particle_exchange x = calloc(1, sizeof *x);
  if (status == MFFT_SUCCESS && !exchange)
    status = mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of an mfft_particle_exchange");
  if (status == MFFT_SUCCESS && !x) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for an exchange of particles");
  MFFT_GOTO(fail, mfft_pm_agree(mesh, status));
  x->mesh = mesh;
  x->count = particles.count;
  MFFT_GOTO(fail, find(x, &particles));
  MFFT_GOTO(fail, swap_counts(x));
  for (int r = 0; r < mesh->ranks; r++) x->start[r + 1] += x->start[r];
  x->arriving = x->start[mesh->ranks];
  *exchange = x;
  return MFFT_SUCCESS;
fail:
  mfft_particle_exchange_destroy(x);
  return status;
}

void mfft_particle_exchange_destroy(mfft_particle_exchange x) {
  if (!x) return;
  if (x->mesh) mfft_pm_forget_order(x);
  free(x->first);
  free(x->start);
  free(x->message);
  free(x->packed);
  free(x);
}

static mfft_status check(mfft_particle_exchange x) {
  if (x) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "the exchange is NULL; make one with mfft_particle_exchange_create");
}

mfft_status mfft_particle_exchange_count(mfft_particle_exchange x, int64_t *arriving, int64_t *staying) {
  MFFT_TRY(check(x));
  if (arriving) *arriving = x->arriving;
  if (staying) *staying = x->first[x->mesh->rank + 1] - x->first[x->mesh->rank];
  return MFFT_SUCCESS;
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

static mfft_status check_columns(mfft_particle_exchange x, const mfft_particle_column *column, int columns, int back) {
  if (columns < 0 || (columns && !column))
    return mfft_fail(MFFT_ERR_ARG, "%d columns at %p; give an array", columns, (const void *)column);
  for (int c = 0; c < columns; c++) {
    const mfft_particle_column *one = &column[c];
    const int64_t in = back ? x->arriving : x->count, out = back ? x->count : x->arriving;
    if (one->element_bytes < 1 || one->element_bytes > 4096)
      return mfft_fail(MFFT_ERR_ARG, "column[%d].element_bytes is %" PRId64 "; use 1 to 4096", c, one->element_bytes);
    if ((in && !one->in) || (out && !one->out))
      return mfft_fail(MFFT_ERR_ARG, "column[%d].%s is NULL, for %" PRId64 " particles; give an array", c,
                       in && !one->in ? "in" : "out", in && !one->in ? in : out);
    if (in && out && one->in == one->out)
      return mfft_fail(MFFT_ERR_ARG, "column[%d].in and out are the same array; give another for the result", c);
  }
  return MFFT_SUCCESS;
}

static mfft_status agree_columns(mfft_particle_mesh mesh, const mfft_particle_column *column, int columns) {
  if (mesh->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  const mfft_agree_item count = mfft_agree_integer("columns", columns);
  MFFT_TRY(mfft_agree_values(mesh->comm, &count, 1));
  for (int c = 0; c < columns; c++) {
    const mfft_agree_item size = mfft_agree_integer("column[].element_bytes", column[c].element_bytes);
    MFFT_TRY(mfft_agree_values(mesh->comm, &size, 1));
  }
  return MFFT_SUCCESS;
}

static mfft_status move_all(mfft_particle_exchange x, const mfft_particle_column *column, int columns, int back) {
  MFFT_TRY(check(x));
  mfft_status status = mfft_pm_agree(x->mesh, check_columns(x, column, columns, back));
  if (status == MFFT_SUCCESS) status = agree_columns(x->mesh, column, columns);
  for (int c = 0; c < columns && status == MFFT_SUCCESS; c++) status = mfft_pm_move_column(x, &column[c], back);
  return status;
}

mfft_status mfft_particle_exchange_send(mfft_particle_exchange exchange, const mfft_particle_column *column, int columns) {
  return move_all(exchange, column, columns, 0);
}

mfft_status mfft_particle_exchange_return(mfft_particle_exchange exchange, const mfft_particle_column *column, int columns) {
  return move_all(exchange, column, columns, 1);
}
