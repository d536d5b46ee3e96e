/* tune_parameters.c: the parameters of a whole plan that tuning varies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/transport.h"
#include "mfft_mpi.h"
#include "plan/tune.h"

static int put(char *word, const char *value) {
  snprintf(word, MFFT_WORD_BYTES, "%s", value);
  return 1;
}

static int patient(const mfft_tune_scope *scope) { return mfft_effort_reaches(scope->asked->effort, MFFT_PATIENT); }

/* ---- Transport ---- */

static int transport_value(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word) {
  (void)p;
  const char *named = scope->asked->transport;
  for (int k = 0; k < mfft_transport_count() && scope->ranks > 1 && !(named && *named); k++) {
    const mfft_transport *transport;
    const int known = mfft_transport_find(mfft_transport_name(k), &transport) == MFFT_SUCCESS;
    const int suits = known && !(scope->backend->host_memory && transport->device_only);
    if (suits && i-- == 0) return put(word, transport->name);
  }
  return 0;
}

static void transport_rule(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word) {
  (void)p, (void)scope;
  put(word, plan->options.transport);
}

static int transport_set(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request) {
  (void)p, (void)scope;
  const mfft_transport *transport;
  if (mfft_transport_find(word, &transport) != MFFT_SUCCESS || !transport) return 0;
  request->options.transport = transport->name;
  return 1;
}

/* ---- Grid P x Q: slabs first; without a patient effort only slabs and the two squarest grids ---- */

static int squarest(int ranks) {
  int p = 1;
  for (int d = 1; d * d <= ranks; d++)
    if (ranks % d == 0) p = d;
  return p;
}

static int grid_value(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word) {
  (void)p;
  const int *asked = scope->asked->grid, ranks = scope->ranks, square = squarest(ranks);
  for (int first = ranks; first >= 1; first--) {
    const int second = first ? ranks / first : 0,
              named = (asked[0] && asked[0] != first) || (asked[1] && asked[1] != second);
    if (ranks % first || named || !(patient(scope) || second == 1 || first == square || second == square) || i--) continue;
    snprintf(word, MFFT_WORD_BYTES, "%dx%d", first, second);
    return ranks > 1;
  }
  return 0;
}

static void grid_rule(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word) {
  (void)p, (void)scope;
  snprintf(word, MFFT_WORD_BYTES, "%dx%d", plan->options.grid[0], plan->options.grid[1]);
}

static int grid_set(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request) {
  (void)p;
  int *grid = request->options.grid, end = 0;
  return sscanf(word, "%dx%d%n", &grid[0], &grid[1], &end) == 2 && !word[end] && grid[0] > 0 && grid[1] > 0 &&
         (int64_t)grid[0] * grid[1] == scope->ranks;
}

/* ---- Numbers ---- */

static int asked_number(const mfft_parameter *p, const mfft_tune_scope *scope) {
  const mfft_request asked = {.options = *scope->asked};
  return *(const int *)((const char *)&asked + p->offset);
}

/* Whether a number is one of those to try; -1, "none", may be among them. */
static int is_listed(const mfft_parameter *p, int number) {
  for (int i = 0; i < MFFT_MOST_NUMBERS && p->number[i]; i++)
    if (p->number[i] == number) return 1;
  return 0;
}

static int number_value(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word) {
  const int count = patient(scope) ? MFFT_MOST_NUMBERS : p->few;
  if (scope->ranks == 1 || asked_number(p, scope) || i >= count || !p->number[i]) return 0;
  if (p->device_only && scope->backend->host_memory) return 0;
  snprintf(word, MFFT_WORD_BYTES, "%d", p->number[i]);
  return 1;
}

static void number_rule(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word) {
  (void)plan;
  const int asked = asked_number(p, scope);
  put(word, "auto");
  if (asked) snprintf(word, MFFT_WORD_BYTES, "%d", asked);
}

static int number_set(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request) {
  int *number = (int *)((char *)request + p->offset), end = 0;
  *number = 0;
  if (strcmp(word, "auto") == 0) return 1;
  if (sscanf(word, "%d%n", number, &end) != 1 || word[end]) return 0;
  return *number > 0 || is_listed(p, *number) || *number == asked_number(p, scope);
}

/* ---- Wire: half the width only if the caller accepts its error ---- */

static int wire_value(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word) {
  static const char *const width[] = {"full", "half"};
  (void)p;
  const mfft_options *o = scope->asked;
  const int open = o->wire == MFFT_WIRE_AUTO && o->tolerance >= mfft_wire_error(scope->desc->precision) && scope->ranks > 1;
  return open && i < 2 && put(word, width[i]);
}

static void wire_rule(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word) {
  (void)p, (void)scope;
  put(word, plan->options.wire == MFFT_WIRE_HALF ? "half" : "full");
}

static int wire_set(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request) {
  char other[MFFT_WORD_BYTES];
  const int half = strcmp(word, "half") == 0, open = wire_value(p, scope, 0, other);
  request->options.wire = half ? MFFT_WIRE_HALF : MFFT_WIRE_FULL;
  return half ? open || scope->asked->wire == MFFT_WIRE_HALF : strcmp(word, "full") == 0;
}

/* ---- Algorithms of the local transforms ---- */

static const char only[] = "only"; /* word of backends with a single algorithm */

static int algorithm_value(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word) {
  (void)p;
  const mfft_options *o = scope->asked;
  for (const mfft_algorithm *algorithm = scope->backend->algorithms; algorithm && algorithm->name; algorithm++)
    if (!algorithm->alone_only && mfft_algorithm_suits(algorithm, scope->desc->precision, o->compute) &&
        mfft_effort_reaches(o->effort, algorithm->whole) && i-- == 0)
      return put(word, algorithm->name);
  return 0;
}

static void algorithm_rule(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word) {
  (void)p, (void)plan;
  const mfft_algorithm *algorithm = scope->backend->algorithms;
  while (algorithm && scope->asked->effort == MFFT_ESTIMATE && algorithm->effort != MFFT_ESTIMATE) algorithm++;
  put(word, algorithm ? algorithm->name : only);
}

static int algorithm_set(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request) {
  (void)p;
  request->algorithm = mfft_algorithm_find(scope->backend->algorithms, word);
  if (!request->algorithm) return !scope->backend->algorithms && strcmp(word, only) == 0;
  return mfft_algorithm_suits(request->algorithm, scope->desc->precision, scope->asked->compute);
}

/* ---- The table ---- */

#define NUMBER(member) number_value, number_rule, number_set, offsetof(mfft_request, member)

const mfft_parameter mfft_parameters[MFFT_PARAMETERS] = {
    {.name = "transport", .value = transport_value, .rule = transport_rule, .set = transport_set},
    {.name = "grid", .value = grid_value, .rule = grid_rule, .set = grid_set},
    {"chunks", NUMBER(options.chunks), 2, {1, 8, 4, 2, 16}, .device_only = 0},
    {"overlap-split", NUMBER(options.overlap_split), 1, {-1, 8, 4, 12}, .device_only = 0},
    {"copy-blocks", NUMBER(copy_blocks), 0, {32, 48, 16, 128}, .device_only = 1},
    {"copy-lanes", NUMBER(copy_lanes), 0, {2, 4}, .device_only = 1},
    {.name = "wire", .value = wire_value, .rule = wire_rule, .set = wire_set},
    {.name = "local", .value = algorithm_value, .rule = algorithm_rule, .set = algorithm_set},
};

void mfft_candidate_print(const mfft_candidate *candidate, char text[MFFT_CANDIDATE_BYTES]) {
  int used = 0;
  for (int p = 0; p < MFFT_PARAMETERS; p++)
    used += snprintf(text + used, (size_t)(MFFT_CANDIDATE_BYTES - used), "%s%s %s", p ? " " : "", mfft_parameters[p].name,
                     candidate->word[p]);
}

int mfft_candidate_request(const mfft_tune_scope *scope, const mfft_candidate *candidate, mfft_request *request) {
  *request =
      (mfft_request){.desc = *scope->desc, .options = *scope->asked, .grid_given = mfft_options_name_grid(scope->asked)};
  for (int p = 0; p < MFFT_PARAMETERS; p++)
    if (!mfft_parameters[p].set(&mfft_parameters[p], scope, candidate->word[p], request)) return 0;
  return 1;
}
