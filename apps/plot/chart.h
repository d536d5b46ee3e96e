/* chart.h: a picture of curves: panels in columns, one column a topic, one row a quantity, and a legend above them. */
#ifndef MFFT_APPS_CHART_H
#define MFFT_APPS_CHART_H

#include "plot/picture.h"

/* How the curves of one side look: filled points on full lines, rings on dashed ones, or dashed lines alone. */
typedef enum mfft_chart_style { MFFT_CHART_FULL = 0, MFFT_CHART_DASHED, MFFT_CHART_LINE } mfft_chart_style;

typedef struct mfft_chart_curve {
  uint32_t color;
  mfft_chart_style style;
  const double *x, *y; /* [count] by increasing x; a y of NAN is no point */
  int count;
} mfft_chart_curve;

/* The points of all panels of a column have the same x: sizes above 0, at which the logarithmic axis has its ticks, or the
 * indices of names. */
typedef struct mfft_chart_column {
  const char *title, *x_name;
  const char *const *label; /* [labels] names of x = 0, 1, ...; NULL: x is a size */
  int labels;
  int measured; /* 1: x is a measured number, and the logarithmic axis has its ticks at round ones */
} mfft_chart_column;

typedef struct mfft_chart_row {
  const char *title;
  const char *unit; /* of y, such as "s"; the axis prepends the prefix of the SI that fits the curves; NULL: none */
  int logarithmic;  /* otherwise the axis begins at 0 */
  double line;      /* a line across at this value; NAN: none */
} mfft_chart_row;

typedef struct mfft_chart_key {
  const char *name;
  uint32_t color;
  mfft_chart_style style;
} mfft_chart_key;

typedef struct mfft_chart {
  const char *title;
  const mfft_chart_key *key; /* [keys] */
  int keys;
  const mfft_chart_column *column; /* [columns] */
  int columns;
  const mfft_chart_row *row; /* [rows] */
  int rows;
  /* The curves of a panel: curve i, or 0 after the last. */
  int (*curve)(const void *context, int column, int row, int i, mfft_chart_curve *curve);
  const void *context;
} mfft_chart;

/* A colour for series i: the first eight differ, also for the colour-blind. */
uint32_t mfft_chart_color(int i);

/* Draws the chart and writes it to `path`, which has one of the endings of pictures. */
mfft_status mfft_chart_save(const mfft_chart *chart, const char *path);

#endif
