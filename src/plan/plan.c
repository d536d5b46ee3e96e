/* plan.c: public calls on a finished plan, and functions that the builders share. */
#include "plan/plan.h"
#include "local/device.h"
#include "local/padded.h"
#include "mfft_memory.h"

#include <stdlib.h>
#include <string.h>

mfft_status mfft_plan_new(mfft_plan *plan) {
  mfft_plan made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a plan (%zu bytes)", sizeof *made);
  atomic_flag_clear(&made->busy);
  *plan = made;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_fft(mfft_plan plan, const mfft_fft_spec *spec, mfft_fft **fft) {
  for (int i = 0; i < plan->nffts; i++)
    if (memcmp(&plan->spec[i], spec, sizeof *spec) == 0) {
      *fft = plan->fft[i];
      return MFFT_SUCCESS;
    }

  size_t count = (size_t)plan->nffts + 1;
  mfft_fft **ffts = realloc(plan->fft, count * sizeof *ffts);
  if (ffts) plan->fft = ffts;
  mfft_fft_spec *specs = realloc(plan->spec, count * sizeof *specs);
  if (specs) plan->spec = specs;
  if (!ffts || !specs) return mfft_fail(MFFT_ERR_MEMORY, "no memory to list %zu transforms", count);

  MFFT_TRY(mfft_fft_make(plan->backend, spec, &plan->fft[plan->nffts]));
  plan->spec[plan->nffts] = *spec;
  *fft = plan->fft[plan->nffts++];
  return MFFT_SUCCESS;
}

int mfft_memory_overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  const uintptr_t at_a = (uintptr_t)a, at_b = (uintptr_t)b;
  return a_bytes && b_bytes && at_a < at_b + b_bytes && at_b < at_a + a_bytes;
}

const mfft_fft_spec *mfft_plan_spec_of(mfft_plan plan, const mfft_stage *stage) {
  for (int i = 0; i < plan->nffts; i++)
    if (plan->fft[i] == stage->fft) return &plan->spec[i];
  return NULL;
}

void mfft_plan_steer(mfft_plan plan, mfft_fft_spec *spec) {
  spec->effort = plan->options.effort;
  spec->deadline = plan->deadline;
  spec->threads = plan->options.threads;
  spec->compute = plan->options.compute;
  spec->reproducible = plan->options.reproducible;
  mfft_algorithm_apply(plan->algorithm, spec);
}

/* The buffers of the workspace, one after another, each aligned to a cache line. */
static const mfft_buffer workspace_parts[] = {MFFT_BUFFER_WORK,      MFFT_BUFFER_SPARE,   MFFT_BUFFER_AREA,
                                              MFFT_BUFFER_PRODUCT,   MFFT_BUFFER_SCRATCH, MFFT_BUFFER_DEVICE_IN,
                                              MFFT_BUFFER_DEVICE_OUT};
enum { WORKSPACE_PARTS = sizeof workspace_parts / sizeof workspace_parts[0] };

/* Whether a part is in a window that peers have mapped. */
static int is_shared(mfft_plan plan, mfft_buffer part) {
  return plan->shares_work && (part == MFFT_BUFFER_WORK || part == MFFT_BUFFER_AREA);
}

static size_t part_bytes(mfft_plan plan, mfft_buffer part) {
  return is_shared(plan, part) ? 0 : mfft_whole_lines(plan->work_bytes[part]);
}

void mfft_plan_place_workspace(mfft_plan plan, void *buffer[MFFT_BUFFER_COUNT]) {
  char *part = plan->workspace;
  for (int i = 0; i < WORKSPACE_PARTS; i++) {
    buffer[workspace_parts[i]] = part;
    if (part) part += part_bytes(plan, workspace_parts[i]);
  }
  if (!plan->shares_work) return;
  buffer[MFFT_BUFFER_WORK] = plan->shared_work;
  buffer[MFFT_BUFFER_AREA] = (char *)plan->shared_work + mfft_whole_lines(plan->work_bytes[MFFT_BUFFER_WORK]);
}

int64_t mfft_plan_out_length(mfft_plan plan, int axis) {
  int64_t n = axis < plan->desc.rank ? plan->desc.n[axis] : 1;
  return axis == mfft_desc_halved_axis(&plan->desc) ? n / 2 + 1 : n;
}

/* Creates tables of ones for each direction that may be filtered, and the pointers of programs and transforms to them. */
static mfft_status make_filters(mfft_plan plan) {
  for (int d = 0; d < 2; d++) {
    mfft_filter_tables *filter = &plan->filter[d];
    if (!mfft_desc_filters(&plan->desc, (mfft_direction)d)) continue;
    for (int a = 0; a < 3; a++) filter->length[a] = mfft_plan_out_length(plan, a);
    filter->doubles = plan->backend->host_memory || plan->desc.precision == MFFT_DOUBLE;
    MFFT_TRY(mfft_filter_tables_make(plan->backend, filter));
    plan->program[d].filter_tables = filter->tables;
    plan->program[d].filter_idle = 1;
  }
  for (int i = 0; i < plan->nffts; i++) {
    mfft_direction direction = plan->spec[i].filtered == MFFT_FILTER_OUTPUT ? MFFT_FORWARD : MFFT_BACKWARD;
    if (plan->spec[i].filtered) plan->fft[i]->factors = plan->filter[direction].tables;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_finish(mfft_plan plan) {
  MFFT_TRY(mfft_device_context_find(plan->backend->device, &plan->context));
  MFFT_TRY(make_filters(plan));
  size_t *scratch = &plan->work_bytes[MFFT_BUFFER_SCRATCH];
  for (int i = 0; i < plan->nffts; i++)
    if (plan->fft[i]->work_bytes > *scratch) *scratch = plan->fft[i]->work_bytes;
  plan->workspace_bytes = 0;
  for (int i = 0; i < WORKSPACE_PARTS; i++) plan->workspace_bytes += part_bytes(plan, workspace_parts[i]);
  if (plan->options.user_workspace || plan->workspace_bytes == 0) return MFFT_SUCCESS;
  MFFT_TRY(plan->backend->alloc(plan->workspace_bytes, &plan->workspace));
  plan->owns_workspace = 1;
  return MFFT_SUCCESS;
}

static mfft_status check_plan(mfft_plan plan) {
  return plan ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
}

static mfft_status check_side(mfft_plan plan, mfft_side side, const void *result, const char *name) {
  MFFT_TRY(check_plan(plan));
  if (side != MFFT_IN && side != MFFT_OUT) return mfft_fail(MFFT_ERR_ARG, "side is %d; use MFFT_IN or MFFT_OUT", (int)side);
  if (!result) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; pass the address of a variable for the result", name);
  return MFFT_SUCCESS;
}

/* Whether the array of a side has complex numbers on the way: an array of reals has, where R2C of several steps keeps the
 * result of one in it. */
static int holds_complexes(mfft_plan plan, mfft_side side) {
  return !mfft_desc_real(&plan->desc, side) || (plan->desc.kind == MFFT_R2C && plan->program[MFFT_BACKWARD].count > 1);
}

/* The CPU loads single real numbers; kernels load whole elements, and a misaligned one destroys the CUDA context. */
mfft_status mfft_plan_check_array(mfft_plan plan, mfft_side side, const void *array, const char *name) {
  const int reals = plan->backend->host_memory || !holds_complexes(plan, side) ? 1 : 2;
  const size_t wanted = (size_t)reals * mfft_real_bytes(plan->desc.precision), bytes = plan->bytes[side];
  if (!array && bytes) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; it needs %zu bytes", name, bytes);
  if (bytes && (uintptr_t)array % wanted)
    return mfft_fail(MFFT_ERR_ARG, "%s is %p, which is not aligned to the %zu bytes that this plan needs", name, array,
                     wanted);
  MFFT_TRY(mfft_check_array(plan->backend, &plan->checked, array, bytes, name));
  if (!plan->workspace || !mfft_memory_overlaps(array, bytes, plan->workspace, plan->workspace_bytes)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is %p, which overlaps the plan's workspace of %zu bytes at %p; keep them apart", name,
                   array, plan->workspace_bytes, plan->workspace);
}

void mfft_plan_destroy(mfft_plan plan) {
  mfft_device_guard guard;
  if (!plan) return;
  (void)mfft_device_guard_enter(&plan->context, &guard);
  /* Peers free memory that this rank may still be storing into, hence the synchronization. */
  if (plan->dist && plan->backend) plan->backend->synchronize(plan->stream);
  mfft_trace_destroy(plan->trace);
  mfft_trials_free(plan->trials);
  for (int by = 0; by < MFFT_CONVOLVED_KINDS; by++) free(plan->both[by].stage);
  for (int direction = 0; direction < 2; direction++) mfft_program_free(&plan->program[direction]);
  for (int i = 0; i < plan->nffts; i++) plan->fft[i]->backend->fft_destroy(plan->fft[i]);
  free(plan->fft);
  free(plan->spec);
  if (plan->dist) plan->dist_calls->free(plan->dist); /* before the workspace, which may still receive messages */
  if (plan->owns_workspace) plan->backend->free(plan->workspace);
  for (int d = 0; d < 2; d++) mfft_filter_tables_free(plan->backend, &plan->filter[d]);
  mfft_device_guard_leave(&guard);
  free(plan);
}

mfft_status mfft_plan_box(mfft_plan plan, mfft_side side, mfft_box *box) {
  MFFT_TRY(check_side(plan, side, box, "box"));
  *box = plan->box[side];
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_count(mfft_plan plan, mfft_side side, int64_t *count) {
  MFFT_TRY(check_side(plan, side, count, "count"));
  *count = plan->count[side];
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_bytes(mfft_plan plan, mfft_side side, size_t *bytes) {
  MFFT_TRY(check_side(plan, side, bytes, "bytes"));
  *bytes = plan->bytes[side];
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_workspace_bytes(mfft_plan plan, size_t *bytes) {
  MFFT_TRY(check_side(plan, MFFT_IN, bytes, "bytes"));
  *bytes = plan->workspace_bytes;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_window_bytes(mfft_plan plan, size_t *bytes) {
  MFFT_TRY(check_side(plan, MFFT_IN, bytes, "bytes"));
  *bytes = 0;
  for (int i = 0; i < WORKSPACE_PARTS; i++)
    if (is_shared(plan, workspace_parts[i])) *bytes += mfft_whole_lines(plan->work_bytes[workspace_parts[i]]);
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_set_workspace(mfft_plan plan, void *workspace, size_t bytes) {
  MFFT_TRY(check_plan(plan));
  if (!workspace && plan->workspace_bytes)
    return mfft_fail(MFFT_ERR_ARG, "workspace is NULL; the plan needs %zu bytes", plan->workspace_bytes);
  if (bytes < plan->workspace_bytes)
    return mfft_fail(MFFT_ERR_ARG, "the workspace has %zu bytes; the plan needs %zu (mfft_plan_workspace_bytes)", bytes,
                     plan->workspace_bytes);
  if ((uintptr_t)workspace % 64)
    return mfft_fail(MFFT_ERR_ARG, "the workspace %p is not aligned to 64 bytes; take it from mfft_memory_alloc", workspace);
  mfft_device_guard guard;
  mfft_status status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS && plan->workspace_bytes && plan->backend->check)
    status = plan->backend->check(workspace, plan->workspace_bytes, 1, "workspace");
  if (status == MFFT_SUCCESS && plan->owns_workspace) plan->backend->free(plan->workspace);
  mfft_device_guard_leave(&guard);
  MFFT_TRY(status);
  plan->owns_workspace = 0;
  plan->workspace = workspace;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_set_stream(mfft_plan plan, void *stream) {
  MFFT_TRY(check_plan(plan));
  if (stream && plan->backend->host_memory)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "stream is %p, but backend %s has no streams; pass NULL", stream,
                     plan->backend->name);
  plan->stream = stream;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_synchronize(mfft_plan plan) {
  mfft_device_guard guard;
  MFFT_TRY(check_plan(plan));
  MFFT_TRY(mfft_device_guard_enter(&plan->context, &guard));
  mfft_status status = plan->backend->synchronize(plan->stream);
  if (status == MFFT_SUCCESS && plan->dist) status = plan->dist_calls->failure(plan->dist);
  mfft_device_guard_leave(&guard);
  return status;
}

mfft_status mfft_plan_memory(mfft_plan plan, mfft_memory *memory) {
  MFFT_TRY(check_side(plan, MFFT_IN, memory, "memory"));
  *memory = plan->backend->host_memory || plan->options.host_arrays ? MFFT_MEMORY_HOST : MFFT_MEMORY_DEVICE;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_backend(mfft_plan plan, const char **name) {
  MFFT_TRY(check_side(plan, MFFT_IN, name, "name"));
  *name = plan->backend->name;
  return MFFT_SUCCESS;
}
