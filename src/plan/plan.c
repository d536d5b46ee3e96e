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
    if (plan->spec[i].filtered) plan->fft[i]->filter_tables = plan->filter[direction].tables;
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

/* Checks an array of an execute: with options.host_arrays it may be in any memory that copies reach. */
static mfft_status check_executed(mfft_plan plan, mfft_side side, const void *array, const char *name) {
  if (!plan->options.host_arrays) return mfft_plan_check_array(plan, side, array, name);
  if (array || !plan->bytes[side]) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is NULL; it needs %zu bytes", name, plan->bytes[side]);
}

/* Checks the arrays of an execute, and that they are equal or disjoint as the placement requires. */
static mfft_status check_arrays(mfft_plan plan, mfft_direction direction, const void *in, const void *out) {
  const mfft_side from = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN;
  MFFT_TRY(check_executed(plan, from, in, "in"));
  MFFT_TRY(check_executed(plan, to, out, "out"));
  if (plan->desc.placement == MFFT_IN_PLACE) {
    if (in != out) return mfft_fail(MFFT_ERR_ARG, "in and out differ but the plan is in place; pass the same pointer twice");
  } else if (mfft_memory_overlaps(in, plan->bytes[from], out, plan->bytes[to])) {
    return mfft_fail(MFFT_ERR_ARG, "in and out overlap but the plan is out of place; set placement = MFFT_IN_PLACE");
  }
  return MFFT_SUCCESS;
}

/* Checks whether the plan can run on these arrays. */
static mfft_status check_execute(mfft_plan plan, mfft_direction direction, const void *in, const void *out) {
  if (direction != MFFT_FORWARD && direction != MFFT_BACKWARD)
    return mfft_fail(MFFT_ERR_ARG, "direction is %d; use MFFT_FORWARD or MFFT_BACKWARD", (int)direction);
  if (plan->workspace_bytes && !plan->workspace)
    return mfft_fail(MFFT_ERR_STATE, "the plan has no workspace; give it %zu bytes with mfft_plan_set_workspace",
                     plan->workspace_bytes);
  return check_arrays(plan, direction, in, out);
}

/* The arrays of an execute, or of both directions. */
typedef struct execution {
  mfft_direction direction; /* the first one */
  const void *in;
  void *spectrum, *out; /* spectrum: of both directions, else NULL */
} execution;

static mfft_status run(mfft_plan plan, const mfft_program *program, const execution *x) {
  const mfft_direction direction = x->direction;
  void *buffer[MFFT_BUFFER_COUNT] = {(void *)x->in, x->out}; /* [buffer] */
  char *part = plan->workspace;
  buffer[MFFT_BUFFER_SPECTRUM] = x->spectrum;
  for (int i = 0; i < WORKSPACE_PARTS; i++) {
    buffer[workspace_parts[i]] = part;
    if (part) part += part_bytes(plan, workspace_parts[i]);
  }
  if (plan->shares_work) {
    buffer[MFFT_BUFFER_WORK] = plan->shared_work;
    buffer[MFFT_BUFFER_AREA] = (char *)plan->shared_work + mfft_whole_lines(plan->work_bytes[MFFT_BUFFER_WORK]);
  }
  if (plan->options.host_arrays) {
    const int in_place = plan->desc.placement == MFFT_IN_PLACE, forward = direction == MFFT_FORWARD;
    void *const device[] = {[MFFT_IN] = buffer[MFFT_BUFFER_DEVICE_IN],
                            [MFFT_OUT] = buffer[in_place ? MFFT_BUFFER_DEVICE_IN : MFFT_BUFFER_DEVICE_OUT]};
    buffer[MFFT_BUFFER_HOST_SRC] = (void *)x->in;
    buffer[MFFT_BUFFER_HOST_DST] = x->out;
    buffer[MFFT_BUFFER_SRC] = device[forward ? MFFT_IN : MFFT_OUT];
    buffer[MFFT_BUFFER_DST] = device[forward ? MFFT_OUT : MFFT_IN];
  }
  mfft_trace_execute(plan->trace, direction);
  const mfft_device *device = plan->backend->device;
  if (device) device->range_begin(direction == MFFT_FORWARD ? "mergefft forward" : "mergefft backward");
  const mfft_status status =
      mfft_program_run(program, plan->backend, plan->desc.precision, buffer, plan->stream, &plan->timing, plan->trace);
  if (device) device->range_end();
  return status;
}

static mfft_status check_direction(mfft_plan plan, const execution *x) {
  return check_execute(plan, x->direction, x->in, x->out);
}

static mfft_status run_direction(mfft_plan plan, const execution *x) { return run(plan, &plan->program[x->direction], x); }

static mfft_status check_both(mfft_plan plan, const execution *x) {
  MFFT_TRY(check_execute(plan, MFFT_FORWARD, x->in, x->spectrum));
  return check_execute(plan, MFFT_BACKWARD, x->spectrum, x->out);
}

/* Runs both directions as one program if there is one, else one after the other. */
static mfft_status run_both(mfft_plan plan, const execution *x) {
  if (plan->solve.count) return run(plan, &plan->solve, x);
  const execution forward = {MFFT_FORWARD, x->in, NULL, x->spectrum}, backward = {MFFT_BACKWARD, x->spectrum, NULL, x->out};
  MFFT_TRY(run_direction(plan, &forward));
  return run_direction(plan, &backward);
}

/* How an execution is checked and run. */
typedef struct runner {
  mfft_status (*check)(mfft_plan plan, const execution *x);
  mfft_status (*run)(mfft_plan plan, const execution *x);
} runner;

/* Executes on the plan's device, which is current. */
static mfft_status execute(mfft_plan plan, const runner *r, const execution *x) {
  const mfft_dist_calls *calls = plan->dist ? plan->dist_calls : NULL;
  mfft_status status = r->check(plan, x);
  if (plan->shares_work && !plan->shared_work) status = calls->open_window(plan, status);
  if (calls) status = calls->begin(plan->dist, status);
  if (status == MFFT_SUCCESS) status = r->run(plan, x);
  return calls ? calls->end(plan->dist, status) : status;
}

static mfft_status start_execution(mfft_plan plan, const runner *r, const execution *x) {
  mfft_device_guard guard;
  MFFT_TRY(check_plan(plan));
  if (atomic_flag_test_and_set(&plan->busy))
    return mfft_fail(MFFT_ERR_STATE, "the plan is running in another thread; make one plan a thread");
  mfft_status status = mfft_device_guard_enter(&plan->context, &guard);
  if (status == MFFT_SUCCESS)
    status = execute(plan, r, x);
  else if (plan->dist)
    status = plan->dist_calls->end(plan->dist, status);
  mfft_device_guard_leave(&guard);
  atomic_flag_clear(&plan->busy);
  return status;
}

mfft_status mfft_execute(mfft_plan plan, mfft_direction direction, const void *in, void *out) {
  static const runner one = {check_direction, run_direction};
  return start_execution(plan, &one, &(execution){direction, in, NULL, out});
}

mfft_status mfft_plan_solve(mfft_plan plan, const void *in, void *spectrum, void *out) {
  static const runner both = {check_both, run_both};
  return start_execution(plan, &both, &(execution){MFFT_FORWARD, in, spectrum, out});
}

void mfft_plan_solve_free(mfft_plan plan) {
  free(plan->solve.stage);
  memset(&plan->solve, 0, sizeof plan->solve);
}

void mfft_plan_destroy(mfft_plan plan) {
  mfft_device_guard guard;
  if (!plan) return;
  (void)mfft_device_guard_enter(&plan->context, &guard);
  /* Peers free memory that this rank may still be storing into, hence the synchronization. */
  if (plan->dist && plan->backend) plan->backend->synchronize(plan->stream);
  mfft_trace_destroy(plan->trace);
  mfft_trials_free(plan->trials);
  mfft_plan_solve_free(plan);
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
