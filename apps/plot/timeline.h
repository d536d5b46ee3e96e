/* timeline.h: the time lines of all ranks, of a transform for `mergefft bench` or of a whole command: collected, written
 * for trace viewers, drawn.
 *
 * A row of the picture is what one rank does at a time: its stream, copies to peers, copies that stay, messages; chunks that
 * are under way together stand in rows below each other. */
#ifndef MFFT_APPS_TIMELINE_H
#define MFFT_APPS_TIMELINE_H

#include "io/json.h"
#include "mfft.h"

enum { MFFT_TIMELINE_TEXT = 64 };

/* An mfft_span, or a span of a job, with texts of its own, to be sent to rank 0. */
typedef struct mfft_timeline_span {
  char queue_name[MFFT_TIMELINE_TEXT], label[MFFT_TIMELINE_TEXT];
  int kind; /* an mfft_span_kind, or an mfft_job_phase of a job */
  int rank, queue;
  int backward;
  double start_s, end_s;
  int64_t sent_bytes;
} mfft_timeline_span;

typedef struct mfft_timeline {
  char title[160];
  mfft_timeline_span *span; /* [count] on rank 0, NULL elsewhere; rank by rank, in the order in which they were queued */
  int64_t count;
  int ranks;
  int job; /* 1: of a whole command, whose spans are phases of it; 0: of an execute of a plan */
} mfft_timeline;

/* Runs `run`, twice before it is traced and once traced from a barrier on, and collects the spans of all ranks on rank 0.
 * `run` queues executes of the plan.  Collective. */
mfft_status mfft_timeline_record(mfft_plan plan, mfft_status (*run)(void *context), void *context, const char *title,
                                 mfft_timeline *timeline);
/* The spans of all ranks on rank 0, of those that the caller has.  Collective. */
mfft_status mfft_timeline_gather(mfft_timeline_span *mine /* [count] */, int64_t count, const char *title,
                                 mfft_timeline *timeline);
/* The name of the kind of a span. */
const char *mfft_timeline_kind_name(const mfft_timeline *timeline, int kind);

void mfft_timeline_destroy(mfft_timeline *timeline); /* accepts a zeroed one */

/* The spans as events of the format of Chrome's tracing, which Perfetto reads too; process `first_process` + rank.  Inside
 * an array.  Rank 0. */
void mfft_timeline_json(const mfft_timeline *timeline, int first_process, mfft_json *json);

/* Draws the time line and writes it to `path`, which has one of the endings of pictures.  Rank 0. */
mfft_status mfft_timeline_save(const mfft_timeline *timeline, const char *path);

#endif
