/* axis_places.c: see axis_places.h. */
#include "local/cuda/planner/axis_places.h"

/* Chooses the buffer after each pass, from the last pass back: two buffers alternate, of the destination, if it can hold
 * complexes, and the workspace. in_place: the last pass reads the destination. */
static void lay_out(const mfft_axis *x, int parts, int use_dst, int in_place, mfft_place_id at[]) {
  const mfft_place_id other = x->dst == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
  at[0] = x->src;
  at[parts] = x->dst;
  for (int i = parts - 1; i >= 1; i--)
    if (!use_dst)
      at[i] = at[i + 1] == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
    else if (i == parts - 1)
      at[i] = in_place ? x->dst : other;
    else
      at[i] = at[i + 1] == x->dst ? other : x->dst;
  if (!use_dst && at[1] == x->src)
    for (int i = 1; i < parts; i++) at[i] = at[i] == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
}

void mfft_axis_places(const mfft_builder *b, const mfft_axis *x, int parts, mfft_place_id at[]) {
  const int half = x->store == MFFT_FORM_HALF_EVEN;
  const int use_dst = (x->store == MFFT_FORM_COMPLEX || half) && x->dst != MFFT_AT_WORK2;
  const int moves =
      half || (parts % 2 && !mfft_in_cache(b->limits)); /* no pass in place where that is possible, which is faster */
  for (int attempt = 0; attempt < 2; attempt++) {
    lay_out(x, parts, use_dst, attempt == moves, at);
    if (!mfft_builder_same_memory(b, at[1], at[0])) return;
  }
}
