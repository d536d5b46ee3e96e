/* scaling_series.c: see scaling_series.h. */
#include "scaling/scaling_series.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "io/json_read.h"

struct mfft_scaling_set {
  mfft_scaling_point *point; /* [points] */
  int points, capacity;
  mfft_scaling_series *series; /* [count] */
  int count;
};

mfft_scaling_set *mfft_scaling_create(void) { return calloc(1, sizeof(mfft_scaling_set)); }

static void forget_series(mfft_scaling_set *set) {
  for (int i = 0; i < set->count; i++) {
    free(set->series[i].ranks); /* one piece of memory with the other numbers */
    free(set->series[i].point);
  }
  free(set->series);
  set->series = NULL;
  set->count = 0;
}

void mfft_scaling_destroy(mfft_scaling_set *set) {
  if (!set) return;
  forget_series(set);
  free(set->point);
  free(set);
}

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

static void append(char *text, size_t size, const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

/* Numbers joined by x, such as 64x32x128. */
static void put_sizes(char *text, size_t size, const mfft_json_value *sizes) {
  for (int i = 0; i < mfft_json_count(sizes); i++)
    append(text, size, "%s%.0f", i ? "x" : "", mfft_json_number_of(mfft_json_at(sizes, i)));
}

static const char *text_of(const mfft_json_value *result, const char *key) {
  return mfft_json_text_of(mfft_json_get(result, key));
}
static double number_of(const mfft_json_value *result, const char *key) {
  return mfft_json_number_of(mfft_json_get(result, key));
}

/* The description of a transform except its size: "c2c double fftw", and options that differ from the defaults. */
static void put_kind(char *text, size_t size, const mfft_json_value *result) {
  static const struct {
    const char *key, *ordinary;
  } parts[] = {{"kind", ""},          {"precision", ""},    {"backend", ""},
               {"direction", "pair"}, {"order", "natural"}, {"compute", "auto"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const char *word = text_of(result, parts[i].key);
    if (*word && strcmp(word, parts[i].ordinary)) append(text, size, " %s", word);
  }
  if (!strcmp(text_of(result, "placement"), "in")) append(text, size, " in place");
  if (number_of(result, "batch") > 1) append(text, size, " x %.0f", number_of(result, "batch"));
}

/* A point of a result; -1 if it is none. */
static int read_point(const mfft_json_value *result, mfft_scaling_point *point) {
  const mfft_json_value *n = mfft_json_get(result, "n");
  const double ranks = number_of(result, "ranks");
  const char *transport = text_of(result, "transport");
  *point = (mfft_scaling_point){.time_s = number_of(result, "time_s"), .exchange_s = number_of(result, "exchange_s")};
  const int rank = mfft_json_count(n);
  if (rank < 1 || !(ranks >= 1 && ranks < 1e9) || !(point->time_s > 0) || !*text_of(result, "kind")) return -1;
  point->ranks = (int)ranks;
  double elements = 1, batch = fmax(1, number_of(result, "batch"));
  for (int i = 0; i < rank; i++) elements *= mfft_json_number_of(mfft_json_at(n, i));
  if (!(elements >= 1)) return -1;
  point->work = batch * elements * fmax(1, log2(elements));
  put_sizes(point->shape, sizeof point->shape, n);
  put_sizes(point->layout, sizeof point->layout, mfft_json_get(result, "grid"));
  append(point->layout, sizeof point->layout, " %s", *transport ? transport : "-");
  append(point->series[MFFT_SCALING_STRONG], MFFT_SCALING_NAME, "%s", point->shape);
  append(point->series[MFFT_SCALING_WEAK], MFFT_SCALING_NAME, "%.15g a rank, %dD", batch * elements / point->ranks, rank);
  for (int k = 0; k < MFFT_SCALINGS; k++) put_kind(point->series[k], MFFT_SCALING_NAME, result);
  return 0;
}

static mfft_status add_point(mfft_scaling_set *set, const mfft_scaling_point *point) {
  if (set->points == set->capacity) {
    const int capacity = 2 * set->capacity + 64;
    mfft_scaling_point *more = realloc(set->point, (size_t)capacity * sizeof *more);
    if (!more) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %d results", capacity);
    set->point = more;
    set->capacity = capacity;
  }
  set->point[set->points++] = *point;
  return MFFT_SUCCESS;
}

mfft_status mfft_scaling_add(mfft_scaling_set *set, const char *path, int *wrong) {
  mfft_json_value *root = NULL;
  mfft_status status = mfft_json_load(path, &root);
  if (status != MFFT_SUCCESS) return status;
  const mfft_json_value *results = mfft_json_get(root, "results");
  const int count = mfft_json_count(results);
  *wrong = 0;
  if (count < 0) status = mfft_app_fail(MFFT_ERR_ARG, "'%s' has no results; give what `mergefft bench --json` wrote", path);
  for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
    const mfft_json_value *r = mfft_json_at(results, i);
    mfft_scaling_point point;
    if (number_of(r, "correct") == 0)
      ++*wrong;
    else if (read_point(r, &point))
      status = mfft_app_fail(
          MFFT_ERR_ARG, "'%s' has a result without n, kind, ranks or time_s; give what `mergefft bench --json` wrote", path);
    else
      status = add_point(set, &point);
  }
  mfft_json_free(root);
  return status;
}

/* ---- Finding series -------------------------------------------------------------------------------------------------- */

/* Compares two texts, the numbers in them by their values: 64x64 comes before 128x128. */
static int compare_names(const char *a, const char *b) {
  while (*a && *b) {
    if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      char *a_end, *b_end;
      const long long x = strtoll(a, &a_end, 10), y = strtoll(b, &b_end, 10);
      if (x != y) return x < y ? -1 : 1;
      a = a_end, b = b_end;
    } else if (*a++ != *b++) {
      return (unsigned char)a[-1] < (unsigned char)b[-1] ? -1 : 1;
    }
  }
  return strcmp(a, b);
}

static int by_series(mfft_scaling kind, const void *a, const void *b) {
  const mfft_scaling_point *p = a, *q = b;
  const int name = compare_names(p->series[kind], q->series[kind]);
  if (name) return name;
  if (p->ranks != q->ranks) return p->ranks < q->ranks ? -1 : 1;
  return (p->time_s > q->time_s) - (p->time_s < q->time_s);
}
static int by_strong(const void *a, const void *b) {
  return by_series(MFFT_SCALING_STRONG, *(void *const *)a, *(void *const *)b);
}
static int by_weak(const void *a, const void *b) {
  return by_series(MFFT_SCALING_WEAK, *(void *const *)a, *(void *const *)b);
}

/* A series of these points, one for each number of ranks. */
static mfft_status make_series(mfft_scaling kind, const mfft_scaling_point *const *point /* [count] */, int count,
                               mfft_scaling_series *series) {
  double *numbers = malloc(4 * (size_t)count * sizeof *numbers);
  const mfft_scaling_point **points = malloc((size_t)count * sizeof *points);
  *series = (mfft_scaling_series){
      kind, point[0]->series[kind], count, numbers, numbers + count, numbers + 2 * count, numbers + 3 * count, points};
  if (!numbers || !points) {
    free(numbers);
    free(points);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a series of %d results", count);
  }
  for (int i = 0; i < count; i++) {
    points[i] = point[i];
    series->ranks[i] = point[i]->ranks;
    series->time_s[i] = point[i]->time_s;
    series->speed[i] = point[i]->work / point[i]->time_s / (point[0]->work / point[0]->time_s);
    series->efficiency[i] = series->speed[i] * point[0]->ranks / point[i]->ranks;
  }
  return MFFT_SUCCESS;
}

/* The series of one kind; `sorted` has capacity for all points. */
static mfft_status find_kind(mfft_scaling_set *set, mfft_scaling kind, const mfft_scaling_point **sorted /* [points] */) {
  static int (*const order[MFFT_SCALINGS])(const void *, const void *) = {by_strong, by_weak};
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < set->points; i++) sorted[i] = &set->point[i];
  qsort(sorted, (size_t)set->points, sizeof *sorted, order[kind]);
  for (int first = 0, end, count; first < set->points && status == MFFT_SUCCESS; first = end) {
    for (end = first, count = 0; end < set->points && !strcmp(sorted[end]->series[kind], sorted[first]->series[kind]); end++)
      if (end == first || sorted[end]->ranks != sorted[end - 1]->ranks) sorted[first + count++] = sorted[end];
    if (count < 2) continue;
    status = make_series(kind, sorted + first, count, &set->series[set->count]);
    set->count += status == MFFT_SUCCESS;
  }
  return status;
}

mfft_status mfft_scaling_find(mfft_scaling_set *set, const mfft_scaling_series **series, int *count) {
  mfft_status status = MFFT_SUCCESS;
  const mfft_scaling_point **sorted = malloc(((size_t)set->points + 1) * sizeof *sorted);
  forget_series(set);
  set->series = malloc(((size_t)set->points + 1) * sizeof *set->series); /* two points or more in each of two kinds */
  if (!sorted || !set->series) status = mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %d results", set->points);
  for (int kind = 0; kind < MFFT_SCALINGS && status == MFFT_SUCCESS; kind++) status = find_kind(set, kind, sorted);
  free(sorted);
  *series = set->series;
  *count = set->count;
  return status;
}
