/* cuda_bench_trials.h: requests of t890 --cluster for kernels of certain shapes, and the texts of the plans that follow. */
#ifndef MFFT_TESTS_CUDA_BENCH_TRIALS_H
#define MFFT_TESTS_CUDA_BENCH_TRIALS_H

#include <ctype.h>

#include "gpu_case.h"
#include "local/cuda/planner/phases.h"

static const char *wish_in_hand = ""; /* the item of --cluster that is timed */

/* Appends the item, the trial of blocks, and the properties of one pass of butterflies that the text of a plan does not
 * contain: the distance of prefetching, blocks of a multiprocessor, staged ends, gaps, and bytes of shared memory. */
static void print_block(const mfft_fft_spec *spec, char *text, size_t size) {
  mfft_phases phases;
  size_t used = strlen(text);
  const mfft_block_trial *b = &spec->block;
  used += (size_t)snprintf(text + used, size - used, " | %s", wish_in_hand);
  used += (size_t)snprintf(text + used, size - used, " | %s", b->radix[0] ? "n" : "k");
  for (int i = 0; i < MFFT_TRIAL_MERGES && b->radix[i]; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "x" : "", b->radix[i]);
  if (b->radix[0])
    used += (size_t)snprintf(text + used, size - used, ":%d:%d:%d", b->line_threads, b->lines, b->blocks);
  else
    used += (size_t)snprintf(text + used, size - used, "%d:%d", b->rank, b->threads);
  used += (size_t)snprintf(text + used, size - used, ":%d:%d:%d:%d:%d:%d", b->last_use ? -b->last_use : b->prefetch,
                           b->staging, b->segment, b->compact, b->early, b->products);
  if (mfft_phases_make(spec, &mfft_limits_sm90, &phases) != MFFT_SUCCESS || phases.phase[0].schedule.count > 1) return;
  const mfft_kernel *k = &phases.phase[0].schedule.pass[0].kernel;
  snprintf(text + used, size - used, " prefetch %d, blocks %d, staged %d%d, gap %d, %d bytes",
           k->hints.prefetch / mfft_limits_sm90.sms, k->tile.min_blocks, k->in.staging, k->out.staging, k->tile.gap,
           k->tile.shared_bytes);
}

enum { MOST_STAGED = 4200 }; /* longest lines for which staging is tried */

/* A chain of merges that is named: radices between 'x', then numbers between colons. */
static void wish_for_chain(const char *wish, mfft_block_trial *b) {
  char *end = NULL;
  for (int i = 0; i < MFFT_TRIAL_MERGES && (!i || *end == 'x'); i++)
    b->radix[i] = (int)strtol(end ? end + 1 : wish, &end, 10);
  sscanf(end, ":%d:%d:%d:%d:%d:%d:%d:%d:%d", &b->line_threads, &b->lines, &b->blocks, &b->prefetch, &b->staging, &b->segment,
         &b->compact, &b->early, &b->products);
}

/* Reads what follows "@": letters and a length, the passes for which a trial of blocks is. */
static void wish_for_passes(const char *words, mfft_block_trial *b) {
  for (; *words; words++) {
    if (*words == 'r' || *words == 's') b->strided = *words == 'r' ? 1 : 2;
    if (*words == 'l' || *words == 'm') b->reach = *words == 'l' ? 1 : 2;
    if (isdigit((unsigned char)*words)) b->n = (int)strtol(words, NULL, 10);
    while (isdigit((unsigned char)words[0]) && isdigit((unsigned char)words[1])) words++;
  }
}

/* The radices of an axis: its number, ":" and radices between dots, passes between underscores. */
static void wish_for_radices(const char *wish, mfft_fft_spec *s) {
  static char radices[3][64];
  const int axis = *wish - '0';
  if (axis < 0 || axis >= s->naxes || wish[1] != ':') return;
  snprintf(radices[axis], sizeof radices[axis], "%s", wish + 2);
  for (char *c = radices[axis]; *c; c++) *c = *c == '.' ? ',' : *c == '_' ? '+' : *c;
  s->radices[axis] = radices[axis];
}

/* Whether the plan of a spec has a phase in parts. */
static int has_parts(const mfft_phases *phases) {
  for (int p = 0; p < phases->count; p++)
    if (mfft_in_parts(&phases->phase[p])) return 1;
  return 0;
}

/* Puts a request into a spec; returns whether the plan then has a pass of that kind. */
static int wish_for(const char *wish, mfft_fft_spec *s) {
  double part = 0;
  int blocks = 0;
  const int columns = *wish == 'c';
  int tile = 0;
  const char *of = strchr(wish, '@');
  if (of) wish_for_passes(of + 1, &s->block);
  if (*wish == 'r') {
    wish_for_radices(wish + 1, s);
    return 1;
  }
  if (*wish == 'k' || *wish == 'n') {
    mfft_block_trial *b = &s->block;
    if (*wish == 'n')
      wish_for_chain(wish + 1, b);
    else
      sscanf(wish, "k%d:%d:%d:%d:%d:%d:%d:%d:%d", &b->rank, &b->threads, &b->prefetch, &b->staging, &b->segment, &b->compact,
             &b->early, &b->products, &b->blocks);
    if (b->prefetch < 0) b->last_use = -b->prefetch, b->prefetch = 1;
    return !b->staging || s->axis[s->naxes - 1].n <= MOST_STAGED;
  }
  if (*wish == 'w') {
    s->preserved_between = *++wish == '-' ? -1 : 1;
    s->destroy_input = 0;
    return s->type == MFFT_FFT_C2R && s->naxes > 1;
  }
  s->tile_double_buffered = *wish == 'a';
  if (*wish == 't' || *wish == 'a')
    sscanf(wish + s->tile_double_buffered, "t%d:%d", &tile, &blocks), s->tile_bytes = tile * INT64_C(1024);
  else if (*wish == 'p')
    sscanf(wish, "p%lf:%d", &part, &s->part_alone), s->part_bytes = part > 0 ? (int64_t)(part * 1e6) : -1;
  else
    sscanf(wish + columns, "%d:%d:%d", &blocks, &s->cluster_values, &s->cluster_first);
  *(columns ? &s->columns : &s->cluster) = blocks;
  if (blocks <= 0 && tile <= 0 && part <= 0) return 1;
  mfft_phases phases;
  int suits = 0;
  if (mfft_phases_make(s, &mfft_limits_sm90, &phases) != MFFT_SUCCESS) return 0;
  for (int p = 0; p < phases.count; p++)
    for (int i = 0; i < phases.phase[p].schedule.count; i++) {
      const mfft_kernel *k = &phases.phase[p].schedule.pass[i].kernel;
      suits |= part > 0 ? has_parts(&phases)
               : tile   ? k->engine == MFFT_ENGINE_RESIDENT
                        : k->cluster.blocks == blocks && (k->cluster.columns > 1) == columns;
    }
  return suits;
}

/* Puts all of an item, requests between plus signs, into a spec. */
static int wish_for_all(const char *item, mfft_fft_spec *s) {
  char wish[128];
  for (size_t length; *item && *item != ','; item += length + (item[length] == '+')) {
    length = strcspn(item, "+,");
    snprintf(wish, sizeof wish, "%.*s", (int)length, item);
    if (!wish_for(wish, s)) return 0;
  }
  return 1;
}

/* A number that differs for phases with other kernels or other parts (FNV-1a). */
static uint64_t hash_of(const mfft_phases *phases) {
  uint64_t hash = 14695981039346656037u;
  for (int p = 0; p < phases->count; p++) {
    const mfft_phase *phase = &phases->phase[p];
    for (int i = -1; i < phase->schedule.count; i++) {
      const unsigned char *at =
          i < 0 ? (const unsigned char *)phase->parts : (const unsigned char *)&phase->schedule.pass[i].kernel;
      const size_t size = i < 0 ? sizeof phase->parts : sizeof phase->schedule.pass[i].kernel;
      for (size_t b = 0; b < size; b++) hash = (hash ^ at[b]) * 1099511628211u;
    }
  }
  return hash;
}

/* Whether a spec has the kernels and parts of an earlier request for the same case, or none. */
enum { MOST_WISHES = 64 };
static int is_repeated(const mfft_fft_spec *spec, int *count, uint64_t known[MOST_WISHES]) {
  static mfft_phases phases;
  if (mfft_phases_make(spec, &mfft_limits_sm90, &phases) != MFFT_SUCCESS) return 1;
  if (*count == MOST_WISHES) return 0;
  const uint64_t hash = hash_of(&phases);
  for (int i = 0; i < *count; i++)
    if (known[i] == hash) return 1;
  known[(*count)++] = hash;
  return 0;
}

#endif
