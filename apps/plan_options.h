/* plan_options.h: the options by which a user steers distributed plans, the same in every command that transforms a field.
 */
#ifndef MFFT_APPS_PLAN_OPTIONS_H
#define MFFT_APPS_PLAN_OPTIONS_H

#include "cli.h"
#include "mfft_mpi.h"

/* The names of mfft_compute. */
#define MFFT_COMPUTES "auto|butterfly|tensor"

typedef struct mfft_plan_options {
  int grid[2];
  const char *transport, *backend;
  int64_t threads;
} mfft_plan_options;

/* The rows of an option table for a member `plan` of the struct of values `type`. */
#define MFFT_PLAN_OPTIONS(type)                                                                                             \
  {"grid",                                                                                                                  \
   0,                                                                                                                       \
   MFFT_CLI_GRID,                                                                                                           \
   offsetof(type, plan.grid),                                                                                               \
   "PxQ",                                                                                                                   \
   "process grid; Px1 is slabs; 0 lets the plan choose a side",                                                             \
   "0x0",                                                                                                                   \
   NULL,                                                                                                                    \
   0,                                                                                                                       \
   1 << 20,                                                                                                                 \
   0},                                                                                                                      \
      {"transport",                                                                                                         \
       0,                                                                                                                   \
       MFFT_CLI_TEXT,                                                                                                       \
       offsetof(type, plan.transport),                                                                                      \
       "NAME",                                                                                                              \
       "how data moves between ranks: pairwise or alltoallv; without it MFFT_TRANSPORT, else the best",                     \
       NULL,                                                                                                                \
       NULL,                                                                                                                \
       0,                                                                                                                   \
       0,                                                                                                                   \
       0},                                                                                                                  \
      {"backend",                                                                                                           \
       0,                                                                                                                   \
       MFFT_CLI_TEXT,                                                                                                       \
       offsetof(type, plan.backend),                                                                                        \
       "NAME",                                                                                                              \
       "what computes: fftw or ref; without it MFFT_BACKEND, else the best",                                                \
       NULL,                                                                                                                \
       NULL,                                                                                                                \
       0,                                                                                                                   \
       0,                                                                                                                   \
       0},                                                                                                                  \
  {                                                                                                                         \
    "threads", 0, MFFT_CLI_INT, offsetof(type, plan.threads), "N", "threads of each rank's transforms", "1", NULL, 1, 4096, \
        0                                                                                                                   \
  }

static inline void mfft_plan_options_apply(const mfft_plan_options *options, mfft_desc *desc) {
  desc->grid[0] = options->grid[0];
  desc->grid[1] = options->grid[1];
  desc->transport = options->transport;
  desc->backend = options->backend;
  desc->threads = (int)options->threads;
}

#endif
