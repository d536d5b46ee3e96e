/* buffers.c: see buffers.h.  The search tries every combination of legal steps; there are few. */
#include "plan/buffers.h"

#include <float.h>
#include <string.h>

#define IN     MFFT_ASSIGN_INPUT
#define DATA   MFFT_ASSIGN_DATA
#define WORK   MFFT_ASSIGN_WORK
#define BESIDE MFFT_ASSIGN_BESIDE
#define CHUNK  MFFT_ASSIGN_CHUNK
#define NONE   MFFT_ASSIGN_NONE

/* Every legal exchange, by the buffer of the array and by whether this rank packs and unpacks.  From the input there are
 * no conflicts.  Between DATA and WORK the received data goes where the source was: if anything is packed, all sends come
 * from the area, and if anything is unpacked, all receives go to the area. */
typedef struct rule {
  mfft_buffer_assignment from;
  int packs, unpacks;
  mfft_move move;
} rule;

static const rule rules[] = {
    {IN, 0, 0, {DATA, NONE, NONE, 0, 0}},     {IN, 0, 0, {WORK, NONE, NONE, 0, 0}},
    {IN, 1, 0, {DATA, WORK, NONE, 0, 0}},     {IN, 1, 0, {WORK, DATA, NONE, 0, 0}},
    {IN, 0, 1, {DATA, NONE, WORK, 0, 0}},     {IN, 0, 1, {WORK, NONE, DATA, 0, 0}},
    {IN, 1, 1, {DATA, DATA, WORK, 0, 1}},     {IN, 1, 1, {WORK, WORK, DATA, 0, 1}},

    {DATA, 0, 0, {WORK, NONE, NONE, 0, 0}},   {WORK, 0, 0, {DATA, NONE, NONE, 0, 0}},
    {DATA, 1, 0, {DATA, WORK, NONE, 1, 0}},   {WORK, 1, 0, {WORK, DATA, NONE, 1, 0}},
    {DATA, 0, 1, {DATA, NONE, WORK, 0, 1}},   {WORK, 0, 1, {WORK, NONE, DATA, 0, 1}},
    {DATA, 1, 1, {WORK, WORK, DATA, 1, 1}},   {WORK, 1, 1, {DATA, DATA, WORK, 1, 1}},

    {CHUNK, 1, 0, {DATA, WORK, NONE, 1, 0}},

    {WORK, 0, 0, {BESIDE, NONE, NONE, 0, 0}}, {BESIDE, 0, 0, {WORK, NONE, NONE, 0, 0}},
    {BESIDE, 0, 0, {DATA, NONE, NONE, 0, 0}},
};
enum { RULES = sizeof rules / sizeof rules[0] };

typedef struct search {
  const mfft_step_needs *steps;
  int count;
  mfft_origin origin;
  int64_t data_bytes;
  int beside;
  mfft_choice now[MFFT_MAX_STEPS], best[MFFT_MAX_STEPS]; /* [count] */
  double least;
} search;

/* An array or area that does not fit in DATA needs the spare memory, which is to be avoided. */
static double cost_of(const search *s, mfft_buffer_assignment to, int64_t bytes) {
  return to == DATA && bytes > s->data_bytes ? 100 : 0;
}

/* Whether an array that is assigned to `to` is in memory that peers have mapped. */
static int in_window(mfft_buffer_assignment to) { return to == WORK || to == BESIDE; }

/* A direction in place whose only exchange is between two transforms, or at an end. */
static int of_one_exchange(const search *s) { return s->origin == MFFT_ORIGIN_IN_PLACE && s->count == 2; }

/* Cost of an FFT whose output overwrites the source of the exchange before it: the FFT then has to wait for all chunks.
 * Counted only if BESIDE offers an alternative. */
static double cost_of_waiting(const search *s, int i, mfft_buffer_assignment out) {
  return s->beside && !of_one_exchange(s) && i > 0 && s->steps[i - 1].followed && s->now[i - 1].fft_out == out ? 0.5 : 0;
}

/* Cost of the second array of workspace, which transforms in place are asked for to save. */
static double cost_of_beside(const search *s, mfft_buffer_assignment to) {
  return to != BESIDE ? 0 : of_one_exchange(s) ? 2 : 0.2;
}

/* In place one of the two transforms of a direction with one exchange cannot overlap it: the first if data arrives in its
 * input, so that copies start when all of it is transformed; the second if it overwrites what the exchange sends.  It should
 * be that of fewer axes. */
static double cost_of_apart(const search *s, int i, mfft_buffer_assignment fft_in, mfft_buffer_assignment out,
                            mfft_buffer_assignment to) {
  const int late = i == 0 && to == fft_in, waits = i > 0 && s->now[i - 1].fft_out == out;
  return of_one_exchange(s) && (late || waits) ? 0.25 * s->steps[i].axes : 0;
}

static void try_fft(search *s, int i, mfft_buffer_assignment at, double cost);

/* An exchange at half the width without an extra pass.  DATA holds intermediate results of the FFT before it, and the
 * exchange does not read from WORK, where its result goes. */
static void try_narrow_exchange(search *s, int i, mfft_buffer_assignment fft_in, mfft_buffer_assignment at, double cost) {
  const mfft_step_needs *step = &s->steps[i];
  s->now[i].move = (mfft_move){WORK, NONE, NONE, 0, 0};
  s->now[i].stored = 0;
  s->now[i].stored_own = 1;
  const int separate = at == DATA || (at == IN && !step->transforms);
  if (separate && (fft_in != WORK || (i > 0 && step[-1].narrows))) try_fft(s, i + 1, WORK, cost);
}

/* Copies of a rule beyond those that the step needs. */
static int more_copies(const mfft_step_needs *step, const rule *r) {
  return r->packs + r->unpacks - step->packs - step->unpacks;
}

/* Whether the exchange of a step can use this rule for an array in `at`. */
static int rule_fits(const search *s, const mfft_step_needs *step, const rule *r, mfft_buffer_assignment at) {
  if (r->from != at || r->packs < step->packs || r->unpacks < step->unpacks) return 0;
  if (step->direct && (more_copies(step, r) || (!in_window(at) && !in_window(r->move.out)))) return 0;
  return (at != BESIDE && r->move.out != BESIDE) || (s->beside && step->direct);
}

/* Whether the FFT before an exchange can store the part of its own rank where the exchange would copy it, reading from
 * `fft_in` and writing to `at`. */
static int can_store_own(const mfft_step_needs *step, const rule *r, mfft_buffer_assignment fft_in,
                         mfft_buffer_assignment at) {
  return step->stores_own && !more_copies(step, r) && fft_in != at && at != CHUNK && r->move.out != fft_in &&
         r->move.out != at;
}

static void try_exchange(search *s, int i, mfft_buffer_assignment fft_in, mfft_buffer_assignment at, double cost) {
  const mfft_step_needs *step = &s->steps[i];
  if (step->narrows) {
    try_narrow_exchange(s, i, fft_in, at, cost);
    return;
  }
  for (const rule *r = rules; r < rules + RULES; r++) {
    if (!rule_fits(s, step, r, at)) continue;
    mfft_choice *now = &s->now[i];
    now->move = r->move;
    now->stored = step->stores && fft_in != WORK && at != WORK && r->move.out == WORK; /* saves a pass */
    now->stored_own = !now->stored && can_store_own(step, r, fft_in, at);              /* saves a copy */
    const int64_t next = s->steps[i + 1].before_bytes;
    try_fft(s, i + 1, r->move.out,
            cost + cost_of_apart(s, i, fft_in, at, r->move.out) + 3 * more_copies(step, r) + cost_of_beside(s, r->move.out) -
                2 * now->stored - 0.1 * now->stored_own + cost_of(s, r->move.out, next) +
                cost_of(s, r->move.send, step->after_bytes) + cost_of(s, r->move.recv, next));
  }
}

static void try_fft(search *s, int i, mfft_buffer_assignment at, double cost) {
  const mfft_step_needs *step = &s->steps[i];
  int last = i == s->count - 1;
  /* One chunk at a time keeps a packed exchange in the cache and leaves DATA unused; in place comes next; the others are
   * equal. */
  const struct {
    mfft_buffer_assignment out;
    int legal;
    double cost;
  } option[] = {
      {CHUNK, !last && step->transforms && step->chunked && step->packs && !step->unpacks && at == IN, 0},
      {at, !step->transforms || (!step->moves && (at != IN || s->origin == MFFT_ORIGIN_SPARE)), 1},
      {WORK, step->transforms && at != WORK, 1.1},
      {DATA, step->transforms && at != DATA, 1.1},
      {BESIDE, i == 0 && step->transforms && at == IN && s->beside && step->direct, 1.29}, /* then to WORK, as below */
      {DATA, last && !step->transforms && in_window(at), 4}, /* a copy: only between direct exchanges of a real array */
  };
  for (size_t w = 0; w < sizeof option / sizeof option[0]; w++) {
    if (!option[w].legal) continue;
    double total =
        cost + option[w].cost + cost_of(s, option[w].out, step->after_bytes) + cost_of_waiting(s, i, option[w].out);
    if (last) total += cost_of_apart(s, i, at, option[w].out, NONE);
    s->now[i].fft_out = option[w].out;
    if (!last) {
      try_exchange(s, i, at, option[w].out, total);
    } else if (option[w].out == DATA && total < s->least) {
      s->least = total;
      memcpy(s->best, s->now, sizeof s->best);
    }
  }
}

int mfft_buffers_search(const mfft_step_needs *steps, int count, mfft_origin origin, int64_t data_bytes, int beside,
                        mfft_choice *choices) {
  search s = {
      .steps = steps, .count = count, .origin = origin, .data_bytes = data_bytes, .beside = beside, .least = DBL_MAX};
  try_fft(&s, 0, origin == MFFT_ORIGIN_IN_PLACE ? DATA : IN, 0);
  if (s.least == DBL_MAX) return 0;
  memcpy(choices, s.best, (size_t)count * sizeof *choices);
  return 1;
}
