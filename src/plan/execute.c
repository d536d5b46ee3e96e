/* execute.c: runs the programs of a plan: of one direction, or of both with factors of the spectrum between them. */
#include "local/device.h"
#include "plan/plan.h"

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
  void *spectrum, *out;        /* spectrum: of both directions, else NULL */
  const mfft_factors *factors; /* likewise */
} execution;

static mfft_status run(mfft_plan plan, const mfft_program *program, const execution *x) {
  static const char *const names[] = {[MFFT_FORWARD] = "mergefft forward", [MFFT_BACKWARD] = "mergefft backward"};
  const mfft_direction direction = x->direction;
  void *buffer[MFFT_BUFFER_COUNT] = {(void *)x->in, x->out}; /* [buffer] */
  buffer[MFFT_BUFFER_SPECTRUM] = x->spectrum;
  buffer[MFFT_BUFFER_FACTORS] = x->factors ? (void *)x->factors->array : NULL;
  mfft_plan_place_workspace(plan, buffer);
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
  if (device) device->range_begin(x->spectrum ? "mergefft forward and backward" : names[direction]);
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
  MFFT_TRY(mfft_plan_check_result(plan, MFFT_IN, x->in, "in", x->out, "out"));
  return check_execute(plan, MFFT_BACKWARD, x->spectrum, x->out);
}

static mfft_status multiply(mfft_plan plan, const execution *x) {
  const mfft_factors *f = x->factors;
  if (f->by == MFFT_CONVOLVED_BY_FILTER) return MFFT_SUCCESS; /* the backward direction does that */
  return plan->backend->multiply(plan->desc.precision, f->shape, f->by == MFFT_CONVOLVED_BY_CONJUGATE, f->array, x->spectrum,
                                 plan->stream);
}

/* Runs both directions as one program if there is one, else one after the other. */
static mfft_status run_both(mfft_plan plan, const execution *x) {
  const mfft_program *both = &plan->both[x->factors->by];
  const execution forward = {.direction = MFFT_FORWARD, .in = x->in, .out = x->spectrum},
                  backward = {.direction = MFFT_BACKWARD, .in = x->spectrum, .out = x->out};
  if (both->count) return run(plan, both, x);
  MFFT_TRY(run_direction(plan, &forward));
  MFFT_TRY(multiply(plan, x));
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
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
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
  return start_execution(plan, &one, &(execution){.direction = direction, .in = in, .out = out});
}

mfft_status mfft_plan_convolve(mfft_plan plan, const mfft_factors *factors, const void *in, void *spectrum, void *out) {
  static const runner both = {check_both, run_both};
  return start_execution(plan, &both, &(execution){MFFT_FORWARD, in, spectrum, out, factors});
}
