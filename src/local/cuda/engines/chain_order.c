/* chain_order.c: see chain_order.h. */
#include "local/cuda/engines/chain_order.h"

#include <limits.h>

#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/gaps.h"

enum { MOST_MERGES = 5 }; /* longer chains have too many orders to be counted when a plan is made */

/* Takes the gaps of least cost for the order in hand, and the order where that is less than `least`. */
static void try_order(const mfft_kernel *made, mfft_kernel *k, int *least) {
  for (int c = 0; c < MFFT_GAP_CHOICES; c++) {
    const int cost = mfft_gaps_cost(made, mfft_gap_choices[c]);
    if (cost >= *least) continue;
    *least = cost;
    k->chain = made->chain;
    k->tile.gap = mfft_gap_choices[c];
  }
}

/* Elements that the threads of a line would load before a first merge of this radix if none had fewer than another. */
static int loads(const mfft_chain *chain, int radix) {
  const int columns = chain->n / radix;
  return (columns + chain->threads - 1) / chain->threads * chain->threads * radix;
}

/* Whether another radix of the chain leaves fewer threads without loads. */
static int loads_more(const mfft_chain *chain, int radix) {
  for (int i = 0; i < chain->merges; i++)
    if (loads(chain, chain->radix[i]) < loads(chain, radix)) return 1;
  return 0;
}

/* Tries all orders of the radices from `fixed` on; equal radices once. */
static void try_orders(mfft_kernel *made, int fixed, mfft_kernel *k, int *least) {
  int *radix = made->chain.radix; /* [merges] */
  if (fixed == made->chain.merges) try_order(made, k, least);
  for (int i = fixed; i < made->chain.merges; i++) {
    int repeated = 0;
    for (int j = fixed; j < i; j++) repeated |= radix[j] == radix[i];
    if (repeated || (!fixed && loads_more(&made->chain, radix[i]))) continue;
    const int first = radix[fixed], chosen = radix[i];
    radix[fixed] = chosen, radix[i] = first;
    try_orders(made, fixed + 1, k, least);
    radix[fixed] = first, radix[i] = chosen;
  }
}

/* Whether the first merge needs gaps, or leaves more than a 24th of the loads out that another would not. */
static int worth_a_change(const mfft_chain *chain) {
  enum { NEEDS_GAPS = 4, LITTLE = 24 };
  const int first = chain->radix[0];
  return loads_more(chain, first) && (first % NEEDS_GAPS == 0 || LITTLE * (loads(chain, first) - chain->n) > chain->n);
}

void mfft_chain_order(mfft_kernel *k, int fixed) {
  if (!mfft_chain_has_order(k) || k->chain.merges < 2 || k->chain.merges > MOST_MERGES) return;
  if (!fixed && !worth_a_change(&k->chain)) return;
  mfft_kernel made = *k;
  int least = INT_MAX;
  try_orders(&made, fixed, k, &least);
}
