/* predict_report.h: a prediction (predict.h), what was asked for and what was found, as text and JSON. */
#ifndef MFFT_APPS_PREDICT_REPORT_H
#define MFFT_APPS_PREDICT_REPORT_H

#include "info/machine.h"

enum { MFFT_PREDICT_RANKS = 4, MFFT_PREDICT_GRIDS = 128 };

/* The arguments of a prediction. */
typedef struct mfft_predict_request {
  const char *machine; /* its name or file */
  int nodes[2];        /* nodes, ranks of a node */
  int map;             /* 0: ranks are numbered node by node, 1: in turn over the nodes (MFFT_PREDICT_MAPS) */
  int run;             /* 0: forward and backward, 1: forward, 2: backward (MFFT_PREDICT_RUNS) */
  const mfft_desc *desc;
  const mfft_options *options;
  const char *json; /* NULL: none */
  int quiet;        /* 1: JSON goes to stdout */
} mfft_predict_request;
#define MFFT_PREDICT_RUNS "pair|forward|backward"
#define MFFT_PREDICT_MAPS "slot|node"

/* One grid that was compared. */
typedef struct mfft_predict_grid {
  int grid[2];    /* {P, Q} */
  double bound_s; /* of one direction: the transforms of the fullest rank alone */
  double time_s;  /* of the run on the slowest of the first, the fullest and the last rank; NAN: bound_s is longer than the
                     best */
  mfft_prediction prediction; /* of that rank */
} mfft_predict_grid;

typedef struct mfft_predict_result {
  mfft_machine_text machine;
  mfft_predict_grid grid[MFFT_PREDICT_GRIDS]; /* [grids] fastest first */
  int grids;
  int rank[MFFT_PREDICT_RANKS];           /* [ranks] ascending: the first, a middle, the last and the fullest rank */
  mfft_prediction of[MFFT_PREDICT_RANKS]; /* [ranks] on the best grid */
  int ranks, slowest;                     /* slowest: index in `rank` */
} mfft_predict_result;

/* Seconds of the run of a prediction. */
double mfft_predict_time(const mfft_prediction *prediction, int run);

/* Prints the result; and writes it as JSON to the file of the request. */
void mfft_predict_print(const mfft_predict_request *request, const mfft_predict_result *result);
mfft_status mfft_predict_write(const mfft_predict_request *request, const mfft_predict_result *result);

#endif
