// relay.cu: two passes in one launch.  The second follows so close behind the first that it finds the data in the L2 cache,
// and there are no gaps between launches.
//
// The transforms are cut into parts.  Step s of the grid runs the blocks of the first pass over part s, in turn with those
// of the second pass over part s - lead, which wait until the first pass over their part is complete.  Blocks start in the
// order of their numbers, and none of the first pass waits for anything, so all come to an end.  A matrix lies in `middle`
// between the passes: element k of line l at l middle_line + k middle_stride.
#include "pair.cuh"

namespace mfft {

typedef chain<second_words> second;
constexpr int M = second::N;

// Where a line of a tile lies; lines are counted through all transforms, COUNT in each.
template <int COUNT>
struct line_place {
  line_number transform;
  u32 number;  // in its matrix
  bool live;
  __device__ __forceinline__ line_place(const mfft_pass_args &a, line_number line) {
    transform = line / COUNT;
    number = (u32)(line % COUNT);
    live = transform < (line_number)a.lines;
  }
};

__device__ __forceinline__ long long middle_stride(const mfft_pass_args &a) {
  return PASS_MIDDLE_STRIDE ? PASS_MIDDLE_STRIDE : a.middle_stride;
}
__device__ __forceinline__ long long middle_line(const mfft_pass_args &a) {
  return PASS_MIDDLE_LINE ? PASS_MIDDLE_LINE : a.middle_line;
}

__device__ __forceinline__ void first_pass(const mfft_pass_args &a, unsigned char *shared, u32 part,
                                           line_number first_line) {
  const tables fixed(shared);
  const tile t = {(value *)shared, (real *)shared, false};
  value v[first::most_values()];
#pragma unroll
  for (int i = 0; i < first::most_values(); i++) v[i] = {0, 0};
  const line_place<M> from(a, first_line + first::line_of_thread<first::map_of(0)>());
  if (from.live)
    load_lines<first>(v, (const stored *)a.in + find_line<false>(a, from.transform).offset + from.number * a.line_in,
                      in_stride(a));
  fixed.fill_first(a, [&](int line) { return (u32)((first_line + line) % M); });
  __syncthreads();
  merge_all<first>(fixed.roots, v, t);
  fixed.turn(v, t);
  const line_place<M> to(a, first_line + first::line_of_thread<first::map_of(MERGES - 1)>());
  if (to.live)
    store_lines<first>(v, (stored *)a.middle + find_line<true>(a, to.transform).offset + to.number * middle_line(a),
                       middle_stride(a));
  __syncthreads();
  if (threadIdx.x == 0) publish(a.counters + 2 * part);
}

__device__ __forceinline__ void second_pass(const mfft_pass_args &a, unsigned char *shared, u32 part,
                                            line_number first_line) {
  const tables fixed(shared);
  const tile t = {(value *)shared, (real *)shared, false};
  value v[second::most_values()];
  fixed.fill_second(a);
  u32 *complete = a.counters + 2 * part, *left = complete + 1;
  if (threadIdx.x == 0) {
    wait_for(complete, a.first_blocks);
    if (take_turn(left) == a.second_blocks - 1) *complete = *left = 0;  // ready for the next launch
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < second::most_values(); i++) v[i] = {0, 0};
  const line_place<N> at(a, first_line + second::line_of_thread<BY_LINE>());
  long long offset = at.live ? find_line<true>(a, at.transform).offset : 0;
  if (at.live) load_lines<second>(v, (const stored *)a.middle + offset + at.number * middle_stride(a), middle_line(a));
  merge_all<second>(fixed.second_roots, v, t);
  scale(a, v, second::most_values());
  if (at.live) store_lines<second>(v, (stored *)a.out + offset + at.number * a.line_out, out_stride(a));
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][tables]
  u32 blocks = a.first_blocks + a.second_blocks, step = blockIdx.x / blocks, i = blockIdx.x % blocks;
  u32 before = (u32)((unsigned long long)i * a.first_blocks / blocks);  // blocks of the first pass in this step so far
  bool is_first = (u32)((unsigned long long)(i + 1) * a.first_blocks / blocks) > before;
  u32 part = is_first ? step : step - a.lead, index = is_first ? before : i - before;
  release_next();
  if (part >= a.parts) return;  // the first and the last steps have one pass only
  wait_for_previous();
  if (is_first)
    first_pass(a, shared, part, ((line_number)part * a.first_blocks + index) * first::LINES);
  else
    second_pass(a, shared, part, ((line_number)part * a.second_blocks + index) * second::LINES);
}

}  // namespace mfft
