#include "plot/timeline.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_inspect.h"

/* Collects the spans of this rank. */
static mfft_status collect(mfft_plan plan, mfft_timeline_span **spans, int64_t *count) {
  mfft_status status = mfft_plan_trace_count(plan, count);
  if (status != MFFT_SUCCESS) return status;
  *spans = calloc((size_t)*count + 1, sizeof **spans);
  if (!*spans) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %lld spans", (long long)*count);
  for (int64_t i = 0; i < *count && status == MFFT_SUCCESS; i++) {
    mfft_span span;
    mfft_timeline_span *s = &(*spans)[i];
    status = mfft_plan_trace_span(plan, i, &span);
    if (status != MFFT_SUCCESS) break;
    s->rank = mfft_app_rank();
    s->queue = span.queue;
    s->kind = span.kind;
    s->backward = span.direction == MFFT_BACKWARD;
    s->start_s = span.start_s;
    s->end_s = span.end_s;
    s->sent_bytes = span.sent_bytes;
    strncat(s->queue_name, span.queue_name, sizeof s->queue_name - 1);
    strncat(s->label, span.label, sizeof s->label - 1);
  }
  return status;
}

/* Gathers the spans of all ranks on rank 0. */
static mfft_status gather(mfft_timeline_span *mine, int64_t count, mfft_timeline *t) {
  const int ranks = mfft_app_ranks(), rank = mfft_app_rank();
  const int bytes = (int)((size_t)count * sizeof *mine);
  int *all = calloc(2 * (size_t)ranks, sizeof *all), *at = all ? all + ranks : NULL; /* [ranks] bytes and places */
  int failed = mfft_app_anywhere(!all);
  if (!failed) {
    int64_t total = 0;
    all[rank] = bytes;
    mfft_app_reduce(all, ranks, MPI_INT, MPI_SUM, "collecting the lengths of time lines");
    for (int r = 0; r < ranks && rank == 0; r++) {
      at[r] = (int)total;
      total += all[r];
    }
    t->span = rank == 0 ? malloc((size_t)total + 1) : NULL;
    t->count = total / (int64_t)sizeof *mine;
    failed = mfft_app_anywhere(rank == 0 && (!t->span || total > INT32_MAX));
    if (!failed) mfft_app_gather(mine, bytes, t->span, all, at, "collecting time lines");
  }
  free(all);
  return failed ? mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the time lines of %d ranks", ranks) : MFFT_SUCCESS;
}

mfft_status mfft_timeline_gather(mfft_timeline_span *mine, int64_t count, const char *title, mfft_timeline *timeline) {
  mfft_timeline t = {.ranks = mfft_app_ranks()};
  strncat(t.title, title, sizeof t.title - 1);
  const mfft_status status = gather(mine, count, &t);
  if (status == MFFT_SUCCESS)
    *timeline = t;
  else
    free(t.span);
  return status;
}

mfft_status mfft_timeline_record(mfft_plan plan, mfft_status (*run)(void *context), void *context, const char *title,
                                 mfft_timeline *timeline) {
  mfft_timeline_span *mine = NULL;
  int64_t count = 0;
  mfft_status status = mfft_plan_trace(plan, 1);
  for (int i = 0; i < 2 && status == MFFT_SUCCESS; i++) status = run(context);
  mfft_app_barrier("the start of a time line");
  if (status == MFFT_SUCCESS) status = mfft_plan_trace(plan, 1);
  if (status == MFFT_SUCCESS) status = run(context);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(plan);
  if (status == MFFT_SUCCESS) status = collect(plan, &mine, &count);
  const int failed = mfft_app_anywhere(status != MFFT_SUCCESS);
  if (failed && status == MFFT_SUCCESS) status = mfft_app_fail(MFFT_ERR_STATE, "another rank has no time line");
  if (status == MFFT_SUCCESS) status = mfft_timeline_gather(mine, count, title, timeline);
  free(mine);
  return status;
}

const char *mfft_timeline_kind_name(const mfft_timeline *t, int kind) {
  return t->job ? mfft_phase_name((mfft_job_phase)kind) : mfft_span_kind_name((mfft_span_kind)kind);
}

void mfft_timeline_destroy(mfft_timeline *timeline) {
  free(timeline->span);
  *timeline = (mfft_timeline){0};
}

/* ---- For trace viewers ------------------------------------------------------------------------------------------------ */

static void name_event(mfft_json *json, const char *what, int process, int thread, const char *name) {
  mfft_json_object(json, NULL);
  mfft_json_string(json, "name", what);
  mfft_json_string(json, "ph", "M");
  mfft_json_integer(json, "pid", process);
  mfft_json_integer(json, "tid", thread);
  mfft_json_object(json, "args");
  mfft_json_string(json, "name", name);
  mfft_json_end(json);
  mfft_json_end(json);
}

static int is_first_of_queue(const mfft_timeline *t, int64_t i) {
  for (int64_t j = i - 1; j >= 0 && t->span[j].rank == t->span[i].rank; j--)
    if (t->span[j].queue == t->span[i].queue) return 0;
  return 1;
}

void mfft_timeline_json(const mfft_timeline *t, int first_process, mfft_json *json) {
  for (int rank = 0; rank < t->ranks; rank++) {
    char name[MFFT_TIMELINE_TEXT + sizeof t->title];
    snprintf(name, sizeof name, "rank %d: %s", rank, t->title);
    name_event(json, "process_name", first_process + rank, 0, name);
  }
  for (int64_t i = 0; i < t->count; i++) {
    const mfft_timeline_span *s = &t->span[i];
    const int process = first_process + s->rank;
    const char *kind = mfft_timeline_kind_name(t, s->kind);
    if (is_first_of_queue(t, i)) name_event(json, "thread_name", process, s->queue, s->queue_name);
    mfft_json_object(json, NULL);
    mfft_json_string(json, "name", s->queue ? kind : s->label);
    mfft_json_string(json, "cat", kind);
    mfft_json_string(json, "ph", "X");
    mfft_json_number(json, "ts", 1e6 * s->start_s);
    mfft_json_number(json, "dur", 1e6 * (s->end_s - s->start_s));
    mfft_json_integer(json, "pid", process);
    mfft_json_integer(json, "tid", s->queue);
    mfft_json_object(json, "args");
    mfft_json_string(json, "label", s->label);
    mfft_json_string(json, "direction", s->backward ? "backward" : "forward");
    mfft_json_integer(json, "sent_bytes", s->sent_bytes);
    mfft_json_end(json);
    mfft_json_end(json);
  }
}
