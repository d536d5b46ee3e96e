/* cuda_bench_trials.h: requests of t890 --cluster for kernels of certain shapes, and the texts of the plans that follow. */
#ifndef MFFT_TESTS_CUDA_BENCH_TRIALS_H
#define MFFT_TESTS_CUDA_BENCH_TRIALS_H

#include "gpu_case.h"
#include "local/cuda/planner/phases.h"

/* Appends the trial of blocks, and the properties of one pass of butterflies that the text of a plan does not contain: the
 * distance of prefetching, blocks of a multiprocessor, staged ends, gaps, and bytes of shared memory. */
static void print_block(const mfft_fft_spec *spec, char *text, size_t size) {
  mfft_phases phases;
  size_t used = strlen(text);
  const mfft_block_trial *b = &spec->block;
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

/* Puts a request into a spec; returns whether the plan then has a pass of that kind. */
static int wish_for(const char *wish, mfft_fft_spec *s) {
  double part = 0;
  int blocks = 0;
  const int columns = *wish == 'c';
  int tile = 0;
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
      suits |= part > 0 ? phases.count > 1
               : tile   ? k->engine == MFFT_ENGINE_RESIDENT
                        : k->cluster.blocks == blocks && (k->cluster.columns > 1) == columns;
    }
  return suits;
}

/* Whether a spec has the kernels of an earlier request for the same case, or none. */
enum { MOST_WISHES = 64 };
static int is_repeated(const mfft_fft_spec *spec, int *count, mfft_kernel known[MOST_WISHES]) {
  mfft_phases phases;
  if (mfft_phases_make(spec, &mfft_limits_sm90, &phases) != MFFT_SUCCESS) return 1;
  if (phases.count > 1 || phases.phase[0].schedule.count > 1 || *count == MOST_WISHES) return 0;
  const mfft_kernel *k = &phases.phase[0].schedule.pass[0].kernel;
  for (int i = 0; i < *count; i++)
    if (!memcmp(&known[i], k, sizeof *k)) return 1;
  known[(*count)++] = *k;
  return 0;
}

#endif
