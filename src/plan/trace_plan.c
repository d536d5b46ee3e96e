/* trace_plan.c: the timing of a plan for its user: sums by kind of stage, and the time line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mfft_inspect.h"
#include "plan/plan.h"

static mfft_status check(mfft_plan plan, const void *result, const char *name) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  if (!result) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; pass the address of a variable for the result", name);
  return MFFT_SUCCESS;
}

static mfft_status get(mfft_plan plan, int64_t i, mfft_span *span) {
  mfft_device_guard guard;
  MFFT_TRY(mfft_device_guard_enter(&plan->context, &guard));
  const mfft_status status = mfft_trace_get(plan->trace, i, span);
  mfft_device_guard_leave(&guard);
  return status;
}

/* Sums up a time line: the time that the stream spent in stages of each kind. */
static mfft_status add_up(mfft_plan plan, mfft_timing *timing) {
  timing->fft = timing->copy = timing->exchange = timing->total = 0;
  for (int64_t i = 0; i < mfft_trace_count(plan->trace); i++) {
    mfft_span span;
    MFFT_TRY(get(plan, i, &span));
    if (span.queue) continue;
    *mfft_timing_of(timing, span.kind) += span.end_s - span.start_s;
    timing->total += span.end_s - span.start_s;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_timing(mfft_plan plan, mfft_timing *timing) {
  MFFT_TRY(check(plan, timing, "timing"));
  mfft_timing got = plan->timing;
  if (!plan->backend->host_memory) MFFT_TRY(add_up(plan, &got));
  *timing = got;
  return MFFT_SUCCESS;
}

static mfft_status restart(mfft_plan plan, int unused) {
  (void)unused;
  memset(&plan->timing, 0, sizeof plan->timing);
  return mfft_trace_restart(plan->trace, plan->stream);
}

/* Attaches a trace to the transfers of both programs; NULL detaches. */
static mfft_status attach(mfft_plan plan, mfft_trace *trace) {
  static const char *const names[] = {[MFFT_FORWARD] = "forward", [MFFT_BACKWARD] = "backward"};
  int marks = 0;
  for (int direction = 0; direction < 2; direction++)
    MFFT_TRY(mfft_program_trace(&plan->program[direction], names[direction], trace, &marks));
  return mfft_trace_reserve(trace, marks);
}

static mfft_status trace(mfft_plan plan, int on) {
  if (on && plan->trace) return mfft_trace_restart(plan->trace, plan->stream);
  mfft_trace *trace = NULL;
  mfft_status status = MFFT_SUCCESS;
  if (on) {
    MFFT_TRY(mfft_trace_create(plan->backend->device ? plan->backend->device : &mfft_device_host, &trace));
    status = attach(plan, trace);
    if (status == MFFT_SUCCESS) status = mfft_trace_restart(trace, plan->stream);
    if (status == MFFT_SUCCESS) {
      plan->trace = trace;
      return status;
    }
  }
  attach(plan, NULL);
  mfft_trace_destroy(on ? trace : plan->trace);
  plan->trace = NULL;
  return status;
}

/* Calls a function while the plan's device is current. */
static mfft_status with_device_guard(mfft_plan plan, mfft_status (*call)(mfft_plan plan, int on), int on) {
  mfft_device_guard guard;
  MFFT_TRY(check(plan, plan, "plan"));
  MFFT_TRY(mfft_device_guard_enter(&plan->context, &guard));
  const mfft_status status = call(plan, on);
  mfft_device_guard_leave(&guard);
  return status;
}

mfft_status mfft_plan_trace(mfft_plan plan, int on) { return with_device_guard(plan, trace, on); }

mfft_status mfft_plan_timing_reset(mfft_plan plan) { return with_device_guard(plan, restart, 0); }

mfft_status mfft_plan_trace_count(mfft_plan plan, int64_t *count) {
  MFFT_TRY(check(plan, count, "count"));
  *count = mfft_trace_count(plan->trace);
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_trace_span(mfft_plan plan, int64_t i, mfft_span *span) {
  MFFT_TRY(check(plan, span, "span"));
  const int64_t count = mfft_trace_count(plan->trace);
  if (i < 0 || i >= count)
    return mfft_fail(MFFT_ERR_ARG, "i is %" PRId64 "; the time line has %" PRId64 " spans%s", i, count,
                     plan->trace ? "" : " before mfft_plan_trace switches it on");
  return get(plan, i, span);
}
