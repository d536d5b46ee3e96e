/* mfft_inspect.h: what a plan does, how it was chosen, where its time goes, and what the library finds on a machine.
 *
 * No call of this header is collective, and none changes what a plan computes.  Texts that a call returns belong to the
 * library or to the plan, as it says.  Where a call writes a text into the caller's memory it writes at most `size` bytes,
 * always ended by a zero; `needed` (may be NULL) gets the bytes of the whole text with its zero, so that a call with size 0
 * measures.
 */
#ifndef MFFT_INSPECT_H
#define MFFT_INSPECT_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The plan as text ---------------------------------------------------------------------------------------------- */

/* Writes the plan as text: sizes, layout, backend and the two programs stage by stage. */
MFFT_API mfft_status mfft_plan_describe(mfft_plan plan, char *text, size_t size, size_t *needed);

/* The same text for what mfft_plan_create would make of a descriptor and options.  "cuda" needs no device for it: without
 * one, its kernels are those for an H200.  Its lines tell the passes of each transform, the bytes that they move and the
 * time that this should take.  Errors as mfft_plan_create. */
MFFT_API mfft_status mfft_plan_outline(const mfft_desc *desc, const mfft_options *options, char *text, size_t size,
                                       size_t *needed);

/* ---- How the plan was chosen ---------------------------------------------------------------------------------------
 *
 * By a rule, by timing candidates, or by the wisdom of an earlier timing.
 *
 * A candidate is a list of words, "transport p2p grid 4x1 chunks auto overlap-split auto copy-blocks auto copy-lanes auto
 * wire full local rule": parameters and their values, in the order in which they are searched.  Those of a local plan on
 * "cuda" are algorithms of its transforms ("cluster-8x16"), one transform after the other.  FFTW's planner measures by
 * itself and tells no candidates. */
typedef enum mfft_chosen { MFFT_CHOSEN_BY_RULE = 0, MFFT_CHOSEN_BY_TIMING = 1, MFFT_CHOSEN_FROM_WISDOM = 2 } mfft_chosen;

typedef struct mfft_trial {
  const char *parameter; /* what was varied; "rule" for what the plan would be without timing */
  const char *candidate; /* its words */
  double seconds;        /* of a forward and a backward transform, on the slowest rank; one local transform of "cuda" */
  const char *why_not;   /* why it was not timed, and seconds are 0; NULL where it was */
  int won;
} mfft_trial;

/* chosen: how the plan was chosen, and the candidate that it is ("" where no more is to be said).  trial_count: the number
 * of candidates that were tried for this plan, 0 where a rule or wisdom was enough.  trial: candidate i, in the order of
 * trial; MFFT_ERR_ARG for one that is not there.  The texts belong to the plan.  mfft_plan_describe writes the same.  Where
 * whole distributed plans were timed every rank has the same answers. */
MFFT_API mfft_status mfft_plan_chosen(mfft_plan plan, mfft_chosen *by, const char **candidate);
MFFT_API mfft_status mfft_plan_trial_count(mfft_plan plan, int64_t *count);
MFFT_API mfft_status mfft_plan_trial(mfft_plan plan, int64_t i, mfft_trial *trial);

/* What planning has learnt in this process, as text: wisdom of the backends and of timed distributed plans.  import adds to
 * what is known, and refuses a damaged or foreign text with MFFT_ERR_CORRUPT, with nothing changed.  mfft_mpi.h has the
 * calls that keep wisdom in a file. */
MFFT_API mfft_status mfft_wisdom_export(char *text, size_t size, size_t *needed);
MFFT_API mfft_status mfft_wisdom_import(const char *text);

/* ---- Time ---------------------------------------------------------------------------------------------------------- */

/* Seconds that this process has spent in executes of the plan since the last reset, by kind of stage.  `fft` is local
 * transforms and filters, `copy` packing, unpacking and permuting, `exchange` starting and waiting for messages.  On a
 * device, where a call returns before its work is done, they are the sums of the time line below over what ran on the plan's
 * stream, and 0 while it is off. */
typedef struct mfft_timing {
  double fft, copy, exchange, total;
  int64_t executes;
  int64_t sent_bytes; /* to other ranks */
} mfft_timing;
MFFT_API mfft_status mfft_plan_timing(mfft_plan plan, mfft_timing *timing);
MFFT_API mfft_status mfft_plan_timing_reset(mfft_plan plan);

/* The time line of executes: what ran on which queue from when to when, so that one sees what overlaps.  It is off, and
 * costs nothing, until it is asked for: on a GPU every stage then leaves an event on its stream, which takes microseconds.
 *
 * A span is one stage on queue 0, the stream of the plan, or work beside it: copies that a transport runs on queues of its
 * own, and messages, from their start to the end of their wait.  Spans of one queue do not overlap.  kind is that of a stage
 * ("fft", "copy", "convert", "resize", "twiddle", "open", "start", "wait", "filter"), or beside the stream "open" (waiting
 * until peers are ready), "peers" (copies between ranks), "here" (copies that stay on a rank), "messages".  Times are
 * seconds since the time line was switched on, by the clock of what ran it; sent_bytes, on spans beside the stream, are
 * those that leave this rank with the transfer, and add up to mfft_timing.sent_bytes. */
typedef struct mfft_span {
  int queue;              /* 0: the stream of the plan */
  const char *queue_name; /* such as "forward exchange 0, start 1/4: to peers" */
  const char *kind, *label;
  mfft_direction direction;
  int64_t execute; /* the number of the execute, from 0 */
  double start_s, end_s;
  int64_t sent_bytes;
} mfft_span;

/* on = 1 switches the time line on, or makes it begin anew; 0 switches it off and forgets it.  Waits for the plan's stream.
 * Not while the stream is captured into a CUDA graph.  To compare ranks, switch it on twice, with a barrier between: the
 * first call may take its time. */
MFFT_API mfft_status mfft_plan_trace(mfft_plan plan, int on);

/* The number of spans so far, and span i, in the order in which they were queued.  The texts belong to the plan and live as
 * long as the time line.  Call mfft_plan_synchronize before: MFFT_ERR_STATE for a span that has not run. */
MFFT_API mfft_status mfft_plan_trace_count(mfft_plan plan, int64_t *count);
MFFT_API mfft_status mfft_plan_trace_span(mfft_plan plan, int64_t i, mfft_span *span);

/* ---- The machine --------------------------------------------------------------------------------------------------- */

/* The version of the library that is running, as MFFT_VERSION of the header it was built from. */
MFFT_API int mfft_version(void);

/* The backends of this build, in order of preference.  name(i) is NULL for i >= count.  `usable` says whether the machine
 * can run it now; where it cannot, `why` (may be NULL, else of `size` bytes) tells the reason. */
MFFT_API int mfft_backend_count(void);
MFFT_API const char *mfft_backend_name(int i);
MFFT_API int mfft_backend_usable(const char *name, char *why, size_t size);

/* Environment variable number i that mergefft reads: 1 and its name, default ("" for none) and help, or 0 for any i beyond
 * the last.  The texts belong to the library. */
MFFT_API int mfft_environment_variable(int i, const char **name, const char **fallback, const char **help);

/* The smallest length >= n whose prime factors are all among 2, 3, 5 and 7: the lengths that every backend does fastest.
 * Returns n itself for n <= 1, and -1 where the result would pass 2^62. */
MFFT_API int64_t mfft_next_fast_length(int64_t n);

/* ---- Texts from outside -------------------------------------------------------------------------------------------- */

/* A text from outside, such as the name of a dataset or its units, as it can be shown on a terminal or in a log: control
 * characters, line breaks, bytes that are no UTF-8 and invisible marks (of the direction of writing, for one) become \n,
 * \x1b, \xff, \u202e and the like; all else stays, letters of every language and backslashes too, so that a second call
 * changes nothing.  Puts at most `size` bytes into out[size], the terminating zero included and never a part of a character.
 * Returns the length of the whole, without the zero; `size` 0, with any `out`, only measures.  NULL counts as "".  Error
 * messages of mfft_last_error and the lines that the library writes to stderr have been through it. */
MFFT_API size_t mfft_escape(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
