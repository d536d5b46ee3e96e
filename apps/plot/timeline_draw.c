/* timeline_draw.c: a time line as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_inspect.h"
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
static const char *const row_names[] = {"stream",    "to peers",    "on this rank", "messages",
                                        "host link", "main thread", "threads"};
enum { STREAM, PEERS, HERE, MESSAGES, HOST_LINK, MAIN_THREAD, THREADS, ROWS };
typedef struct look {
  int row;
  uint32_t color;
} look;
static const look plan_looks[MFFT_SPAN_KINDS] = {
    [MFFT_SPAN_FFT] = {STREAM, 0x0072b2},       [MFFT_SPAN_COPY] = {STREAM, 0xe69f00},
    [MFFT_SPAN_CONVERT] = {STREAM, 0xcc79a7},   [MFFT_SPAN_RESIZE] = {STREAM, 0xdda0c0},
    [MFFT_SPAN_TWIDDLE] = {STREAM, 0x56b4e9},   [MFFT_SPAN_FILTER] = {STREAM, 0x7fc8f0},
    [MFFT_SPAN_START] = {STREAM, 0x999999},     [MFFT_SPAN_WAIT] = {STREAM, 0xd0d0d0},
    [MFFT_SPAN_OPEN] = {PEERS, 0xe8dcc0},       [MFFT_SPAN_PEERS] = {PEERS, 0x009e73},
    [MFFT_SPAN_HERE] = {HERE, 0x7f6000},        [MFFT_SPAN_MESSAGES] = {MESSAGES, 0xd55e00},
    [MFFT_SPAN_UPLOAD] = {HOST_LINK, 0x9467bd}, [MFFT_SPAN_DOWNLOAD] = {HOST_LINK, 0xc5b0d5},
};

/* The phases of a command; a thread of a pool is drawn below the main thread.  Phases without a colour look like OTHER. */
static const uint32_t phase_colors[MFFT_PHASES] = {
    [MFFT_PHASE_START] = 0xb0b0b0,  [MFFT_PHASE_MPI] = 0x8c8c8c,       [MFFT_PHASE_CUDA] = 0x76b900,
    [MFFT_PHASE_OPEN] = 0xe8dcc0,   [MFFT_PHASE_PLAN] = 0x9467bd,      [MFFT_PHASE_MEMORY] = 0xc5b0d5,
    [MFFT_PHASE_READ] = 0x009e73,   [MFFT_PHASE_SUM] = 0x7fd0b8,       [MFFT_PHASE_MAKE] = 0x1f9e89,
    [MFFT_PHASE_CENTRE] = 0xf0e442, [MFFT_PHASE_CONTRAST] = 0xdcc91e,  [MFFT_PHASE_COPY] = 0xe69f00,
    [MFFT_PHASE_GREEN] = 0x7fc8f0,  [MFFT_PHASE_TRANSFORM] = 0x0072b2, [MFFT_PHASE_SHELLS] = 0x56b4e9,
    [MFFT_PHASE_CHECK] = 0xcc79a7,  [MFFT_PHASE_CREATE] = 0xf4b183,    [MFFT_PHASE_WRITE] = 0xd55e00,
    [MFFT_PHASE_COMMIT] = 0x8c3b00, [MFFT_PHASE_DRAW] = 0x7f6000,      [MFFT_PHASE_REPORT] = 0x505050,
    [MFFT_PHASE_BOUND] = 0x17becf,  [MFFT_PHASE_CLOSE] = 0x303030,     [MFFT_PHASE_WAIT] = 0xd0d0d0,
    [MFFT_PHASE_OTHER] = 0xe0e0e0,
};

static int kinds_of(const mfft_timeline *t) { return t->job ? MFFT_PHASES : MFFT_SPAN_KINDS; }

static look look_of(const mfft_timeline *t, int kind) {
  if (!t->job) return plan_looks[kind];
  return (look){MAIN_THREAD, phase_colors[phase_colors[kind] ? kind : MFFT_PHASE_OTHER]};
}

static int row_of(const mfft_timeline *t, const mfft_timeline_span *s) {
  return t->job && s->queue ? THREADS : look_of(t, s->kind).row;
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

static int has_kind(const mfft_timeline *t, int kind) {
  for (int64_t i = 0; i < t->count; i++)
    if (t->span[i].kind == kind) return 1;
  return 0;
}

/* The start of the rows: the phases of a command take two lines of the legend. */
static int head_of(const mfft_timeline *t) { return TOP + (t->job ? LEGEND_LINE : 0); }

static void draw_legend(const mfft_timeline *t, mfft_picture *p) {
  double x = LEFT, y = 42;
  for (int kind = 0; kind < kinds_of(t); kind++) {
    if (!has_kind(t, kind) || (t->job && !phase_colors[kind])) continue;
    const char *name = mfft_timeline_kind_name(t, kind);
    const double wide = 20 + mfft_picture_text_width(&plain, name);
    if (x + wide > LEFT + WIDE) x = LEFT, y += LEGEND_LINE;
    mfft_picture_fill(p, x, y, 14, 14, look_of(t, kind).color);
    mfft_picture_text(p, x + 20, y + 11.5, MFFT_LEFT, &plain, name);
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
    mfft_label_tick(&ticks, i, 5, text);
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
                      look_of(t, s->kind).color);
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
