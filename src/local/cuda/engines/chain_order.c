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

/* Tries all orders of the radices from `fixed` on; equal radices once. */
static void try_orders(mfft_kernel *made, int fixed, mfft_kernel *k, int *least) {
  int *radix = made->chain.radix; /* [merges] */
  if (fixed == made->chain.merges) try_order(made, k, least);
  for (int i = fixed; i < made->chain.merges; i++) {
    int repeated = 0;
    for (int j = fixed; j < i; j++) repeated |= radix[j] == radix[i];
    if (repeated) continue;
    const int first = radix[fixed], chosen = radix[i];
    radix[fixed] = chosen, radix[i] = first;
    try_orders(made, fixed + 1, k, least);
    radix[fixed] = first, radix[i] = chosen;
  }
}

void mfft_chain_order(mfft_kernel *k) {
  if (!mfft_chain_has_order(k) || k->chain.merges < 2 || k->chain.merges > MOST_MERGES) return;
  mfft_kernel made = *k;
  int least = INT_MAX;
  try_orders(&made, 1, k, &least);
}
