/* make.c: makes the plan of a request: the ranks agree, search their stored plans, and create a new one if necessary. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "plan.h"
#include "registry.h"
#include "reorder.h"
#include "settings.h"

/* Efforts in the order of their planning times.  They come in pairs, of which a request that is tuned takes the second. */
static const mfft_effort efforts[] = {MFFT_ESTIMATE,     MFFT_TUNE_ESTIMATE, MFFT_MEASURE,
                                      MFFT_TUNE_MEASURE, MFFT_PATIENT,       MFFT_TUNE_PATIENT};

static int64_t level_of_request(const mfft_dropin_request *r) {
  const int patient = r->flags & (FFTW_PATIENT | FFTW_EXHAUSTIVE) ? 2 : 1;
  return 2 * (r->flags & FFTW_ESTIMATE ? 0 : patient) + !!r->tuned;
}

static int64_t level_of(mfft_effort effort) {
  int64_t level = 0;
  while (efforts[level] != effort) level++;
  return level;
}

/* ---- Agreement of the ranks ------------------------------------------------------------------------------------------ */

static int64_t sum_of(const mfft_dropin_shape *shape) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (size_t i = 0; i < sizeof *shape; i++) sum = (sum ^ ((const unsigned char *)shape)[i]) * UINT64_C(0x100000001b3);
  return (int64_t)(sum >> 2);
}

/* Whether a plan may overwrite its input, as FFTW does in transforms to reals without FFTW_PRESERVE_INPUT. */
static int may_destroy(const mfft_dropin_request *r) {
  return r->flags & FFTW_DESTROY_INPUT || (r->kind == MFFT_DROPIN_C2R && !(r->flags & FFTW_PRESERVE_INPUT));
}

/* Whether the program passes arrays in the memory of a GPU to a transform that only CPUs do. */
static int is_out_of_reach(const mfft_dropin_request *r, const mfft_dropin_shape *s) {
  const int passes = r->signs.conjugate || r->signs.shifted[0] || r->signs.shifted[1] || s->remapped[0] || s->remapped[1];
  const int host = passes || mfft_dropin_needs_reorder(s);
  return host && (mfft_dropin_device_holds(r->in) || mfft_dropin_device_holds(r->out));
}

/* Whether a plan on a GPU can take arrays on the host.  It cannot if they are on the GPU already, if two plans do the
 * transform together, or if whole plans are timed. */
static int can_stage(const mfft_dropin_request *r, const mfft_dropin_shape *s) {
  return !s->separate_axes && !r->tuned && !mfft_dropin_device_holds(r->in) && !mfft_dropin_device_holds(r->out);
}

/* Fills the key and the effort, the same on all ranks; returns NULL, or the reason why FFTW makes the plan.  A rank without
 * planes may pass any pointers, so it does not decide whether the transform is in place. */
static const char *agree(mfft_dropin_world *world, const mfft_dropin_request *r, int threads, mfft_dropin_key *key,
                         mfft_effort *effort) {
  memset(key, 0, sizeof *key);
  const char *why = mfft_dropin_shape_of(r, world->ranks, &key->shape);
  if (!why && is_out_of_reach(r, &key->shape)) why = "FFTW: arrays in the memory of a GPU for a transform that only CPUs do";
  const int empty = !why && !mfft_dropin_bytes(&key->shape, MFFT_IN, world->rank) &&
                    !mfft_dropin_bytes(&key->shape, MFFT_OUT, world->rank);
  const int64_t sum = sum_of(&key->shape);
  enum { CAN, IN_PLACE, OUT_OF_PLACE, SUM, MINUS_SUM, LEVEL, DESTROYS, DEVICE, STAGED, COUNT };
  int64_t value[COUNT] = {!why,
                          empty || r->in == r->out,
                          empty || r->in != r->out,
                          sum,
                          -sum,
                          level_of_request(r),
                          may_destroy(r),
                          !why && mfft_dropin_device_suits(&key->shape, world->ranks, r->in, r->out),
                          !why && can_stage(r, &key->shape)};
  if (mfft_dropin_least(world, value, COUNT, "the arguments of an FFTW plan")) return "FFTW: MPI failed";
  if (!value[CAN]) return why ? why : "FFTW: another rank requests a transform that mergefft does not have";
  if (value[SUM] != -value[MINUS_SUM]) return "FFTW: ranks request different transforms";
  if (!value[IN_PLACE] && !value[OUT_OF_PLACE]) return "FFTW: in place on some ranks only";
  const int remapped = key->shape.remapped[0] || key->shape.remapped[1]; /* 1: the plan has arrays of its own */
  key->in_place = value[IN_PLACE] != 0 && !remapped;
  key->destroys =
      !key->in_place && (value[DESTROYS] || key->shape.remapped[key->shape.direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT]);
  key->threads = threads;
  key->device = value[DEVICE] != 0;
  key->staged = key->device && value[STAGED];
  *effort = efforts[value[LEVEL]];
  /* A plan serves both directions, unless it has several parts, whose sequence decides which arrays they use, or arrays of
   * its own, which exchanges made for one direction fill and read. */
  if (!key->shape.separate_axes && !remapped) key->shape.direction = MFFT_FORWARD;
  return NULL;
}

/* Finds a stored plan of the key, made with at least this effort, the same on all ranks. */
static mfft_dropin_native *find_native(mfft_dropin_world *world, const mfft_dropin_key *key, mfft_effort effort) {
  mfft_dropin_native *n = world->natives;
  while (n && (memcmp(&n->key, key, sizeof *key) || level_of(n->effort) < level_of(effort))) n = n->next;
  int64_t number[2] = {n ? n->number : -1, n ? -n->number : 1};
  if (mfft_dropin_least(world, number, 2, "the search for a stored plan")) return NULL;
  return number[0] >= 0 && number[0] == -number[1] ? n : NULL;
}

/* ---- New plans ------------------------------------------------------------------------------------------------------- */

static size_t whole_lines(size_t bytes) { return (bytes + 63) / 64 * 64; }

/* Chooses the array between the local and the distributed plan, and thus whether each is in place.  The local plan comes
 * first if the near side is the input.  Rows of reals that are not padded have no space for their spectra. */
static void place_parts(mfft_dropin_native *native, mfft_desc *dist, mfft_desc *local) {
  const mfft_dropin_key *key = &native->key;
  const mfft_dropin_shape *s = &key->shape;
  const int first = (s->near == MFFT_IN) == (s->direction == MFFT_FORWARD);
  const int packed = s->kind == MFFT_R2C && s->packed, reorders = mfft_dropin_needs_reorder(s);
  const int same_layout = s->transposed[0] == s->transposed[1] &&
                          !memcmp(s->block[0], s->block[1], sizeof s->block[0]); /* the layouts of both sides are equal */
  const int in_out = first && !key->in_place && same_layout && (packed || !key->destroys); /* 1: local plan from in to out */
  native->spare = !in_out && (packed || (first && !key->in_place && !key->destroys));
  native->local_in_place = !in_out && !native->spare;
  local->placement = native->local_in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  local->allow_destroy_input = native->spare && !first;
  const int in_place = in_out || (key->in_place && !native->spare && !reorders);
  dist->placement = in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  dist->allow_destroy_input = !in_place && (first || reorders || key->in_place || key->destroys);
}

/* Bytes of the array between the two plans: that of the near side, but of complex numbers even if the program's are reals.
 */
static size_t count_between(const mfft_dropin_shape *s, int rank) {
  mfft_dropin_shape padded = *s;
  padded.packed = 0;
  return whole_lines(mfft_dropin_bytes(&padded, s->near, rank));
}

static mfft_status create_local(const mfft_dropin_world *world, mfft_dropin_native *native, mfft_desc *dist,
                                const mfft_options *options) {
  const mfft_dropin_shape *s = &native->key.shape;
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  mfft_desc local;
  int64_t planes = 1;
  mfft_dropin_part(s, s->near, world->rank, lo, hi);
  for (int a = 0; a < s->separate_axes; a++) planes *= hi[a] - lo[a];
  mfft_dropin_describe_local(s, planes ? planes : 1, &local);
  place_parts(native, dist, &local);
  native->between_bytes = native->spare ? count_between(s, world->rank) : 0;
  native->spare_bytes = native->between_bytes;
  if (mfft_dropin_needs_reorder(s))
    native->spare_bytes += whole_lines(mfft_dropin_bytes(s, s->near == MFFT_IN ? MFFT_OUT : MFFT_IN, world->rank));
  if (!planes) return MFFT_SUCCESS;
  return mfft_plan_create(&local, options, &native->local);
}

static void name_native(mfft_dropin_native *native) {
  static const char *const plans[] = {"", ", other axes in a local plan", ", axes behind the first two in a local plan"};
  const char *transport = "", *backend = "";
  int grid[2] = {0, 0}; /* {P, Q} */
  if (native->steps.count) {
    snprintf(native->where, sizeof native->where, "mergefft on %s, %d local steps and exchanges",
             native->key.device ? MFFT_DROPIN_GPU : "fftw", native->steps.count);
    return;
  }
  mfft_plan_grid(native->plan, grid);
  mfft_plan_transport(native->plan, &transport, NULL);
  mfft_plan_backend(native->plan, &backend);
  snprintf(native->where, sizeof native->where, "mergefft on %s, grid %d x %d, %s%s", backend, grid[0], grid[1], transport,
           plans[native->key.shape.separate_axes]);
}

/* Makes the distributed plan, and the local one if there is one.  Returns 1, or 0 if this or another rank fails. */
static int64_t create_plans(mfft_dropin_world *world, mfft_dropin_native *native, mfft_options *options) {
  const mfft_dropin_key *key = &native->key;
  mfft_desc dist;
  mfft_box box[2];          /* [side] */
  size_t bytes[2] = {0, 0}; /* workspaces of the two plans, which share the larger one */
  mfft_dropin_describe(&key->shape, world->rank, box, &dist);
  dist.placement = key->in_place ? MFFT_IN_PLACE : MFFT_OUT_OF_PLACE;
  dist.allow_destroy_input = key->destroys;
  int64_t sound = !key->shape.separate_axes || create_local(world, native, &dist, options) == MFFT_SUCCESS;
  if (mfft_dropin_least(world, &sound, 1, "the local part of an FFTW plan") || !sound) return 0;
  options->transport = mfft_dropin_transport();
  if (mfft_plan_create_mpi(world->comm, &dist, options, &native->plan)) return 0; /* the same on all ranks */
  mfft_plan_workspace_bytes(native->plan, &bytes[0]);
  if (native->local) mfft_plan_workspace_bytes(native->local, &bytes[1]);
  native->work_bytes = whole_lines(bytes[0] > bytes[1] ? bytes[0] : bytes[1]);
  return 1;
}

/* Makes the steps of a transform that two plans cannot do.  Returns 1, or 0 if this or another rank fails. */
static int64_t create_steps(mfft_dropin_world *world, mfft_dropin_native *native, const mfft_options *options) {
  int64_t sound =
      mfft_dropin_steps_create(world->comm, &native->key.shape, world->rank, options, &native->steps) == MFFT_SUCCESS;
  native->spare_bytes = 2 * native->steps.array_bytes;
  return !mfft_dropin_least(world, &sound, 1, "the steps of an FFTW plan") && sound;
}

static mfft_options choose_options(const mfft_dropin_key *key, mfft_effort effort) {
  mfft_options options;
  mfft_options_init(&options);
  options.backend = key->device ? MFFT_DROPIN_GPU : "fftw";
  options.host_arrays = key->staged;
  options.effort = effort;
  options.threads = key->threads;
  options.user_workspace = 1;
  options.time_limit = mfft_dropin_time_limit();
  if (key->shape.mesh.dims > 1) { /* exchanges then stay within the rows and columns of the program's mesh */
    mfft_dropin_mesh flat;
    mfft_dropin_mesh_flat(&key->shape.mesh, &flat);
    memcpy(options.grid, flat.n, sizeof options.grid);
  }
  return options;
}

/* Makes the plans of a key; returns NULL, on all ranks, if that fails: mfft_last_error has the reason.  Collective. */
static mfft_dropin_native *create_native(mfft_dropin_world *world, const mfft_dropin_key *key, mfft_effort effort) {
  mfft_options options = choose_options(key, effort);
  mfft_dropin_native *native = calloc(1, sizeof *native);
  int64_t sound = native != NULL;
  if (mfft_dropin_least(world, &sound, 1, "memory for an FFTW plan") || !sound) {
    free(native);
    return NULL;
  }
  native->key = *key;
  native->effort = effort;
  native->alive = 1;
  sound = key->shape.separate_axes == MFFT_DROPIN_MOST_DIMS ? create_steps(world, native, &options)
                                                            : create_plans(world, native, &options);
  if (sound) sound = mfft_dropin_remap_create(world->comm, &key->shape, world->rank, &native->remap) == MFFT_SUCCESS;
  if (mfft_dropin_least(world, &sound, 1, "arrays of an FFTW plan") || !sound) {
    mfft_dropin_native_free(native);
    return NULL;
  }
  for (int side = 0; side < 2; side++)
    native->side_bytes[side] = mfft_dropin_bytes(&key->shape, (mfft_side)side, world->rank);
  name_native(native);
  native->number = world->made++;
  mfft_dropin_world_add(world, native);
  return native;
}

/* The plan of a request, whose key and effort all ranks have agreed on, or a new one.  Not every path transforms rows of
 * reals in place that are not padded: where the request's own plan fails, the plan keeps the reals in an array of its own.
 * That one is searched for before the other is tried again.  NULL with *why, or with *why NULL and the message of
 * mfft_last_error. */
static mfft_dropin_native *obtain_native(mfft_dropin_world *world, const mfft_dropin_request *r, int threads,
                                         const mfft_dropin_key *key, mfft_effort effort, const char **why) {
  mfft_dropin_native *native = find_native(world, key, effort);
  if (native) return native;
  if (!key->in_place || !key->shape.packed) return create_native(world, key, effort);
  mfft_dropin_request with_own_reals = *r;
  mfft_dropin_key own_key;
  mfft_effort own_effort;
  with_own_reals.own_reals = 1;
  *why = agree(world, &with_own_reals, threads, &own_key, &own_effort);
  if (*why) return NULL;
  native = find_native(world, &own_key, own_effort);
  if (!native) native = create_native(world, key, effort);
  return native ? native : create_native(world, &own_key, own_effort);
}

/* ---- The handle of the program --------------------------------------------------------------------------------------- */

/* Counts one more user of a plan, and returns the program's own handle; NULL if a rank has no memory for it. */
static mfft_dropin_plan *hand_out(mfft_dropin_world *world, mfft_dropin_native *native, const mfft_dropin_request *r,
                                  mfft_direction direction) {
  mfft_dropin_plan *plan = calloc(1, sizeof *plan);
  int64_t sound = plan && !mfft_dropin_world_reserve(world, native->key.device, native->work_bytes + native->spare_bytes);
  if (sound) sound = mfft_dropin_register(plan, plan);
  const int registered = (int)sound;
  if (mfft_dropin_least(world, &sound, 1, "memory for an FFTW plan")) sound = 0;
  if (!sound) {
    if (registered) mfft_dropin_unregister(plan);
    free(plan);
    return NULL;
  }
  *plan = (mfft_dropin_plan){.native = native,
                             .world = world,
                             .api = r->api,
                             .direction = direction,
                             .in = (void *)r->in,
                             .out = (void *)r->out,
                             .signs = r->signs,
                             .timed = r->api == MFFT_DROPIN_PFFT || mfft_dropin_report_file() != NULL};
  native->users++;
  mfft_dropin_world_use(world);
  return plan;
}

mfft_dropin_plan *mfft_dropin_plan_make(const mfft_dropin_request *r, int threads, const char **why) {
  static _Thread_local char reason[256];
  mfft_dropin_key key;
  mfft_effort effort;
  int running = 0;
  MPI_Initialized(&running);
  *why = "FFTW: MPI is not initialized";
  mfft_dropin_world *world = running ? mfft_dropin_world_of(r->comm) : NULL;
  if (!world) return NULL;
  *why = agree(world, r, threads, &key, &effort);
  if (*why) return NULL;
  mfft_dropin_shape asked; /* with the direction of the request */
  mfft_dropin_shape_of(r, world->ranks, &asked);
  mfft_dropin_native *native = obtain_native(world, r, threads, &key, effort, why);
  if (*why) return NULL;
  mfft_dropin_plan *plan = NULL;
  if (native) {
    native->last = world->asked++;
    plan = hand_out(world, native, r, asked.direction);
  }
  snprintf(reason, sizeof reason, "FFTW: %s", native ? "no memory for a plan of mergefft" : mfft_last_error());
  *why = plan ? native->where : reason;
  return plan;
}
