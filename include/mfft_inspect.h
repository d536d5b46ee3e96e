/* mfft_inspect.h: what a plan does, how it was chosen, its timing, and what the library finds on a machine.
 *
 * No call of this header is collective, and none changes what a plan computes.  Texts that a call returns belong to the
 * library or to the plan, as stated.  A call that writes a text into the caller's memory writes at most `size` bytes, always
 * with a terminating zero; `needed` (may be NULL) gets the bytes of the whole text with its zero, so a call with size 0
 * measures.  Errors of all calls: MFFT_ERR_ARG for a plan or a result that is NULL, and those that are named below. */
#ifndef MFFT_INSPECT_H
#define MFFT_INSPECT_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The plan as text ---------------------------------------------------------------------------------------------- */

/* Writes the plan as text: sizes, layout, backend and the stages of its programs. */
MFFT_API mfft_status mfft_plan_describe(mfft_plan plan, char *text, size_t size, size_t *needed);

/* The same text for the plan that mfft_plan_create would make.  For "cuda" no device is needed; without one, the kernels are
 * those for an H200.  Its lines give the passes of each transform, the bytes that they move and their estimated time.
 * Errors as mfft_plan_create. */
MFFT_API mfft_status mfft_plan_outline(const mfft_desc *desc, const mfft_options *options, char *text, size_t size,
                                       size_t *needed);

/* The word for a kind of an axis in these texts: "dft", "dct1" to "dct4", "dst1" to "dst4"; NULL for a value that is no
 * kind.  It belongs to the library. */
MFFT_API const char *mfft_axis_kind_name(mfft_axis_kind kind);

/* ---- How the plan was chosen ---------------------------------------------------------------------------------------
 *
 * By a rule, by timing candidates, or by wisdom of an earlier timing.
 *
 * A candidate is a list of words, "transport p2p grid 4x1 chunks auto overlap-split auto copy-blocks auto copy-lanes auto
 * wire full local rule": parameters and their values, in the sequence of the search.  Candidates of a local plan on "cuda"
 * are algorithms of its transforms ("cluster-8x16"), one transform after another.  FFTW's planner does not report its
 * candidates. */
typedef enum mfft_chosen { MFFT_CHOSEN_BY_RULE = 0, MFFT_CHOSEN_BY_TIMING = 1, MFFT_CHOSEN_FROM_WISDOM = 2 } mfft_chosen;

typedef struct mfft_trial {
  const char *parameter; /* the parameter that was varied; "rule": the plan without timing */
  const char *candidate; /* its parameters and values */
  double seconds;        /* of a forward and a backward transform on the slowest rank; on "cuda", of one local transform */
  const char *why_not;   /* the reason why it was not timed and seconds is 0; NULL: it was */
  int won;               /* 1: the candidate that was chosen */
} mfft_trial;

/* chosen: how the plan was chosen, and its candidate ("" if there is none).  trial_count: the number of candidates tried for
 * this plan, 0 if a rule or wisdom sufficed.  trial: candidate i, in the sequence of the trials; MFFT_ERR_ARG if there is
 * none.  The texts belong to the plan.  mfft_plan_describe prints the same.  For whole distributed plans the results are the
 * same on every rank. */
MFFT_API mfft_status mfft_plan_chosen(mfft_plan plan, mfft_chosen *by, const char **candidate);
MFFT_API mfft_status mfft_plan_trial_count(mfft_plan plan, int64_t *count);
MFFT_API mfft_status mfft_plan_trial(mfft_plan plan, int64_t i, mfft_trial *trial);

/* The wisdom of this process as text: that of the backends and that of timed distributed plans.  import adds to existing
 * wisdom, and refuses a damaged or foreign text with MFFT_ERR_CORRUPT and without any change.  mfft_mpi.h has calls for
 * wisdom in files. */
MFFT_API mfft_status mfft_wisdom_export(char *text, size_t size, size_t *needed);
MFFT_API mfft_status mfft_wisdom_import(const char *text);

/* ---- Time ---------------------------------------------------------------------------------------------------------- */

/* Seconds that this process has spent in executes of the plan since the last reset, by kind of stage.  `fft` is local
 * transforms and filters, `copy` packing, unpacking and permuting, `exchange` starting and waiting for messages.  On a
 * device, where calls return before their work is done, they are sums of the time line below over the plan's stream, and 0
 * while it is off. */
typedef struct mfft_timing {
  double fft, copy, exchange, total;
  int64_t executes;   /* a convolution whose directions are one program is one, else two */
  int64_t sent_bytes; /* to other ranks */
} mfft_timing;
MFFT_API mfft_status mfft_plan_timing(mfft_plan plan, mfft_timing *timing);
MFFT_API mfft_status mfft_plan_timing_reset(mfft_plan plan);

/* The time line of executes: what ran on which queue from when to when, which shows what overlaps.  It is off, and costs
 * nothing, by default; on a GPU every stage then records an event on its stream, which takes microseconds.
 *
 * A span is one stage on queue 0, the stream of the plan, or other work: copies that a transport runs on streams of its own,
 * and messages, from their start to the end of their wait.  Spans of one queue do not overlap.  Times are seconds since the
 * time line was switched on, by the clock of the device or host that ran the work; sent_bytes, on queues other than 0, are
 * those that this rank sends by the transfer, and sum up to mfft_timing.sent_bytes. */
typedef enum mfft_span_kind {
  MFFT_SPAN_FFT = 0, /* "fft": a local transform */
  MFFT_SPAN_COPY,    /* "copy": packing, unpacking, permuting */
  MFFT_SPAN_CONVERT, /* "convert": to or from messages of half the width */
  MFFT_SPAN_RESIZE,  /* "resize": to or from complex numbers of half the width */
  MFFT_SPAN_TWIDDLE, /* "twiddle": between the two transforms of the four-step method */
  MFFT_SPAN_OPEN,    /* "open": waiting until peers are ready; also on queues of transports */
  MFFT_SPAN_START,   /* "start": of one chunk of an exchange, or of a copy of a host array */
  MFFT_SPAN_WAIT,    /* "wait": until it has arrived */
  MFFT_SPAN_FILTER,  /* "filter": the spectrum times a function of k */
  /* Kinds on queues other than 0: */
  MFFT_SPAN_PEERS,    /* "peers": copies between ranks */
  MFFT_SPAN_HERE,     /* "here": copies that stay on this rank */
  MFFT_SPAN_MESSAGES, /* "messages" between ranks */
  MFFT_SPAN_UPLOAD,   /* "upload" of a part of an array on the host */
  MFFT_SPAN_DOWNLOAD, /* "download" of one */
  MFFT_SPAN_KINDS     /* the number of kinds */
} mfft_span_kind;

/* The name in quotes above; NULL if there is no such kind. */
MFFT_API const char *mfft_span_kind_name(mfft_span_kind kind);

typedef struct mfft_span {
  int queue;              /* 0: the stream of the plan */
  const char *queue_name; /* such as "forward exchange 0, start 1/4: to peers" */
  mfft_span_kind kind;
  const char *label;        /* such as "fft z,y" */
  mfft_direction direction; /* MFFT_FORWARD for those of a convolution whose directions are one program */
  int64_t execute;          /* number of the execute, from 0 */
  double start_s, end_s;
  int64_t sent_bytes;
} mfft_span;

/* on = 1 switches the time line on, or restarts it; 0 switches it off and deletes it.  Waits for the plan's stream.  Not
 * allowed while the stream is captured into a CUDA graph.  To compare ranks, switch it on twice, with a barrier between: the
 * first call may take long. */
MFFT_API mfft_status mfft_plan_trace(mfft_plan plan, int on);

/* The number of spans so far, and span i, in the sequence in which they were queued.  The texts belong to the plan and exist
 * as long as the time line.  Call mfft_plan_synchronize before: MFFT_ERR_STATE for a span that has not run. */
MFFT_API mfft_status mfft_plan_trace_count(mfft_plan plan, int64_t *count);
MFFT_API mfft_status mfft_plan_trace_span(mfft_plan plan, int64_t i, mfft_span *span);

/* ---- The machine --------------------------------------------------------------------------------------------------- */

/* The version of the running library, as MFFT_VERSION of the header from which it was built. */
MFFT_API int mfft_version(void);

/* The backends of this build, in order of preference.  name(i) is NULL for i >= count.  `usable` says whether the machine
 * can run it now; if not, `why` (may be NULL, else of `size` bytes) gets the reason. */
MFFT_API int mfft_backend_count(void);
MFFT_API const char *mfft_backend_name(int i);
MFFT_API int mfft_backend_usable(const char *name, char *why, size_t size);

/* Environment variable number i that mergefft reads: returns 1 and its name, default ("": none) and help, or 0 if there is
 * no variable i.  The texts belong to the library. */
MFFT_API int mfft_environment_variable(int i, const char **name, const char **fallback, const char **help);

/* The smallest length >= n whose prime factors are all among 2, 3, 5 and 7, which every backend transforms fastest.  Returns
 * n itself for n <= 1, and -1 if the result would exceed 2^62. */
MFFT_API int64_t mfft_next_fast_length(int64_t n);

/* ---- Texts from outside -------------------------------------------------------------------------------------------- */

/* A text from outside, such as the name of a dataset or its units, as it can be shown on a terminal or in a log.  Control
 * characters, line breaks, bytes that are not valid UTF-8 and invisible marks (such as those of writing direction) become
 * \n, \x1b, \xff, \u202e and the like; everything else is unchanged, including letters of every language and backslashes, so
 * a second call changes nothing.  Writes at most `size` bytes to out[size], the terminating zero included and never a part
 * of a character.  Returns the length of the whole text without the zero; `size` 0, with any `out`, only measures.  NULL
 * counts as "".  The messages of mfft_last_error and the library's lines on stderr are escaped already. */
MFFT_API size_t mfft_escape(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
