#include "cli/phases.h"

#include <mpi.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"

void mfft_phases_add(mfft_phases *phases, const char *name, double seconds) {
  int i = 0;
  while (i < phases->count && strcmp(phases->phase[i].name, name)) i++;
  if (i == MFFT_PHASES) return;
  if (i == phases->count) phases->phase[phases->count++] = (mfft_phase){.name = name};
  phases->phase[i].seconds += seconds;
}

void mfft_phases_gather(mfft_phases *phases) {
  struct {
    double seconds;
    int rank;
  } place[MFFT_PHASES];
  double sum[MFFT_PHASES]; /* [phase] */
  int rank = mfft_app_rank(), ranks = mfft_app_ranks();
  for (int i = 0; i < phases->count; i++) {
    place[i].seconds = sum[i] = phases->phase[i].seconds;
    place[i].rank = rank;
  }
  mfft_app_reduce(place, phases->count, MPI_DOUBLE_INT, MPI_MAXLOC, "comparing times");
  mfft_app_reduce(sum, phases->count, MPI_DOUBLE, MPI_SUM, "adding up times");
  for (int i = 0; i < phases->count; i++) {
    phases->phase[i].slowest = place[i].seconds;
    phases->phase[i].slowest_rank = place[i].rank;
    phases->phase[i].mean = sum[i] / ranks;
  }
}

void mfft_phases_print(const mfft_phases *phases) {
  int many = mfft_app_ranks() > 1;
  mfft_app_print("%-10s %12s%s\n", "phase", "seconds", many ? "  of rank         mean" : "");
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *phase = &phases->phase[i];
    mfft_app_print("%-10s %12.4f", phase->name, phase->slowest);
    if (many) mfft_app_print(" %8d %12.4f", phase->slowest_rank, phase->mean);
    mfft_app_print("\n");
  }
}

void mfft_phases_json(const mfft_phases *phases, mfft_json *json, const char *key) {
  mfft_json_array(json, key);
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *phase = &phases->phase[i];
    mfft_json_object(json, NULL);
    mfft_json_string(json, "name", phase->name);
    mfft_json_number(json, "seconds", phase->slowest);
    mfft_json_integer(json, "rank", phase->slowest_rank);
    mfft_json_number(json, "mean_s", phase->mean);
    mfft_json_end(json);
  }
  mfft_json_end(json);
}
