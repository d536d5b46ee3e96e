/* phases.h: how long each part of a command took, on the slowest rank and on average, as a table and as JSON. */
#ifndef MFFT_APPS_PHASES_H
#define MFFT_APPS_PHASES_H

#include "io/json.h"

enum { MFFT_PHASES = 16 };

typedef struct mfft_phase {
  const char *name;
  double seconds;       /* of this rank */
  double slowest, mean; /* over ranks, after mfft_phases_gather */
  int slowest_rank;
} mfft_phase;

typedef struct mfft_phases {
  mfft_phase phase[MFFT_PHASES]; /* [count] */
  int count;
} mfft_phases;

/* Adds seconds to a phase, which begins with its first mention; all ranks must mention the same in the same sequence. */
void mfft_phases_add(mfft_phases *phases, const char *name, double seconds);

/* Collective. */
void mfft_phases_gather(mfft_phases *phases);

/* After gathering: rank 0 prints the table; adds an array of objects name, seconds (slowest), rank, mean_s. */
void mfft_phases_print(const mfft_phases *phases);
void mfft_phases_json(const mfft_phases *phases, mfft_json *json, const char *key);

#endif
