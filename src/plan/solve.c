/* solve.c: see solve.h. */
#include "plan/solve.h"

#include <string.h>

/* ---- Stages of both directions --------------------------------------------------------------------------------------- */

static int same_place(mfft_place a, mfft_place b) { return a.buffer == b.buffer && a.offset_bytes == b.offset_bytes; }

/* The first stage of a kind; the number of stages if there is none. */
static int first_of(const mfft_program *p, mfft_stage_kind kind) {
  int i = 0;
  while (i < p->count && p->stage[i].kind != kind) i++;
  return i;
}

/* The stage after the last START. */
static int after_starts(const mfft_program *p) {
  int end = p->count;
  while (end > 0 && p->stage[end - 1].kind != MFFT_STAGE_START) end--;
  return end;
}

/* Whether stages [first, end) are of two kinds. */
static int have_kinds(const mfft_program *p, int first, int end, mfft_stage_kind one, mfft_stage_kind other) {
  for (int i = first; i < end; i++)
    if (p->stage[i].kind != one && p->stage[i].kind != other) return 0;
  return first < end;
}

static const mfft_fft_spec *spec_of(mfft_plan plan, const mfft_stage *stage) {
  for (int i = 0; i < plan->nffts; i++)
    if (plan->fft[i] == stage->fft) return &plan->spec[i];
  return NULL;
}

static int is_plain_line(const mfft_fft_spec *s) {
  return s && s->type == MFFT_FFT_C2C && s->naxes == 1 && !s->kind[0] && !s->given[0] && !s->wire && !s->radices[0] &&
         (s->precision == MFFT_SINGLE || s->precision == MFFT_DOUBLE);
}

/* Whether a stage forward transforms lines in place and is nothing else. */
static int transforms_in_place(mfft_plan plan, const mfft_stage *stage) {
  const mfft_fft_spec *s = spec_of(plan, stage);
  return is_plain_line(s) && same_place(stage->in, stage->out) && !stage->shares && !stage->transfer &&
         stage->touch[1].rows && !s->filtered && s->scale == 1 && s->axis[0].is == s->axis[0].os;
}

/* The spec of both transforms of the lines of a stage backward; 0: there is none. */
static int find_round_trip(mfft_plan plan, const mfft_stage *stage, mfft_fft_spec *both) {
  const mfft_fft_spec *s = spec_of(plan, stage);
  if (!is_plain_line(s) || stage->transfer || !stage->touch[0].rows || s->filtered != MFFT_FILTER_INPUT) return 0;
  *both = *s;
  both->direction = MFFT_FORWARD;
  both->filtered = MFFT_FILTER_BETWEEN;
  both->convolved = MFFT_CONVOLVED_BY_FILTER;
  return plan->backend->fuses(both);
}

/* The stages that the program is made of. */
typedef struct pieces {
  const mfft_program *forward, *backward;
  int last_lines; /* forward: from this stage on lines arrive and are transformed */
  int first_wait; /* backward: before this stage they are transformed and sent */
} pieces;

/* Whether the stages of both directions can be made one program. */
static int find_pieces(mfft_plan plan, pieces *p) {
  int64_t bytes[2] = {0, 0}; /* [direction] of the lines */
  mfft_fft_spec both;
  *p = (pieces){.forward = &plan->program[MFFT_FORWARD], .backward = &plan->program[MFFT_BACKWARD]};
  p->last_lines = after_starts(p->forward);
  p->first_wait = first_of(p->backward, MFFT_STAGE_WAIT);
  if (!have_kinds(p->forward, p->last_lines, p->forward->count, MFFT_STAGE_WAIT, MFFT_STAGE_FFT)) return 0;
  if (!have_kinds(p->backward, 0, p->first_wait, MFFT_STAGE_FFT, MFFT_STAGE_START)) return 0;
  if (p->backward->stage[0].kind != MFFT_STAGE_FFT) return 0;
  for (int i = p->last_lines; i < p->forward->count; i++) {
    const mfft_stage *s = &p->forward->stage[i];
    if (s->kind != MFFT_STAGE_FFT) continue;
    if (!transforms_in_place(plan, s)) return 0;
    bytes[MFFT_FORWARD] += mfft_extent_bytes(&s->touch[1]);
  }
  for (int i = 0; i < p->first_wait; i++) {
    const mfft_stage *s = &p->backward->stage[i];
    if (s->kind != MFFT_STAGE_FFT) continue;
    if (!find_round_trip(plan, s, &both)) return 0;
    bytes[MFFT_BACKWARD] += mfft_extent_bytes(&s->touch[0]);
  }
  return bytes[0] > 0 && bytes[0] == bytes[1];
}

/* ---- The program ----------------------------------------------------------------------------------------------------- */

/* The spectrum has a buffer of its own in this program. */
static void rename_place(mfft_place *place, mfft_buffer spectrum) {
  if (place->buffer == spectrum) place->buffer = MFFT_BUFFER_SPECTRUM;
}

static mfft_status append(mfft_program *to, const mfft_stage *stage, mfft_buffer spectrum) {
  mfft_stage *added = mfft_program_add(to, stage->kind, "%s", stage->label);
  if (!added) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a stage");
  *added = *stage;
  rename_place(&added->in, spectrum);
  rename_place(&added->out, spectrum);
  for (int i = 0; i < added->shares; i++) rename_place(&added->share[i], spectrum);
  return MFFT_SUCCESS;
}

/* Appends a stage of the backward direction, whose transform becomes one forward and back. */
static mfft_status append_back(mfft_plan plan, const mfft_stage *stage) {
  mfft_fft_spec both;
  MFFT_TRY(append(&plan->solve, stage, MFFT_BUFFER_SRC));
  if (stage->kind != MFFT_STAGE_FFT) return MFFT_SUCCESS;
  mfft_stage *added = &plan->solve.stage[plan->solve.count - 1];
  find_round_trip(plan, stage, &both);
  MFFT_TRY(mfft_plan_fft(plan, &both, &added->fft));
  added->fft->filter_tables = plan->filter[MFFT_BACKWARD].tables;
  strncpy(added->label, "fft, filter, fft", sizeof added->label - 1);
  return MFFT_SUCCESS;
}

/* How many stages forward a slice must wait for: up to the last one that transforms lines of it. */
static int needs(const pieces *p, const mfft_stage *slice) {
  int end = 0;
  for (int i = p->last_lines; i < p->forward->count; i++) {
    const mfft_stage *s = &p->forward->stage[i];
    if (s->kind == MFFT_STAGE_FFT && !mfft_extents_disjoint(&s->touch[1], &slice->touch[0])) end = i + 1;
  }
  return end;
}

/* Writes the stages backward that need no more than `arrived` stages forward, from number *next on. */
static mfft_status write_back(mfft_plan plan, const pieces *p, int arrived, int *next) {
  for (; *next < p->first_wait; ++*next) {
    const mfft_stage *s = &p->backward->stage[*next];
    if (s->kind == MFFT_STAGE_FFT && needs(p, s) > arrived) return MFFT_SUCCESS;
    MFFT_TRY(append_back(plan, s));
  }
  return MFFT_SUCCESS;
}

static mfft_status write_stages(mfft_plan plan, const pieces *p) {
  int next = 0;
  for (int i = 0; i < p->forward->count; i++) {
    const mfft_stage *s = &p->forward->stage[i];
    if (i < p->last_lines || s->kind != MFFT_STAGE_FFT) MFFT_TRY(append(&plan->solve, s, MFFT_BUFFER_DST));
    if (i >= p->last_lines && s->kind == MFFT_STAGE_FFT) MFFT_TRY(write_back(plan, p, i + 1, &next));
  }
  for (int i = p->first_wait; i < p->backward->count; i++)
    MFFT_TRY(append(&plan->solve, &p->backward->stage[i], MFFT_BUFFER_SRC));
  return MFFT_SUCCESS;
}

static mfft_status make(mfft_plan plan) {
  pieces p;
  if (!plan->meets || !plan->backend->convolves || !plan->backend->fuses || !find_pieces(plan, &p)) return MFFT_SUCCESS;
  const mfft_status status = write_stages(plan, &p);
  if (status != MFFT_SUCCESS) mfft_plan_solve_free(plan);
  return status;
}

mfft_status mfft_plan_solve_make(mfft_plan plan) {
  mfft_device_guard guard;
  if (plan->solve_is_made) return MFFT_SUCCESS;
  MFFT_TRY(mfft_device_guard_enter(&plan->context, &guard));
  const mfft_status status = make(plan);
  mfft_device_guard_leave(&guard);
  plan->solve_is_made = status == MFFT_SUCCESS;
  return status;
}

int mfft_plan_solves_at_once(mfft_plan plan) { return plan->solve.count > 0; }
