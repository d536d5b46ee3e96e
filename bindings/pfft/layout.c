/* layout.c: see layout.h. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

#include "pfft.h"
#include "registry.h"
#include "settings.h"

/* ---- Local sizes ----------------------------------------------------------------------------------------------------- */

const char *mfft_pfft_find_mesh(MPI_Comm comm, int axes, mfft_dropin_mesh *mesh) {
  int topology = MPI_UNDEFINED, dims = 0, n[MFFT_DROPIN_MOST_DIMS], periods[MFFT_DROPIN_MOST_DIMS];
  int coordinates[MFFT_DROPIN_MOST_DIMS];
  *mesh = (mfft_dropin_mesh){1, 0, {1, 1, 1}};
  MPI_Topo_test(comm, &topology);
  if (topology != MPI_CART) {
    MPI_Comm_size(comm, &mesh->n[0]);
    return NULL;
  }
  MPI_Cartdim_get(comm, &dims);
  if (dims > MFFT_DROPIN_MOST_DIMS) return "a mesh has three dimensions at most";
  MPI_Cart_get(comm, dims, n, periods, coordinates);
  mesh->dims = dims;
  mesh->bricks = dims == 3 && axes == 3;
  memcpy(mesh->n, n, (size_t)dims * sizeof *n);
  return NULL;
}

static const char *check_layout(const mfft_pfft_layout *l, const mfft_dropin_mesh *mesh) {
  if (l->rank < 1 || l->rank > MFFT_DROPIN_MOST_AXES) return "mergefft divides arrays of one to four axes";
  if (mesh->dims > l->rank) return "the mesh has more dimensions than the array";
  for (int end = 0; end < 2; end++) {
    const int transposed = l->flags & (end ? PFFT_TRANSPOSED_OUT : PFFT_TRANSPOSED_IN);
    if (transposed && mesh->dims == l->rank && l->rank != 3)
      return "a transposed array has more axes than the mesh dimensions";
    for (int a = 0; a < l->rank; a++)
      if (l->n[end][a] < 1) return "a length is not positive";
  }
  return NULL;
}

static int is_real(mfft_dropin_kind kind, int end) {
  return kind == MFFT_DROPIN_R2R || kind == (end ? MFFT_DROPIN_C2R : MFFT_DROPIN_R2C);
}

static int is_halved(mfft_dropin_kind kind) { return kind == MFFT_DROPIN_R2C || kind == MFFT_DROPIN_C2R; }

static void find_blocks(const mfft_pfft_layout *l, int end, ptrdiff_t block[MFFT_DROPIN_MOST_DIMS], int dims) {
  for (int d = 0; d < MFFT_DROPIN_MOST_DIMS; d++) block[d] = l->block[end] && d < dims ? l->block[end][d] : 0;
}

/* Finds the part of a rank at one end.  Returns its elements including padding; real elements count as half a complex one if
 * the other end is complex. */
static ptrdiff_t find_part(const mfft_pfft_layout *l, const mfft_dropin_mesh *mesh, int end, int pid, ptrdiff_t *local,
                           ptrdiff_t *start) {
  const int transposed = !!(l->flags & (end ? PFFT_TRANSPOSED_OUT : PFFT_TRANSPOSED_IN));
  const int real = is_real(l->kind, end), halved = is_halved(l->kind), last = l->rank - 1;
  ptrdiff_t given[MFFT_DROPIN_MOST_DIMS], count = l->howmany;
  int64_t n[MFFT_DROPIN_MOST_AXES], block[MFFT_DROPIN_MOST_DIMS], lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  for (int a = 0; a < l->rank; a++) n[a] = halved && !real && a == last ? l->n[end][a] / 2 + 1 : l->n[end][a];
  find_blocks(l, end, given, mesh->dims);
  mfft_dropin_mesh_blocks(mesh, transposed, n, given, block);
  mfft_dropin_mesh_part(mesh, transposed, l->rank, n, block, pid, lo, hi);
  for (int a = 0; a < l->rank; a++) {
    local[a] = hi[a] - lo[a];
    const ptrdiff_t shift = l->flags & (end ? PFFT_SHIFTED_OUT : PFFT_SHIFTED_IN) ? l->n[end][a] / 2 : 0;
    start[a] = (local[a] ? lo[a] : 0) - shift;
    if (a < last) count *= local[a];
  }
  if (!halved || !real) return count * local[last];
  if (mesh->bricks) return count * (local[last] / 2 + 1); /* rows that are divided among ranks are never padded */
  if (l->flags & PFFT_PADDED_R2C) local[last] = 2 * (local[last] / 2 + 1);
  return count * (n[last] / 2 + 1);
}

/* Prints a line on stderr, on rank 0. */
static void complain(MPI_Comm comm, const char *what, const char *why) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) fprintf(stderr, "mergefft: error: %s: %s\n", what, why);
}

ptrdiff_t mfft_pfft_local_size(const mfft_pfft_layout *l, int pid, const mfft_pfft_part *part) {
  mfft_dropin_mesh mesh;
  const char *why = mfft_pfft_find_mesh(l->comm, l->rank, &mesh);
  if (!why) why = check_layout(l, &mesh);
  if (why) {
    complain(l->comm, "no local sizes for PFFT's interface", why);
    return 0;
  }
  if (pid < 0) MPI_Comm_rank(l->comm, &pid);
  const ptrdiff_t in = find_part(l, &mesh, 0, pid, part->n[0], part->start[0]);
  const ptrdiff_t out = find_part(l, &mesh, 1, pid, part->n[1], part->start[1]);
  const ptrdiff_t most = in > out ? in : out;
  return most > 0 ? most : 1;
}

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

/* Converts PFFT's flags to FFTW's.  PFFT preserves every input, that of C2R too, unless DESTROY_INPUT is set. */
static unsigned flags_of(unsigned flags) {
  static const struct {
    unsigned pfft, fftw;
  } same[] = {{PFFT_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_IN},
              {PFFT_TRANSPOSED_OUT, FFTW_MPI_TRANSPOSED_OUT},
              {PFFT_ESTIMATE, FFTW_ESTIMATE},
              {PFFT_PATIENT, FFTW_PATIENT},
              {PFFT_EXHAUSTIVE, FFTW_EXHAUSTIVE}};
  const int destroys = flags & PFFT_DESTROY_INPUT && !(flags & PFFT_PRESERVE_INPUT);
  unsigned result = destroys ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (flags & same[i].pfft) result |= same[i].fftw;
  return result;
}

/* The reason why a request of mfft_dropin_request cannot express this plan, or NULL. */
static const char *find_lack(const mfft_pfft_layout *l, const mfft_pfft_job *job) {
  if (l->flags & PFFT_TRANSPOSED_IN && l->flags & PFFT_TRANSPOSED_OUT && l->kind != MFFT_DROPIN_C2C)
    return "transposed in and out is for complex transforms";
  for (int a = 0; a < l->rank; a++) {
    if (job->skip && job->skip[a]) return "skip_trafos must be 0: PFFT's interface of mergefft transforms all axes";
  }
  return NULL;
}

static mfft_dropin_request request_of(const mfft_pfft_layout *l, const mfft_pfft_job *job) {
  mfft_dropin_request r = {.api = MFFT_DROPIN_PFFT,
                           .precision = job->precision,
                           .kind = l->kind,
                           .rank = l->rank,
                           .n = job->n,
                           .length = {l->n[0], l->n[1]},
                           .howmany = l->howmany,
                           .packed = !(l->flags & PFFT_PADDED_R2C),
                           .sign = job->sign,
                           .flags = flags_of(l->flags),
                           .tuned = !!(l->flags & PFFT_TUNE),
                           .in = job->in,
                           .out = job->out,
                           .comm = l->comm};
  r.signs.conjugate = is_halved(l->kind) && job->sign != (l->kind == MFFT_DROPIN_R2C ? PFFT_FORWARD : PFFT_BACKWARD);
  r.signs.shifted[MFFT_DROPIN_FROM] = !!(l->flags & PFFT_SHIFTED_IN);
  r.signs.shifted[MFFT_DROPIN_TO] = !!(l->flags & PFFT_SHIFTED_OUT);
  return r;
}

/* Sets the time limit of FFTW's planner again, which mergefft's backend has removed. */
static void restore_time_limit(mfft_precision precision) {
  const double limit = mfft_dropin_time_limit();
  (precision == MFFT_DOUBLE ? fftw_set_timelimit : fftwf_set_timelimit)(limit > 0 ? limit : FFTW_NO_TIMELIMIT);
}

static mfft_dropin_plan *make_plan(const mfft_dropin_request *r, int threads, const char **why) {
  static const char prefix[] = "FFTW: "; /* begins reasons that are written for reports about FFTW, and is left out here */
  static _Thread_local char reason[512];
  if (!mfft_dropin_same_mpi(reason, sizeof reason)) {
    *why = reason;
    return NULL;
  }
  mfft_dropin_watch_finalize();
  mfft_dropin_inside++;
  mfft_dropin_plan *plan = mfft_dropin_plan_make(r, threads, why);
  restore_time_limit(r->precision);
  mfft_dropin_inside--;
  if (!plan && !strncmp(*why, prefix, strlen(prefix))) *why += strlen(prefix);
  return plan;
}

mfft_dropin_plan *mfft_pfft_plan(const mfft_pfft_layout *l, const mfft_pfft_job *job) {
  const double begin = mfft_dropin_now();
  mfft_axis_kind axis_kind[MFFT_DROPIN_MOST_AXES];
  mfft_dropin_request r = request_of(l, job);
  if (job->kinds && mfft_dropin_axis_kinds(l->rank, job->kinds, axis_kind)) r.axis_kind = axis_kind;
  const char *why = mfft_pfft_find_mesh(l->comm, l->rank, &r.mesh);
  if (!why) why = check_layout(l, &r.mesh);
  if (!why) why = find_lack(l, job);
  if (!r.mesh.dims)
    r.flags &= ~(unsigned)(FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT); /* axes rotate by its dimensions */
  for (int end = 0; end < 2 && !why; end++) find_blocks(l, end, r.block[end], r.mesh.dims);
  mfft_dropin_plan *plan = why ? NULL : make_plan(&r, job->threads, &why);
  char text[256], where[640];
  snprintf(where, sizeof where, "%s%s", plan ? "" : "no plan: ", why);
  mfft_dropin_entry *entry = mfft_dropin_entry_plan(&r, where, mfft_dropin_now() - begin);
  if (plan) {
    plan->entry = entry;
    return plan;
  }
  memcpy(text, "no plan for ", 13);
  mfft_dropin_describe_request(&r, text + 12, sizeof text - 12);
  complain(l->comm, text, why);
  return NULL;
}

mfft_dropin_plan *mfft_pfft_find(const void *plan, const char *what) {
  mfft_dropin_plan *found = mfft_dropin_find(plan);
  if (found && found->native && found->api == MFFT_DROPIN_PFFT) return found;
  if (!plan) {
    complain(MPI_COMM_WORLD, what, "the plan is NULL");
    return NULL;
  }
  fprintf(stderr, "mergefft: error: %s: %p is no plan of PFFT's interface; pass one that a pfft_plan call returned\n", what,
          (void *)(size_t)plan);
  return NULL;
}
