/* describe.c: prints a plan as text, for reading, comparison and bug reports. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "base/log.h"
#include "base/text.h"
#include "base/trigonometric.h"
#include "base/words.h"
#include "mfft_inspect.h"
#include "plan/plan.h"

static const char *const direction_name[] = {[MFFT_FORWARD] = "forward", [MFFT_BACKWARD] = "backward"};
static const char *const side_name[] = {[MFFT_IN] = "in", [MFFT_OUT] = "out"};
static const char *const stage_name[] = {
    [MFFT_STAGE_FFT] = "FFT",         [MFFT_STAGE_COPY] = "COPY", [MFFT_STAGE_TWIDDLE] = "TWIDDLE",
    [MFFT_STAGE_START] = "START",     [MFFT_STAGE_WAIT] = "WAIT", [MFFT_STAGE_FILTER] = "FILTER",
    [MFFT_STAGE_CONVERT] = "CONVERT", [MFFT_STAGE_OPEN] = "OPEN", [MFFT_STAGE_RESIZE] = "RESIZE",
};
static const char *const buffer_name[] = {
    [MFFT_BUFFER_PRODUCT] = "product",   [MFFT_BUFFER_SRC] = "src",         [MFFT_BUFFER_DST] = "dst",
    [MFFT_BUFFER_WORK] = "work",         [MFFT_BUFFER_SPARE] = "spare",     [MFFT_BUFFER_AREA] = "area",
    [MFFT_BUFFER_SPECTRUM] = "spectrum", [MFFT_BUFFER_SCRATCH] = "scratch", [MFFT_BUFFER_HOST_SRC] = "host src",
    [MFFT_BUFFER_HOST_DST] = "host dst", [MFFT_BUFFER_FACTORS] = "factors"};

static void add_place(mfft_text *text, mfft_place place) {
  mfft_text_add(text, " %s", buffer_name[place.buffer]);
  if (place.offset_bytes) mfft_text_add(text, "+%" PRId64, place.offset_bytes);
}

static void add_sent(mfft_text *text, const mfft_transfer *transfer) {
  mfft_text_add(text, "  %" PRId64 " bytes to peers", transfer->sent_bytes);
  if (transfer->messages)
    mfft_text_add(text, " in %" PRId64 " message%s", transfer->messages, transfer->messages == 1 ? "" : "s");
}

static void add_stage(mfft_text *text, const mfft_stage *stage) {
  mfft_text_add(text, "    %-8s %-20s", stage_name[stage->kind], stage->label);
  if (stage->kind != MFFT_STAGE_WAIT && stage->kind != MFFT_STAGE_OPEN) {
    add_place(text, stage->in);
    mfft_text_add(text, " ->");
    add_place(text, stage->out);
  }
  if (stage->factors.buffer == MFFT_BUFFER_FACTORS) {
    mfft_text_add(text, " by");
    add_place(text, stage->factors);
  }
  if (stage->kind == MFFT_STAGE_FFT && stage->transfer) mfft_text_add(text, " -> windows");
  for (int s = 0; s < stage->shares; s++)
    if (stage->share[s].buffer != stage->out.buffer) {
      mfft_text_add(text, " and");
      add_place(text, stage->share[s]);
    }
  if (stage->kind == MFFT_STAGE_FFT) {
    char line[512];
    stage->fft->backend->fft_print(stage->fft, line, sizeof line);
    mfft_text_add(text, "  %s", line);
  }
  if (stage->kind == MFFT_STAGE_COPY || stage->kind == MFFT_STAGE_CONVERT || stage->kind == MFFT_STAGE_RESIZE)
    mfft_text_add(text, "  %" PRId64 " blocks", stage->nblocks);
  if (stage->kind == MFFT_STAGE_START && stage->chunk >= 0) add_sent(text, stage->transfer);
  mfft_text_add(text, "\n");
}

static void add_program(mfft_text *text, const char *name, const mfft_program *program) {
  mfft_text_add(text, "  %s\n", name);
  for (int i = 0; i < program->count; i++) add_stage(text, &program->stage[i]);
}

static void add_programs(mfft_text *text, mfft_plan plan) {
  for (int direction = 0; direction < 2; direction++)
    add_program(text, direction_name[direction], &plan->program[direction]);
}

static void add_trials(const mfft_trials *trials, mfft_chosen by, const char *what, mfft_text *text, int list) {
  if (list)
    mfft_trials_print_list(trials, what, text);
  else
    mfft_trials_print_choice(trials, by, what, text);
}

/* Prints how the plan and its transforms were chosen or, with `lists`, every candidate that was tried. */
static void add_choice(mfft_text *text, mfft_plan plan, int lists) {
  mfft_chosen by = MFFT_CHOSEN_BY_RULE; /* of transforms without a list of trials */
  int quiet = 0;
  if (plan->dist) add_trials(plan->trials, plan->chosen, "plan", text, lists);
  for (int i = 0; i < plan->nffts; i++) {
    const mfft_fft *fft = plan->fft[i];
    char what[32];
    snprintf(what, sizeof what, "transform %d", i);
    if (fft->trials) add_trials(fft->trials, fft->chosen, what, text, lists);
    if (!fft->trials && fft->chosen != MFFT_CHOSEN_BY_RULE) by = fft->chosen;
    quiet |= !fft->trials;
  }
  if (quiet && !lists) mfft_trials_print_choice(NULL, by, "transforms", text);
}

uint64_t mfft_plan_hash(mfft_plan plan) {
  mfft_text text = {0};
  /* The effort stands for the plan of FFTW, which cannot be printed. */
  mfft_text_add(&text, "%s %d %d %d %d\n", plan->options.transport ? plan->options.transport : "", plan->options.wire,
                plan->copy_blocks, plan->copy_lanes,
                plan->backend->host_memory && plan->algorithm ? plan->algorithm->effort : 0);
  add_programs(&text, plan);
  const uint64_t hash = mfft_text_hash(text.data, text.length);
  mfft_text_free(&text);
  return hash;
}

void mfft_plan_log(mfft_plan plan) {
  size_t needed;
  if (mfft_env_number(MFFT_ENV_LOG) < MFFT_LOG_INFO || mfft_plan_describe(plan, NULL, 0, &needed) != MFFT_SUCCESS) return;
  char *text = malloc(needed);
  if (text && mfft_plan_describe(plan, text, needed, NULL) == MFFT_SUCCESS) fprintf(stderr, "mergefft: %s", text);
  free(text);
}

static void add_axis(mfft_text *text, const mfft_desc *desc, int axis) {
  const mfft_axis_kind kind = desc->axis_kind[axis];
  mfft_text_add(text, "%s%" PRId64 "%s%s%s", axis ? " x " : " ", desc->n[axis], desc->axes >> axis & 1 ? "" : " (still)",
                kind ? " " : "", kind ? mfft_trigonometric_of[kind].name : "");
  if (mfft_desc_pads_axis(desc, axis)) mfft_text_add(text, " (%" PRId64 " given)", desc->given[axis]);
}

mfft_status mfft_plan_describe(mfft_plan plan, char *out, size_t size, size_t *needed) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  static const char *const both[] = {[MFFT_CONVOLVED_BY_ARRAY] = "forward, product and backward",
                                     [MFFT_CONVOLVED_BY_CONJUGATE] = "forward, product with conjugates and backward",
                                     [MFFT_CONVOLVED_BY_FILTER] = "forward, filter and backward"}; /* [mfft_convolved] */
  const mfft_desc *desc = &plan->desc;
  const mfft_options *options = &plan->options;
  mfft_text text = {0};

  mfft_text_add(&text, "%s %s", mfft_kind_words[desc->kind], mfft_precision_words[desc->precision]);
  for (int axis = 0; axis < desc->rank; axis++) add_axis(&text, desc, axis);
  mfft_text_add(&text, ", batch %" PRId64 ", %s, backend %s\n", desc->batch,
                desc->placement == MFFT_IN_PLACE ? "in place" : "out of place", plan->backend->name);
  if (plan->dist)
    mfft_text_add(&text, "  grid %d x %d%s, transport %s%s, %s order\n", options->grid[0], options->grid[1],
                  plan->by_node ? " with its ranks by node" : "", options->transport,
                  options->wire == MFFT_WIRE_HALF ? ", half the width" : "",
                  desc->scrambled ? "scrambled" : mfft_order_words[desc->order]);
  add_choice(&text, plan, 0);
  for (int side = 0; side < 2; side++) {
    const mfft_box *b = &plan->box[side];
    mfft_text_add(&text, "  %-3s box", side_name[side]);
    for (int axis = 0; axis < desc->rank; axis++)
      mfft_text_add(&text, "%s[%" PRId64 ",%" PRId64 ")", axis ? " x " : " ", b->lo[axis], b->hi[axis]);
    mfft_text_add(&text, ", %" PRId64 " elements, %zu bytes\n", plan->count[side], plan->bytes[side]);
  }
  mfft_text_add(&text, "  workspace %zu bytes\n", plan->workspace_bytes);
  add_programs(&text, plan);
  for (int by = 0; by < MFFT_CONVOLVED_KINDS; by++)
    if (plan->both[by].count) add_program(&text, both[by], &plan->both[by]);
  add_choice(&text, plan, 1);
  return mfft_text_give(&text, out, size, needed);
}
