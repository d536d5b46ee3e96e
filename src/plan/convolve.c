/* convolve.c: see convolve.h. */
#include "plan/convolve.h"

#include <stdlib.h>
#include <string.h>

#include "plan/slow_axis.h"

/* ---- Stages of both directions --------------------------------------------------------------------------------------- */

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

static int is_plain_line(const mfft_fft_spec *s) {
  return s && s->type == MFFT_FFT_C2C && s->naxes == 1 && !s->kind[0] && !s->given[0] && !s->wire && !s->radices[0] &&
         (s->precision == MFFT_SINGLE || s->precision == MFFT_DOUBLE);
}

static int same_loops(const mfft_fft_spec *s) {
  for (int l = 0; l < s->nloops; l++)
    if (s->loop[l].is != s->loop[l].os) return 0;
  return s->axis[0].is == s->axis[0].os;
}

/* Whether a stage forward transforms lines, with the same strides on both sides, and is nothing else. */
static int transforms_lines(mfft_plan plan, const mfft_stage *stage) {
  const mfft_fft_spec *s = mfft_plan_spec_of(plan, stage);
  return is_plain_line(s) && !stage->shares && !stage->transfer && stage->touch[1].rows && !s->filtered && s->scale == 1 &&
         same_loops(s);
}

static int is_filter(mfft_convolved by) { return by == MFFT_CONVOLVED_BY_FILTER; }

/* The stages that the program is made of. */
typedef struct pieces {
  mfft_convolved by;
  const mfft_program *forward, *backward;
  const mfft_stage *lines; /* forward: one that transforms lines */
  int last_lines;          /* forward: from this stage on lines arrive and are transformed */
  int first_wait;          /* backward: before this stage they are transformed and sent */
} pieces;

/* Where the lines of a stage backward have arrived; the spectrum has the same strides. */
static mfft_place arrival_of(const pieces *p, const mfft_stage *back) {
  return (mfft_place){p->lines->in.buffer, back->in.offset_bytes + p->lines->in.offset_bytes - p->lines->out.offset_bytes};
}

/* The spec of both transforms of the lines of a stage backward; 0: there is none. */
static int find_round_trip(mfft_plan plan, const pieces *p, const mfft_stage *back, mfft_fft_spec *both) {
  const mfft_fft_spec *s = mfft_plan_spec_of(plan, back);
  const mfft_filtered wanted = is_filter(p->by) ? MFFT_FILTER_INPUT : MFFT_FILTER_NONE;
  if (!is_plain_line(s) || back->transfer || !back->touch[0].rows || s->filtered != wanted) return 0;
  mfft_place from = arrival_of(p, back), to = back->out;
  if (from.buffer == MFFT_BUFFER_DST) from.buffer = MFFT_BUFFER_SPECTRUM;
  if (to.buffer == MFFT_BUFFER_SRC) to.buffer = MFFT_BUFFER_SPECTRUM;
  *both = *s;
  both->direction = MFFT_FORWARD;
  if (is_filter(p->by)) both->filtered = MFFT_FILTER_BETWEEN;
  both->convolved = p->by;
  both->in_place = mfft_place_equal(from, to);
  return plan->backend->fuses(both);
}

/* Bytes of all lines that stages forward transform; 0: some stage is not of the kind that is needed. */
static int64_t find_lines(mfft_plan plan, pieces *p) {
  int64_t bytes = 0;
  if (!have_kinds(p->forward, p->last_lines, p->forward->count, MFFT_STAGE_WAIT, MFFT_STAGE_FFT)) return 0;
  for (int i = p->last_lines; i < p->forward->count; i++) {
    const mfft_stage *s = &p->forward->stage[i];
    if (s->kind != MFFT_STAGE_FFT) continue;
    if (!transforms_lines(plan, s)) return 0;
    p->lines = s;
    bytes += mfft_extent_bytes(&s->touch[1]);
  }
  return bytes;
}

/* Whether the stages of both directions can be made one program.  An array of factors has no batch, but loops of a stage
 * have. */
static int find_pieces(mfft_plan plan, pieces *p) {
  mfft_fft_spec both;
  if (!is_filter(p->by) && plan->desc.batch > 1) return 0;
  p->forward = &plan->program[MFFT_FORWARD];
  p->backward = &plan->program[MFFT_BACKWARD];
  p->last_lines = after_starts(p->forward);
  p->first_wait = first_of(p->backward, MFFT_STAGE_WAIT);
  int64_t left = find_lines(plan, p);
  if (!left || !have_kinds(p->backward, 0, p->first_wait, MFFT_STAGE_FFT, MFFT_STAGE_START)) return 0;
  if (p->backward->stage[0].kind != MFFT_STAGE_FFT) return 0;
  for (int i = 0; i < p->first_wait; i++) {
    const mfft_stage *s = &p->backward->stage[i];
    if (s->kind != MFFT_STAGE_FFT) continue;
    if (!find_round_trip(plan, p, s, &both)) return 0;
    left -= mfft_extent_bytes(&s->touch[0]);
  }
  return left == 0;
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

/* Makes the transform of a stage multiply between its two directions.  first_bytes: the distance, in an array of factors, of
 * that of the stage's first element from the first one. */
static void convolve(mfft_plan plan, mfft_convolved by, mfft_stage *stage, int64_t first_bytes) {
  strncpy(stage->label, is_filter(by) ? "fft, filter, fft" : "fft, product, fft", sizeof stage->label - 1);
  if (is_filter(by))
    stage->fft->factors = plan->filter[MFFT_BACKWARD].tables;
  else
    stage->factors = (mfft_place){MFFT_BUFFER_FACTORS, first_bytes};
}

/* Appends the transform forward and back of the lines of a stage backward. */
static mfft_status append_round_trip(mfft_plan plan, const pieces *p, const mfft_stage *back) {
  mfft_program *program = &plan->both[p->by];
  mfft_fft_spec both;
  find_round_trip(plan, p, back, &both);
  MFFT_TRY(append(program, back, MFFT_BUFFER_SRC));
  mfft_stage *added = &program->stage[program->count - 1];
  added->in = arrival_of(p, back);
  rename_place(&added->in, MFFT_BUFFER_DST);
  MFFT_TRY(mfft_plan_fft(plan, &both, &added->fft));
  convolve(plan, p->by, added, back->in.offset_bytes);
  return MFFT_SUCCESS;
}

/* An extent of an array, counted from the begin of the array. */
static mfft_extent within(mfft_extent e, int64_t offset_bytes) {
  e.offset_bytes -= offset_bytes;
  return e;
}

/* Appends the WAIT stages forward, from number *next on, up to the last one that lines of a slice may need; all if slice is
 * NULL. */
static mfft_status append_waits(mfft_plan plan, const pieces *p, const mfft_stage *slice, int *next) {
  int end = slice ? *next : p->forward->count;
  const int64_t moved = p->lines->in.offset_bytes - p->lines->out.offset_bytes;
  for (int i = *next; slice && i < p->forward->count; i++) {
    const mfft_stage *s = &p->forward->stage[i];
    const mfft_extent arrives = within(s->touch[1], moved);
    if (s->kind == MFFT_STAGE_WAIT && !mfft_extents_disjoint(&arrives, &slice->touch[0])) end = i + 1;
  }
  for (; *next < end; ++*next)
    if (p->forward->stage[*next].kind == MFFT_STAGE_WAIT)
      MFFT_TRY(append(&plan->both[p->by], &p->forward->stage[*next], MFFT_BUFFER_DST));
  return MFFT_SUCCESS;
}

/* Whether what a START stage backward sends has been transformed by the stages before number `next`. */
static int is_ready(const pieces *p, const mfft_stage *start, int next) {
  for (int i = next; i < p->first_wait; i++) {
    const mfft_stage *s = &p->backward->stage[i];
    if (s->kind == MFFT_STAGE_FFT && !mfft_extents_disjoint(&s->touch[1], &start->touch[0])) return 0;
  }
  return 1;
}

/* Appends the START stages backward, from number *next on, that are ready after the transforms before number `done`. */
static mfft_status append_starts(mfft_plan plan, const pieces *p, int done, int *next) {
  for (; *next < p->first_wait; ++*next) {
    const mfft_stage *s = &p->backward->stage[*next];
    if (s->kind != MFFT_STAGE_START) continue;
    if (!is_ready(p, s, done)) return MFFT_SUCCESS;
    MFFT_TRY(append(&plan->both[p->by], s, MFFT_BUFFER_SRC));
  }
  return MFFT_SUCCESS;
}

/* The stages forward until all is sent; then slice by slice: WAIT, both transforms, START; then the rest backward. */
static mfft_status write_stages(mfft_plan plan, const pieces *p) {
  int next_wait = p->last_lines, next_start = 0;
  for (int i = 0; i < p->last_lines; i++) MFFT_TRY(append(&plan->both[p->by], &p->forward->stage[i], MFFT_BUFFER_DST));
  for (int i = 0; i < p->first_wait; i++) {
    const mfft_stage *s = &p->backward->stage[i];
    if (s->kind != MFFT_STAGE_FFT) continue;
    MFFT_TRY(append_waits(plan, p, s, &next_wait));
    MFFT_TRY(append_round_trip(plan, p, s));
    MFFT_TRY(append_starts(plan, p, i + 1, &next_start));
  }
  MFFT_TRY(append_waits(plan, p, NULL, &next_wait));
  for (int i = p->first_wait; i < p->backward->count; i++)
    MFFT_TRY(append(&plan->both[p->by], &p->backward->stage[i], MFFT_BUFFER_SRC));
  return MFFT_SUCCESS;
}

/* Makes the three transforms that replace both directions; *fits: the plan has the workspace for them. */
static mfft_status make_parts(mfft_plan plan, mfft_fft_spec spec[3], mfft_effort effort, mfft_fft *fft[3], int *fits) {
  static const int order[3] = {1, 0, 2}; /* the one that the backend may refuse first */
  *fits = 1;
  for (int o = 0; o < 3; o++) {
    const int i = order[o];
    spec[i].effort = effort;
    MFFT_TRY(mfft_plan_fft(plan, &spec[i], &fft[i]));
    *fits &= fft[i]->work_bytes <= plan->work_bytes[MFFT_BUFFER_SCRATCH];
  }
  return MFFT_SUCCESS;
}

/* The program of a plan that is one transform in each direction; there is none if it needs more workspace than the plan has.
 * With a filter its transforms are chosen by rule, since trials would take time and memory in the first step of a
 * simulation. */
static mfft_status write_parts(mfft_plan plan, mfft_convolved by, mfft_fft_spec spec[3]) {
  static const mfft_buffer at[4] = {MFFT_BUFFER_SRC, MFFT_BUFFER_SPECTRUM, MFFT_BUFFER_SPECTRUM,
                                    MFFT_BUFFER_DST}; /* [transform], then the last output */
  const mfft_effort effort = is_filter(by) ? MFFT_ESTIMATE : plan->options.effort;
  mfft_fft *fft[3]; /* [transform] */
  int fits;
  MFFT_TRY(make_parts(plan, spec, effort, fft, &fits));
  if (!fits && effort != MFFT_ESTIMATE) MFFT_TRY(make_parts(plan, spec, MFFT_ESTIMATE, fft, &fits));
  if (!fits) return MFFT_SUCCESS;
  for (int i = 0; i < 3; i++) {
    mfft_stage *added = mfft_program_add(&plan->both[by], MFFT_STAGE_FFT, "fft");
    if (!added) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a stage");
    added->fft = fft[i];
    added->in.buffer = at[i];
    added->out.buffer = at[i + 1];
    if (i == 1) convolve(plan, by, added, 0);
  }
  return MFFT_SUCCESS;
}

static mfft_status make(mfft_plan plan, mfft_convolved by) {
  pieces p = {.by = by};
  mfft_fft_spec spec[3];
  mfft_status status = MFFT_SUCCESS;
  if (mfft_slow_axis_specs(plan, by, spec))
    status = write_parts(plan, by, spec);
  else if (plan->meets && plan->backend->convolves && plan->backend->fuses && find_pieces(plan, &p))
    status = write_stages(plan, &p);
  if (status != MFFT_SUCCESS) { /* blocks of its stages belong to those of the directions */
    free(plan->both[by].stage);
    plan->both[by] = (mfft_program){.stage = NULL};
  }
  return status == MFFT_ERR_UNSUPPORTED ? MFFT_SUCCESS : status;
}

mfft_status mfft_plan_convolve_make(mfft_plan plan, mfft_convolved by) {
  if (plan->both_made >> by & 1) return MFFT_SUCCESS;
  MFFT_TRY(make(plan, by));
  plan->both_made |= 1u << by;
  return MFFT_SUCCESS;
}

int mfft_plan_convolves_at_once(mfft_plan plan, mfft_convolved by) { return plan->both[by].count > 0; }
