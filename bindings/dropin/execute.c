/* execute.c: executes plans of mergefft for the program, and returns their properties. */
#include <math.h>
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
#include "signs.h"

/* Gives workspace to the plans of `native`, unless they have it already. */
static mfft_status give_workspace(mfft_dropin_native *native, void *workspace) {
  mfft_plan const plans[2] = {native->plan, native->local};
  if (native->workspace == workspace) return MFFT_SUCCESS;
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < 2 && status == MFFT_SUCCESS; i++)
    if (plans[i] && native->work_bytes) status = mfft_plan_set_workspace(plans[i], workspace, native->work_bytes);
  if (status == MFFT_SUCCESS) native->workspace = workspace;
  return status;
}

/* Finds workspace for an execute: that of the world, or, while another thread executes with it, memory for this execute
 * alone, since a thread that waited for the other one would make other ranks wait. */
static mfft_status take_workspace(mfft_dropin_world *world, mfft_dropin_native *native, int *shared) {
  const int device = native->key.device;
  const size_t bytes = native->work_bytes + native->spare_bytes;
  void *own = NULL;
  *shared = !atomic_exchange(&world->working, 1);
  if (*shared)
    return mfft_dropin_world_reserve(world, device, bytes) ? MFFT_ERR_MEMORY
                                                           : give_workspace(native, world->workspace[device]);
  if (!bytes) return MFFT_SUCCESS;
  mfft_status status = device ? mfft_memory_alloc(MFFT_DROPIN_GPU, bytes, &own) : mfft_alloc(bytes, &own);
  return status == MFFT_SUCCESS ? give_workspace(native, own) : status;
}

static void return_workspace(mfft_dropin_world *world, mfft_dropin_native *native, int shared) {
  if (shared) {
    world->working = 0;
    return;
  }
  if (native->workspace && native->key.device)
    mfft_memory_free(MFFT_DROPIN_GPU, native->workspace);
  else
    mfft_free(native->workspace);
  native->workspace = NULL;
}

/* Executes the local and the distributed plan of a request with two plans, one after the other. */
static mfft_status run_separately(const mfft_dropin_plan *plan, void *in, void *out) {
  const mfft_dropin_native *native = plan->native;
  const mfft_dropin_shape *s = &native->key.shape;
  const int first = (s->near == MFFT_IN) == (plan->direction == MFFT_FORWARD), rank = plan->world->rank;
  const int reorders = mfft_dropin_needs_reorder(s);
  char *spare = (char *)native->workspace + native->work_bytes, *reordered = spare + native->between_bytes;
  mfft_status status = MFFT_SUCCESS;
  if (first) {
    void *between = native->spare ? spare : native->local_in_place ? in : out;
    if (native->local) status = mfft_execute(native->local, plan->direction, in, between);
    if (status == MFFT_SUCCESS) status = mfft_execute(native->plan, plan->direction, between, reorders ? reordered : out);
    if (reorders && status == MFFT_SUCCESS) mfft_dropin_reorder(s, rank, 1, reordered, out);
    return status;
  }
  void *between = native->spare ? spare : out;
  if (reorders) mfft_dropin_reorder(s, rank, 0, in, reordered);
  status = mfft_execute(native->plan, plan->direction, reorders ? reordered : in, between);
  return status || !native->local ? status : mfft_execute(native->local, plan->direction, between, out);
}

static mfft_status run_parts(const mfft_dropin_plan *plan, void *in, void *out) {
  const mfft_dropin_native *native = plan->native;
  char *spare = (char *)native->workspace + native->work_bytes;
  if (native->steps.count) return mfft_dropin_steps_run(&native->steps, plan->direction, in, out, spare);
  return native->key.shape.separate_axes ? run_separately(plan, in, out)
                                         : mfft_execute(native->plan, plan->direction, in, out);
}

static mfft_status run_parts_and_wait(const mfft_dropin_plan *plan, void *in, void *out) {
  const mfft_dropin_native *native = plan->native;
  mfft_status status = run_parts(plan, in, out);
  if (status == MFFT_SUCCESS) status = mfft_dropin_steps_synchronize(&native->steps);
  if (status == MFFT_SUCCESS && native->plan) status = mfft_plan_synchronize(native->plan);
  return status || !native->local ? status : mfft_plan_synchronize(native->local);
}

/* An array of a GPU in place of one on the host: the world's, or one for this execute alone. */
static mfft_status take_copy(mfft_dropin_world *world, int shared, int i, size_t bytes, void **copy) {
  if (!shared) return mfft_memory_alloc(MFFT_DROPIN_GPU, bytes, copy);
  if (mfft_dropin_world_reserve_copy(world, i, bytes)) return MFFT_ERR_MEMORY;
  *copy = world->copy[i];
  return MFFT_SUCCESS;
}

/* Transforms on a GPU, in arrays of the world in place of those on the host.  Copies are ordered after the default stream,
 * on which the plans run. */
static mfft_status run_on_device(const mfft_dropin_plan *plan, const void *in, void *out, int shared) {
  mfft_dropin_native *native = plan->native;
  mfft_dropin_world *world = plan->world;
  const mfft_side from = plan->direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = from == MFFT_IN ? MFFT_OUT : MFFT_IN;
  const size_t *bytes = native->side_bytes, more = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  const int in_place = native->key.in_place, there[2] = {mfft_dropin_device_holds(in), mfft_dropin_device_holds(out)};
  const int as_is = there[0] && (in == out) == in_place; /* the input needs no copy */
  void *source = (void *)in, *target = out;
  void *copy[2] = {NULL, NULL}; /* of the input and the output */
  mfft_status status = MFFT_SUCCESS;
  if (!as_is) status = take_copy(world, shared, 0, (in_place ? more : bytes[from]) + 64, &copy[0]);
  if (status == MFFT_SUCCESS && !in_place && !there[1]) status = take_copy(world, shared, 1, bytes[to] + 64, &copy[1]);
  if (copy[0]) source = copy[0];
  if (in_place) target = source;
  if (copy[1]) target = copy[1];
  if (status == MFFT_SUCCESS && !as_is && bytes[from])
    status = (there[0] ? mfft_memory_copy : mfft_memory_upload)(MFFT_DROPIN_GPU, source, in, bytes[from]);
  if (status == MFFT_SUCCESS) status = run_parts_and_wait(plan, source, target);
  if (status == MFFT_SUCCESS && target != out && bytes[to])
    status = (there[1] ? mfft_memory_copy : mfft_memory_download)(MFFT_DROPIN_GPU, out, target, bytes[to]);
  for (int i = 0; i < 2 && !shared; i++) mfft_memory_free(MFFT_DROPIN_GPU, copy[i]);
  return status;
}

static mfft_status run_in_workspace(mfft_dropin_plan *plan, void *in, void *out, int shared) {
  static char none[64]; /* for ranks without planes, which may pass any pointer */
  mfft_dropin_native *native = plan->native;
  const int from = plan->direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT;
  const size_t in_bytes = native->side_bytes[from];
  mfft_status status = MFFT_SUCCESS;
  if (native->key.device && !native->key.staged) return run_on_device(plan, in, out, shared);
  if (!in_bytes && !native->side_bytes[!from]) in = none, out = native->key.in_place ? none : none + 32;
  /* The arrays may differ from those of planning; FFTW then requires the same placement and alignment. */
  if (native->key.in_place && in != out) {
    memmove(out, in, in_bytes);
    in = out;
  }
  void *copy = NULL;
  if (!native->key.in_place && in == out && in_bytes) {
    status = mfft_alloc(in_bytes, &copy);
    if (status) return status;
    in = memcpy(copy, in, in_bytes);
  }
  status = native->key.staged ? run_parts_and_wait(plan, in, out) : run_parts(plan, in, out);
  mfft_free(copy);
  return status;
}

static mfft_status run(mfft_dropin_plan *plan, void *in, void *out) {
  mfft_dropin_native *native = plan->native;
  int shared;
  if (!native->alive) return MFFT_ERR_STATE;
  mfft_status status = take_workspace(plan->world, native, &shared);
  if (status == MFFT_SUCCESS) status = run_in_workspace(plan, in, out, shared);
  return_workspace(plan->world, native, shared);
  return status;
}

/* Runs a plan with the passes before and after it that change signs, if it needs them.  An input that must be preserved is
 * restored. */
static mfft_status run_with_signs(mfft_dropin_plan *plan, void *in, void *out) {
  const mfft_dropin_signs *signs = &plan->signs;
  const mfft_dropin_key *key = &plan->native->key;
  if (!signs->conjugate && !signs->shifted[0] && !signs->shifted[1]) return run(plan, in, out);
  const mfft_side from = plan->direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = from == MFFT_IN ? MFFT_OUT : MFFT_IN;
  mfft_dropin_apply_signs(signs, &key->shape, MFFT_DROPIN_FROM, from, plan->world->rank, in);
  const mfft_status status = run(plan, in, out);
  if (status) return status;
  if (in != out && !key->destroys)
    mfft_dropin_apply_signs(signs, &key->shape, MFFT_DROPIN_FROM, from, plan->world->rank, in);
  mfft_dropin_apply_signs(signs, &key->shape, MFFT_DROPIN_TO, to, plan->world->rank, out);
  return MFFT_SUCCESS;
}

/* Runs a plan whose arrays are not those of the program. */
static mfft_status run_remapped(mfft_dropin_plan *plan, void *in, void *out) {
  const mfft_side from = plan->direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = from == MFFT_IN ? MFFT_OUT : MFFT_IN;
  mfft_dropin_native *native = plan->native;
  mfft_dropin_remapped *first = &native->remap.side[from], *last = &native->remap.side[to];
  const int remapped[2] = {native->key.shape.remapped[from], native->key.shape.remapped[to]}; /* [from, to] */
  if (!native->alive || (!remapped[0] && !remapped[1])) return run_with_signs(plan, in, out);
  mfft_status status = remapped[0] ? mfft_dropin_remap_embed(first, in) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS)
    status = run_with_signs(plan, remapped[0] ? first->whole : in, remapped[1] ? last->whole : out);
  return status || !remapped[1] ? status : mfft_dropin_remap_crop(last, out);
}

void mfft_dropin_plan_run(mfft_dropin_plan *plan, void *in, void *out) {
  const double begin = plan->timed ? mfft_dropin_now() : 0;
  mfft_dropin_inside++;
  const mfft_status status = run_remapped(plan, in, out);
  mfft_dropin_inside--;
  if (status) {
    fprintf(stderr, "mergefft: error: a transform of %s's interface failed on rank %d: %s%s\n",
            plan->api == MFFT_DROPIN_PFFT ? "PFFT" : "FFTW", plan->world->rank,
            plan->native->alive ? mfft_last_error() : "MPI is finalized",
            plan->api == MFFT_DROPIN_PFFT ? "" : "; set MFFT_FFTW=off to use FFTW itself");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (!plan->timed) return;
  const double seconds = mfft_dropin_now() - begin;
  plan->calls++;
  plan->seconds += seconds;
  mfft_dropin_entry_run(plan->entry, seconds);
}

void mfft_dropin_plan_destroy(mfft_dropin_plan *plan) {
  if (plan->native) {
    plan->native->users--;
    mfft_dropin_world_leave(plan->world);
  }
  free(plan);
}

char *mfft_dropin_plan_text(const mfft_dropin_plan *plan) {
  size_t needed = 0;
  if (plan->native->steps.count) return strdup(plan->native->where);
  if (!plan->native->plan || mfft_plan_describe(plan->native->plan, NULL, 0, &needed)) return NULL;
  char *text = malloc(needed + 1);
  if (text && mfft_plan_describe(plan->native->plan, text, needed + 1, NULL)) text[0] = '\0';
  return text;
}

double mfft_dropin_plan_flops(const mfft_dropin_plan *plan) {
  const mfft_dropin_shape *s = &plan->native->key.shape;
  double n = 1;
  for (int a = 0; a < s->rank; a++) n *= (double)s->n[a];
  return (s->kind == MFFT_R2C ? 2.5 : 5.0) * n * log2(n) * (double)s->howmany / plan->world->ranks;
}

void mfft_dropin_plan_adopt(const void *plan, const mfft_dropin_request *request, const char *why, double seconds) {
  mfft_dropin_plan *record = plan ? calloc(1, sizeof *record) : NULL;
  if (!record) return;
  record->entry = mfft_dropin_entry_plan(request, why, seconds);
  if (!mfft_dropin_register(plan, record)) free(record);
}
