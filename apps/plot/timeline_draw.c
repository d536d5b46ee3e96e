/* timeline_draw.c: a time line as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "plot/label.h"
#include "plot/picture.h"
#include "plot/ticks.h"
#include "plot/timeline.h"

enum {
  LEFT = 160,
  WIDE = 1100,
  RIGHT = 30,
  TOP = 76, /* title and a line of the legend */
  LEGEND_LINE = 20,
  ROW = 16,
  GAP = 12, /* between ranks */
  BELOW = 52,
  TICK = 5,
  RESOLUTION = 2, /* pixels of a unit in PNG */
  MOST_LANES = 12 /* of one rank and kind of row; more share the last */
};
static const uint32_t faint = 0xe4e4e4;
static const mfft_font plain = {.size = 12.5, .color = 0x303030}, heading = {.size = 16, .bold = 1, .color = 0x303030};

/* The appearance of the kinds of spans, and their rows. */
static const char *const row_names[] = {"stream", "to peers", "on this rank", "messages", "main thread", "threads"};
enum { STREAM, PEERS, HERE, MESSAGES, MAIN_THREAD, THREADS, ROWS };
static const struct look {
  const char *kind;
  int row;
  uint32_t color;
} plan_looks[] = {{"fft", 0, 0x0072b2},    {"copy", 0, 0xe69f00},  {"convert", 0, 0xcc79a7}, {"twiddle", 0, 0x56b4e9},
                  {"filter", 0, 0x7fc8f0}, {"start", 0, 0x999999}, {"wait", 0, 0xd0d0d0},    {"open", 1, 0xe8dcc0},
                  {"peers", 1, 0x009e73},  {"here", 2, 0x7f6000},  {"messages", 3, 0xd55e00}};
enum { PLAN_LOOKS = sizeof plan_looks / sizeof *plan_looks };

/* The phases of a command (cli/phases.h); a thread of a pool is drawn below the main thread. */
static const struct look job_looks[] = {
    {"start", MAIN_THREAD, 0xb0b0b0},  {"mpi", MAIN_THREAD, 0x8c8c8c},       {"cuda", MAIN_THREAD, 0x76b900},
    {"open", MAIN_THREAD, 0xe8dcc0},   {"plan", MAIN_THREAD, 0x9467bd},      {"memory", MAIN_THREAD, 0xc5b0d5},
    {"read", MAIN_THREAD, 0x009e73},   {"sum", MAIN_THREAD, 0x7fd0b8},       {"make", MAIN_THREAD, 0x1f9e89},
    {"centre", MAIN_THREAD, 0xf0e442}, {"contrast", MAIN_THREAD, 0xdcc91e},  {"copy", MAIN_THREAD, 0xe69f00},
    {"green", MAIN_THREAD, 0x7fc8f0},  {"transform", MAIN_THREAD, 0x0072b2}, {"shells", MAIN_THREAD, 0x56b4e9},
    {"check", MAIN_THREAD, 0xcc79a7},  {"create", MAIN_THREAD, 0xf4b183},    {"write", MAIN_THREAD, 0xd55e00},
    {"commit", MAIN_THREAD, 0x8c3b00}, {"draw", MAIN_THREAD, 0x7f6000},      {"report", MAIN_THREAD, 0x505050},
    {"bound", MAIN_THREAD, 0x17becf},  {"close", MAIN_THREAD, 0x303030},     {"wait", MAIN_THREAD, 0xd0d0d0},
    {"other", MAIN_THREAD, 0xe0e0e0}};
enum { JOB_LOOKS = sizeof job_looks / sizeof *job_looks };

static const struct look *looks_of(const mfft_timeline *t, int *count) {
  *count = t->job ? JOB_LOOKS : PLAN_LOOKS;
  return t->job ? job_looks : plan_looks;
}

/* Kinds that are not in the table look like the last one. */
static const struct look *look_of(const mfft_timeline *t, const mfft_timeline_span *s) {
  int count, i = 0;
  const struct look *looks = looks_of(t, &count);
  while (i < count - 1 && strcmp(looks[i].kind, s->kind) != 0) i++;
  return &looks[i];
}

static int row_of(const mfft_timeline *t, const mfft_timeline_span *s) {
  return t->job && s->queue ? THREADS : look_of(t, s)->row;
}

/* The lanes of a row of a rank: a queue takes the first lane that is free from its first span to its last. */
typedef struct place {
  int rank, row, lane;
} place;

/* Computes the position of every span, and the number of lanes of each row of each rank. */
static void find_places(const mfft_timeline *t, place *at /* [count] */, int *lanes /* [ranks][ROWS] */) {
  double busy[ROWS][MOST_LANES];
  for (int64_t i = 0; i < t->count; i++) {
    const mfft_timeline_span *s = &t->span[i];
    const int row = row_of(t, s);
    if (i == 0 || t->span[i - 1].rank != s->rank)
      for (int r = 0; r < ROWS; r++)
        for (int l = 0; l < MOST_LANES; l++) busy[r][l] = -1;
    /* Spans come in the order in which they were queued, which is that of their starts within a row. */
    int lane = row == THREADS && s->queue <= MOST_LANES ? s->queue - 1 : 0;
    while (row != THREADS && lane < MOST_LANES - 1 && busy[row][lane] > s->start_s + 1e-9) lane++;
    busy[row][lane] = s->end_s;
    at[i] = (place){s->rank, row, lane};
    int *most = &lanes[s->rank * ROWS + row];
    if (lane + 1 > *most) *most = lane + 1;
  }
}

static int has_kind(const mfft_timeline *t, const char *kind) {
  for (int64_t i = 0; i < t->count; i++)
    if (strcmp(t->span[i].kind, kind) == 0) return 1;
  return 0;
}

/* The start of the rows: the phases of a command take two lines of the legend. */
static int head_of(const mfft_timeline *t) { return TOP + (t->job ? LEGEND_LINE : 0); }

static void draw_legend(const mfft_timeline *t, mfft_picture *p) {
  double x = LEFT, y = 42;
  int count;
  const struct look *looks = looks_of(t, &count);
  for (int i = 0; i < count; i++) {
    if (!has_kind(t, looks[i].kind)) continue;
    const double wide = 20 + mfft_picture_text_width(&plain, looks[i].kind);
    if (x + wide > LEFT + WIDE) x = LEFT, y += LEGEND_LINE;
    mfft_picture_fill(p, x, y, 14, 14, looks[i].color);
    mfft_picture_text(p, x + 20, y + 11.5, MFFT_LEFT, &plain, looks[i].kind);
    x += wide + 24;
  }
}

static void draw_axis(mfft_picture *p, double end_s, double top, double height) {
  mfft_ticks ticks;
  double unit;
  char text[MFFT_LABEL_BYTES];
  const char *prefix = mfft_label_prefix(end_s, &unit);
  mfft_ticks_find(0, end_s / unit, 0, 12, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    const double x = LEFT + ticks.value[i] * unit / end_s * WIDE;
    mfft_picture_fill(p, x - 0.5, top, 1, height + TICK, faint);
    mfft_label_number(ticks.value[i], 5, text);
    mfft_picture_text(p, x, top + height + TICK + 15, MFFT_CENTER, &plain, text);
  }
  snprintf(text, sizeof text, "time [%ss]", prefix);
  mfft_picture_text(p, LEFT + WIDE / 2.0, top + height + BELOW - 12, MFFT_CENTER, &plain, text);
}

/* The start of each rank's rows, and their names if there is a picture; the height of all. */
static int lay_out(const mfft_timeline *t, const int *lanes, int *top /* [ranks][ROWS] */, mfft_picture *p) {
  int y = 0;
  char text[64];
  for (int rank = 0; rank < t->ranks; rank++) {
    snprintf(text, sizeof text, "rank %d", rank);
    if (p) mfft_picture_text(p, 8, head_of(t) + y + 12, MFFT_LEFT, &plain, text);
    for (int row = 0; row < ROWS; row++) {
      top[rank * ROWS + row] = head_of(t) + y;
      if (!lanes[rank * ROWS + row]) continue;
      if (p) mfft_picture_text(p, LEFT - 8, head_of(t) + y + 12, MFFT_RIGHT, &plain, row_names[row]);
      y += ROW * lanes[rank * ROWS + row];
    }
    y += GAP;
  }
  return y;
}

static void draw_spans(const mfft_timeline *t, const place *at, const int *top, double end_s, mfft_picture *p) {
  for (int64_t i = 0; i < t->count; i++) {
    const mfft_timeline_span *s = &t->span[i];
    const double first = LEFT + s->start_s / end_s * WIDE, last = LEFT + s->end_s / end_s * WIDE;
    mfft_picture_fill(p, first, top[at[i].rank * ROWS + at[i].row] + ROW * at[i].lane + 1, fmax(1, last - first), ROW - 3,
                      look_of(t, s)->color);
  }
}

mfft_status mfft_timeline_save(const mfft_timeline *t, const char *path) {
  double end_s = 1e-9;
  mfft_picture *picture = NULL;
  for (int64_t i = 0; i < t->count; i++) end_s = fmax(end_s, t->span[i].end_s);
  place *at = malloc((size_t)(t->count + 1) * sizeof *at);
  int *lanes = calloc(2 * (size_t)t->ranks * ROWS + 1, sizeof *lanes), *top = lanes + t->ranks * ROWS;
  mfft_status status = at && lanes ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory to draw a time line");
  if (status == MFFT_SUCCESS) {
    find_places(t, at, lanes);
    const int height = lay_out(t, lanes, top, NULL);
    status = mfft_picture_create(path, LEFT + WIDE + RIGHT, head_of(t) + height + BELOW, RESOLUTION, &picture);
    if (status == MFFT_SUCCESS) {
      mfft_picture_text(picture, 8, 25, MFFT_LEFT, &heading, t->title);
      draw_legend(t, picture);
      draw_axis(picture, end_s, head_of(t), height);
      lay_out(t, lanes, top, picture);
      draw_spans(t, at, top, end_s, picture);
      status = mfft_picture_save(picture, t->title);
    }
  }
  mfft_picture_destroy(picture);
  free(at);
  free(lanes);
  return status;
}
