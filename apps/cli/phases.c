/* phases.c: see phases.h. */
#include "cli/phases.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/process.h"

static const char *const phase_names[] = {
#define MFFT_X(constant, name, help) name,
    MFFT_PHASE_LIST(MFFT_X)
#undef MFFT_X
};

const char *mfft_phase_name(mfft_job_phase phase) { return phase_names[phase]; }

static struct {
  int begun;
  mfft_job_phase phase;   /* phase of the main thread, */
  double since;           /* and since when */
  double processor_since; /* processor seconds of the main thread at that time, 0 at its start */
  mfft_phase_times times; /* booked for each phase */
} record;

/* Spans of all threads. */
enum { MOST_SPANS = 1 << 16, THREADS = 64 };
static const double shortest_gap_s = 2e-3; /* spans of one phase that are closer are drawn as one */
static struct {
  pthread_mutex_t mutex;
  int dropping; /* 1: no spans are recorded */
  mfft_phase_span *span;
  int64_t count, capacity, dropped;
  int64_t last[THREADS]; /* 1 + the index of a thread's last span; 0: none */
} recorded = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Allocates memory for one more span; 0 if there is none. */
static int reserve_span(void) {
  if (recorded.count < recorded.capacity) return 1;
  const int64_t capacity = recorded.capacity ? 2 * recorded.capacity : 256;
  mfft_phase_span *more = capacity <= MOST_SPANS ? realloc(recorded.span, (size_t)capacity * sizeof *more) : NULL;
  if (!more) return 0;
  recorded.span = more;
  recorded.capacity = capacity;
  return 1;
}

/* The last span of a thread if the next one only extends it, or NULL. */
static mfft_phase_span *joins(int thread, mfft_job_phase phase, double start_s) {
  const int64_t last = thread < THREADS ? recorded.last[thread] : 0;
  mfft_phase_span *span = last ? &recorded.span[last - 1] : NULL;
  return span && span->phase == phase && start_s - span->end_s < shortest_gap_s ? span : NULL;
}

void mfft_phase_span_add(int thread, mfft_job_phase phase, double start_s, double end_s) {
  pthread_mutex_lock(&recorded.mutex);
  mfft_phase_span *before = recorded.dropping ? NULL : joins(thread, phase, start_s);
  if (before)
    before->end_s = end_s;
  else if (recorded.dropping || !reserve_span())
    recorded.dropped += !recorded.dropping;
  else {
    recorded.span[recorded.count++] = (mfft_phase_span){thread, phase, start_s, end_s};
    if (thread < THREADS) recorded.last[thread] = recorded.count;
  }
  pthread_mutex_unlock(&recorded.mutex);
}

void mfft_phase_spans_keep(int keep) {
  pthread_mutex_lock(&recorded.mutex);
  recorded.dropping = !keep;
  if (!keep) {
    free(recorded.span);
    recorded.span = NULL;
    recorded.count = recorded.capacity = 0;
    memset(recorded.last, 0, sizeof recorded.last);
  }
  pthread_mutex_unlock(&recorded.mutex);
}

const mfft_phase_span *mfft_phase_spans(int64_t *count, int64_t *dropped) {
  *count = recorded.count;
  *dropped = recorded.dropped;
  return recorded.span;
}

void mfft_phases_begin(void) {
  if (record.begun) return;
  record.begun = 1;
  record.phase = MFFT_PHASE_START;
  record.since = mfft_process_started();
}

/* Adds the time until now to the current phase. */
static void book(void) {
  mfft_phases_begin();
  const double now = mfft_process_now(), processor = mfft_process_thread_s();
  record.times.seconds[record.phase] += now - record.since;
  record.times.processor[record.phase] += processor - record.processor_since;
  mfft_phase_span_add(0, record.phase, record.since, now);
  record.since = now;
  record.processor_since = processor;
}

mfft_job_phase mfft_phase_enter(mfft_job_phase phase) {
  const mfft_job_phase before = record.phase; /* at first "start" */
  if (phase == before && record.begun) return before;
  book();
  record.phase = phase;
  return before;
}

void mfft_phase_wait(int begins) {
  const mfft_job_phase from = begins ? MFFT_PHASE_OTHER : MFFT_PHASE_WAIT, to = begins ? MFFT_PHASE_WAIT : MFFT_PHASE_OTHER;
  if (record.phase == from) mfft_phase_enter(to);
}

void mfft_phase_move(mfft_job_phase from, mfft_job_phase to, double seconds) {
  book();
  if (seconds > record.times.seconds[from]) seconds = record.times.seconds[from];
  if (!(seconds > 0)) return;
  const double processor = record.times.processor[from] * (seconds / record.times.seconds[from]);
  record.times.processor[from] -= processor;
  record.times.processor[to] += processor;
  record.times.seconds[from] -= seconds;
  record.times.seconds[to] += seconds;
}

void mfft_phases_times(mfft_phase_times *times) {
  book();
  *times = record.times;
}
