/* filter_rules.c: see filter_rules.h. */
#include "local/cuda/tuned/filter_rules.h"

#include <stddef.h>

static const mfft_chain filtered_singles[] = {
    {320, {16, 20}, 2, 16, 20}, {432, {18, 24}, 2, 16, 24}, {480, {20, 24}, 2, 16, 24},
    {540, {18, 30}, 2, 8, 30},  {600, {20, 30}, 2, 16, 30},
};
static const mfft_chain filtered_doubles[] = {
    {256, {16, 16}, 2, 8, 16}, {432, {18, 24}, 2, 8, 24}, {480, {20, 24}, 2, 8, 24},
    {540, {18, 30}, 2, 4, 30}, {576, {24, 24}, 2, 8, 24}, {600, {20, 30}, 2, 4, 30},
};
static const mfft_chain convolved_singles[] = {
    {320, {16, 20}, 2, 8, 20}, {400, {20, 20}, 2, 8, 20}, {500, {20, 25}, 2, 8, 25},
    {540, {20, 27}, 2, 8, 27}, {576, {24, 24}, 2, 8, 24}, {600, {20, 30}, 2, 8, 30},
};
static const mfft_chain convolved_doubles[] = {
    {256, {16, 16}, 2, 8, 16},
    {400, {20, 20}, 2, 8, 20},
    {432, {27, 16}, 2, 8, 27},
    {540, {30, 18}, 2, 4, 30},
};

typedef struct chain_list {
  const mfft_chain *chain; /* [count] */
  size_t count;
} chain_list;

#define LIST(chains) \
  { chains, sizeof chains / sizeof *chains }
static const chain_list lists[2][2] = {{LIST(filtered_singles), LIST(filtered_doubles)},
                                       {LIST(convolved_singles), LIST(convolved_doubles)}}; /* [convolved][in double] */
#undef LIST

static const mfft_chain *find(const mfft_kernel *k, int convolved) {
  const chain_list *list = &lists[convolved][k->precision == MFFT_DOUBLE];
  const int complexes = k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX,
            wide = k->precision == MFFT_DOUBLE || k->precision == MFFT_SINGLE;
  if (!complexes || !wide || k->named || k->padded || k->in.map != MFFT_MAP_LINE) return NULL;
  for (size_t i = 0; i < list->count; i++)
    if (list->chain[i].n == k->chain.n) return &list->chain[i];
  return NULL;
}

const mfft_chain *mfft_filtered_block_of(const mfft_kernel *k) { return find(k, 0); }
const mfft_chain *mfft_convolved_block_of(const mfft_kernel *k) { return find(k, 1); }
