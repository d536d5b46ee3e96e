#include "bench/bench_cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/plan_options.h"

/* ---- Ready-made sets ------------------------------------------------------------------------------------------------- */

static const int64_t lines[][3] = {{1 << 4},  {1 << 5},  {1 << 6},  {1 << 7},  {1 << 8},  {1 << 9},  {1 << 10}, {1 << 11},
                                   {1 << 12}, {1 << 13}, {1 << 14}, {1 << 15}, {1 << 16}, {1 << 17}, {1 << 18}, {1 << 19},
                                   {1 << 20}, {1 << 21}, {1 << 22}, {1 << 23}, {1 << 24}, {1 << 25}, {1 << 26}, {1 << 27}};
static const int64_t planes[][3] = {{256, 256},  {256, 512},   {256, 1024},  {512, 256},   {512, 512},
                                    {512, 1024}, {1024, 1024}, {2048, 2048}, {4096, 4096}, {8192, 8192}};
static const int64_t cubes[][3] = {{32, 32, 32},    {64, 64, 64},    {128, 128, 128},
                                   {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}};
static const int64_t ones[][3] = {{1 << 17}, {512, 256}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}};
static const int64_t sweep_line[][3] = {{1 << 17}}, sweep_plane[][3] = {{512, 256}};

/* The number of arrays: such that they have `elements` together; one; or 1, 2, 4, ... up to 8 times `elements`. */
typedef enum batching { FILLED, SINGLE, SWEPT } batching;

/* Shapes of a set, with the kinds, directions and precisions that are run unless the user names others. */
static const struct part {
  const char *set, *group;
  const int64_t (*shape)[3]; /* [count] */
  int count;
  batching batch;
  const char *kinds, *runs, *precisions;
} parts[] = {
    {"tcfft", "1D", lines + 4, 20, FILLED, "c2c", "forward", "half"},
    {"tcfft", "2D", planes, 6, FILLED, "c2c", "forward", "half"},
    {"tcfft", "1D 131072", sweep_line, 1, SWEPT, "c2c", "forward", "half"},
    {"tcfft", "2D 512x256", sweep_plane, 1, SWEPT, "c2c", "forward", "half"},
    {"1d", "1D", lines, 24, FILLED, "c2c", "forward", "half,single,double"},
    {"2d", "2D", planes, 10, FILLED, "c2c", "forward", "half,single,double"},
    {"3d", "3D", cubes, 6, FILLED, "c2c", "forward", "half,single,double"},
    {"one", "batch 1", ones, 5, SINGLE, "c2c", "forward", "half,single,double"},
    {"all", "1D", lines, 24, FILLED, "c2c", "forward", "half,single,double,bfloat16"},
    {"all", "2D", planes, 10, FILLED, "c2c", "forward", "half,single,double,bfloat16"},
    {"all", "3D", cubes, 6, FILLED, "c2c", "forward", "half,single,double,bfloat16"},
    {"all", "batch 1", ones, 5, SINGLE, "c2c", "forward", "half,single,double"},
    {"all", "1D real", lines + 4, 20, FILLED, "r2c", "forward,backward", "single,double"},
    {"all", "2D real", planes, 10, FILLED, "r2c", "forward,backward", "single,double"},
    {"all", "3D real", cubes, 6, FILLED, "r2c", "forward,backward", "single,double"},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* ---- Lists of words -------------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 8 };

typedef struct words {
  int value[MOST_WORDS]; /* [count] */
  int count;
} words;

typedef struct maker {
  const mfft_bench_lists *lists;
  mfft_bench_item *items; /* [count] */
  int count, capacity;
  char *why;
  size_t size;
} maker;

static int refuse(const maker *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(m->why, m->size, format, args);
  va_end(args);
  return -1;
}

/* The part of `text` before the next comma; returns the remainder, or NULL. */
static const char *next(const char *text, char *piece, size_t size) {
  size_t length = strcspn(text, ",");
  snprintf(piece, size, "%.*s", (int)(length < size ? length : size - 1), text);
  return text[length] ? text + length + 1 : NULL;
}

static int read_words(const maker *m, const char *option, const char *text, const char *choices, words *list) {
  char piece[128];
  const char *rest = text;
  for (list->count = 0; rest; list->count++) {
    if (list->count == MOST_WORDS) return refuse(m, "--%s %s: more than %d words", option, text, MOST_WORDS);
    rest = next(rest, piece, sizeof piece);
    list->value[list->count] = mfft_cli_choice(choices, piece);
    if (list->value[list->count] < 0) return refuse(m, "--%s %s: '%s' is none of %s", option, text, piece, choices);
  }
  return 0;
}

/* ---- Items ----------------------------------------------------------------------------------------------------------- */

static int add(maker *m, const mfft_bench_item *item) {
  if (m->count == m->capacity) {
    int capacity = m->capacity ? 2 * m->capacity : 64;
    mfft_bench_item *items = realloc(m->items, (size_t)capacity * sizeof *items);
    if (!items) return refuse(m, "no memory for %d cases", capacity);
    m->items = items;
    m->capacity = capacity;
  }
  m->items[m->count++] = *item;
  return 0;
}

/* Every combination of one shape with the words. */
static int add_shape(maker *m, mfft_bench_item item, const words *kinds, const words *precisions, const words *runs,
                     const words *orders) {
  for (int k = 0; k < kinds->count; k++)
    for (int p = 0; p < precisions->count; p++)
      for (int r = 0; r < runs->count; r++)
        for (int o = 0; o < orders->count; o++) {
          item.kind = (mfft_kind)kinds->value[k];
          item.precision = (mfft_precision)precisions->value[p];
          item.run = (mfft_bench_run)runs->value[r];
          item.order = (mfft_order)orders->value[o];
          if (add(m, &item)) return -1;
        }
  return 0;
}

static const char *or_else(const char *given, const char *fallback) { return given ? given : fallback; }

static int add_part(maker *m, const struct part *part) {
  const mfft_bench_lists *l = m->lists;
  const int64_t elements = l->elements > 0 ? l->elements : INT64_C(1) << 27;
  words kinds, precisions, runs, orders = {{MFFT_ORDER_NATURAL}, 1};
  if (read_words(m, "kind", or_else(l->kinds, part->kinds), MFFT_KINDS, &kinds) ||
      read_words(m, "precision", or_else(l->precisions, part->precisions), MFFT_PRECISIONS, &precisions) ||
      read_words(m, "direction", or_else(l->runs, part->runs), MFFT_BENCH_RUNS, &runs))
    return -1;
  for (int i = 0; i < part->count; i++) {
    mfft_bench_item item = {.group = part->group, .in_set = 1};
    int64_t points = 1;
    for (item.rank = 0; item.rank < 3 && part->shape[i][item.rank]; item.rank++)
      points *= item.n[item.rank] = part->shape[i][item.rank];
    if (points > l->most) continue;
    const int64_t filled = elements / points > 1 ? elements / points : 1;
    item.batch = l->batch > 0 ? l->batch : part->batch == FILLED ? filled : 1;
    do {
      if (add_shape(m, item, &kinds, &precisions, &runs, &orders)) return -1;
      item.batch *= 2;
    } while (part->batch == SWEPT && l->batch < 1 && item.batch <= 8 * filled);
  }
  return 0;
}

static int add_sets(maker *m) {
  char name[32];
  for (const char *rest = m->lists->sets; rest;) {
    int found = 0;
    rest = next(rest, name, sizeof name);
    for (int p = 0; p < PARTS; p++) {
      if (strcmp(parts[p].set, name)) continue;
      found = 1;
      if (add_part(m, &parts[p])) return -1;
    }
    if (!found) return refuse(m, "--set %s: '%s' is none of " MFFT_BENCH_SETS, m->lists->sets, name);
  }
  return m->count ? 0 : refuse(m, "--max-n %lld leaves nothing of --set %s", (long long)m->lists->most, m->lists->sets);
}

static int add_shapes(maker *m) {
  const mfft_bench_lists *l = m->lists;
  static const char *const groups[] = {"", "1D", "2D", "3D"};
  words kinds, precisions, runs, orders;
  char piece[128];
  if (read_words(m, "kind", or_else(l->kinds, "r2c"), MFFT_KINDS, &kinds) ||
      read_words(m, "precision", or_else(l->precisions, "double"), MFFT_PRECISIONS, &precisions) ||
      read_words(m, "direction", or_else(l->runs, "pair"), MFFT_BENCH_RUNS, &runs) ||
      read_words(m, "order", or_else(l->orders, "natural"), MFFT_ORDERS, &orders))
    return -1;
  for (const char *rest = or_else(l->n, "256x256x256"); rest;) {
    const mfft_cli_option option = {.type = MFFT_CLI_SIZES, .min = 1, .max = 1e12, .plane = 1};
    mfft_cli_sizes sizes;
    char why[MFFT_CLI_WHY_BYTES];
    double points = 1;
    rest = next(rest, piece, sizeof piece);
    if (mfft_cli_read_value(&option, piece, &sizes, why))
      return refuse(m, "--n %s: '%s' is no shape of 1 to 3 lengths such as 64x32x128", l->n, piece);
    mfft_bench_item item = {.group = groups[sizes.count], .rank = sizes.count, .batch = l->batch > 0 ? l->batch : 1};
    for (int a = 0; a < sizes.count; a++) points *= (double)(item.n[a] = sizes.v[a]);
    if (l->batch < 1 && l->elements > 0 && (double)l->elements > points) item.batch = l->elements / (int64_t)points;
    if (add_shape(m, item, &kinds, &precisions, &runs, &orders)) return -1;
  }
  return 0;
}

mfft_bench_item *mfft_bench_items(const mfft_bench_lists *lists, int *count, char *why, size_t size) {
  maker m = {.lists = lists, .why = why, .size = size};
  if (lists->sets ? add_sets(&m) : add_shapes(&m)) {
    free(m.items);
    return NULL;
  }
  *count = m.count;
  return m.items;
}
