/* particle_rules.c: see particle_rules.h. */
#include "local/cuda/tuned/particle_rules.h"

#include <stddef.h>

/* The first row of a window that allows the disorder counts. */
static const struct {
  int order;
  double most_disorder;
  int tiles;
} rules[] = {{1, 1, 0}};

int mfft_tuned_run_tiles(int order, double disorder) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (rules[i].order == order && disorder <= rules[i].most_disorder) return rules[i].tiles;
  return -1;
}
