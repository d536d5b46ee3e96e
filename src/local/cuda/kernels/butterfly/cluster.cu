// cluster.cu: one pass of two chains of merges (Bailey's four-step method, or a plane of two axes; pair.cuh), with an
// exchange among the blocks of a cluster between them through distributed shared memory.
//
//   cluster    transforms one tile: a matrix of M lines of N elements, or COLUMNS such matrices side by side
//   block      r of the C blocks of a cluster has the M/C lines from r M/C on in the first chain, and the N/C lines from
//              r N/C on in the second chain, whose lines are the columns of the matrix; of columns of cosines half as
//              many and their mirror lines, where the spectrum is converted (lines_of_block)
//   thread     holds VALUES complexes in registers, as in pass.cu, and stores each result of the first chain straight
//              into the shared memory of the block that needs it
//   shared     [PASS_EXCHANGE_BYTES] the exchange area of both chains; then the tables of twiddles (shared_tables)
//   barriers   a first cluster barrier ends the reads of the first chain, before any block stores into the area of
//              another; a second one makes these stores visible.  Blocks arrive at the first as soon as they have read
//              their last values
#include "line_pair.cuh"
#include "pair.cuh"

namespace mfft {

constexpr int C = PASS_CLUSTER, ALL = N * PASS_SECOND_N;  // blocks; elements of a matrix
constexpr int BEFORE = PASS_SECOND_N / C, AFTER = N / C;  // lines of a matrix in a block, before and after the exchange

// The lines of a matrix that a block has, of TOTAL: EACH successive ones and, if MIRRORED, the mirror line TOTAL - i of each
// line i, and TOTAL / 2 with line 0, so that elements k and n - k of the matrix are in one block.
template <int TOTAL, bool MIRRORED>
struct lines_of_block {
  static constexpr int EACH = TOTAL / C / (MIRRORED ? 2 : 1);

  __device__ __forceinline__ static int index(int rank, int share) {
    if (!MIRRORED || share < EACH) return rank * EACH + share;
    const int line = rank * EACH + share - EACH;
    return line ? TOTAL - line : TOTAL / 2;
  }
  // The block that has line j + q STEP, j < STEP, and the index of the line in the block.
  struct place {
    int block, share;
  };
  template <int STEP>
  __device__ __forceinline__ static place find(int j, int q) {
    if constexpr (!MIRRORED) {
      const int block = STEP <= EACH ? 0 : j / EACH, share = STEP <= EACH ? j : j % EACH;
      return {block + q * STEP / EACH, share + q * STEP % EACH};
    } else {
      const int line = j + q * STEP;
      static_assert(TOTAL / STEP % 2 == 0, "q alone says in which half a line is");
      const bool upper = 2 * q * STEP >= TOTAL;
      const int low = !upper ? line : 2 * line == TOTAL ? 0 : TOTAL - line;
      return {low / EACH, low % EACH + (upper ? EACH : 0)};
    }
  }
};
typedef lines_of_block<PASS_SECOND_N, COSINES_IN> first_lines;
typedef lines_of_block<N, COSINES_OUT> second_lines;

struct second_shape : second_options {
  static constexpr bool LINE_INNER = COLUMNS > 1;  // if not, neighbouring threads write along a line in the exchange
  static constexpr bool STAGED_IN = true;
};
// The second chain.  Neighbouring lines belong to neighbouring columns, or, if the output has the elements of a line
// adjacent and not the columns (CONTIGUOUS), to one column.
struct second : packed_chain<second_shape> {
  static constexpr bool CONTIGUOUS = PASS_CONTIGUOUS_LINES;
  __device__ __forceinline__ static constexpr int line_at(int share, int column) {
    return CONTIGUOUS ? column * AFTER + share : share * COLUMNS + column;
  }
  __device__ __forceinline__ static constexpr int share_of(int line) { return CONTIGUOUS ? line % AFTER : line / COLUMNS; }
  __device__ __forceinline__ static constexpr int column_of(int line) { return CONTIGUOUS ? line / AFTER : line % COLUMNS; }

  // The exchange writes all columns of one position, then those of the next.  Gaps distribute the 128 bytes that are written
  // at once over different banks.
  static constexpr int WIDTH = ROWS + (CONTIGUOUS || COLUMNS * (int)sizeof(value) < 128 ? COLUMNS : 0);
  __host__ __device__ static constexpr int slot(int line, int pos) {
    return COLUMNS == 1 ? packed_chain<second_shape>::slot(line, pos) : pos * WIDTH + line + (CONTIGUOUS ? line / AFTER : 0);
  }
};

static_assert(second::N % C == 0 && first::N % C == 0, "each block has the same number of lines");
static_assert(first::ROWS == BEFORE * COLUMNS && second::ROWS == AFTER * COLUMNS,
              "a block's tile has its lines of all columns");
constexpr int VALUES = first::most_values() > second::most_values() ? first::most_values() : second::most_values();

// Whether the line of this thread that is held with its mirror line is line 0, whose elements have their mirrors in itself.
__device__ __forceinline__ bool is_own_mirror(int rank) {
  return (COSINES_IN && rank == 0 && first::line_of_thread<BY_LINE>() < COLUMNS) ||
         (COSINES_OUT && rank == 0 && second::line_of_thread<BY_LINE>() < COLUMNS);
}

// First half of the cluster barrier; a cluster of one block needs only the barrier of the block.
__device__ __forceinline__ void arrive(bool stores) {
  if constexpr (C > 1) cluster_arrive(stores);
}
__device__ __forceinline__ void wait() {
  if constexpr (C > 1)
    cluster_wait();
  else
    __syncthreads();
}

// The start of a column.  Columns beyond the last are never stored, and the last one is loaded in place of them.
template <bool OUT>
__device__ __forceinline__ line_start find_column(const mfft_pass_args &a, line_number tile, int column) {
  line_number number = tile * COLUMNS + column;
  if (COLUMNS > 1 && number >= (line_number)a.lines) number = (line_number)a.lines - 1;
  return find_line<OUT>(a, number);
}

// The first element of the line that a thread loads.
__device__ __forceinline__ const stored *find_source(const mfft_pass_args &a, line_number tile, int rank) {
  int line = first::line_of_thread<PASS_MAP_IN>();
  long long offset = find_column<false>(a, tile, line % COLUMNS).offset + (rank * BEFORE + line / COLUMNS) * a.line_in;
  return (const stored *)a.in + offset;
}

#if PASS_LOAD == FORM_HALF_EVEN
// Loads the lines of a thread from a half spectrum and packs them (packing.cuh).  Element k needs elements k and n - k of
// the half spectrum, which other blocks need too, so each block reads both.
__device__ __forceinline__ void load_halves(const mfft_pass_args &a, value *v, line_number transform, int rank) {
  constexpr int R = first::radix(0), ALL = first::N * second::N;
  const stored *from = (const stored *)a.in + find_line<false>(a, transform).offset;
  int number = rank * BEFORE + first::line_of_thread<PASS_MAP_IN>();
  first::each<0>({}, [&](int b, int, int j) {
    int first_k = number + j * second::N;
    value w = outer_twiddle(a, first_k);
#pragma unroll
    for (int q = 0; q < R; q++) {
      int k = first_k + q * (ALL / R);
      value x = widen(from_memory(from + k * a.line_in)), y = conj(widen(from_memory(from + (ALL - k) * a.line_in)));
      if (k == 0) x.im = y.im = 0;
      value odd = times_root<2 * R, SIGN>(w, q) * (x - y);
      v[b * R + q] = {x.re + y.re - odd.im, x.im + y.im + odd.re};
    }
  });
}
#endif

#if PASS_LOAD == FORM_LINE_PAIR
// The numbers of one butterfly in a pair of columns of cosines or sines: elements i + q ALL / R of the line that a DFT
// transforms, in Makhoul's order (ORDERED) or in that of the spectrum.  Distances are in numbers.
template <int R, bool ORDERED>
struct butterfly_numbers {
  static constexpr bool SINES = trigonometric_line::SINES;
  int i;
  long long stride;
  static_assert(R % 2 == 0, "q alone says in which half an element is");
  __device__ __forceinline__ static bool is_upper(int q) { return 2 * q >= R; }
  __device__ __forceinline__ long long offset(int q) const {
    if (!ORDERED) return SINES ? (ALL - 1 - i) * stride - q * (ALL / R) * stride : i * stride + q * (ALL / R) * stride;
    if (!is_upper(q)) return 2 * i * stride + q * (2 * ALL / R) * stride;
    return (2 * (ALL - i) - 1) * stride - q * (2 * ALL / R) * stride;
  }
  __device__ __forceinline__ value with_sign(int q, value v) const {
    return ORDERED && SINES && is_upper(q) ? value{-v.re, -v.im} : v;
  }
};

__device__ __forceinline__ void load_numbers(const mfft_pass_args &a, value *v, const tile &t, line_number tile, int rank) {
  constexpr int R = first::radix(0), M = PASS_SECOND_N;
  const int column = first::line_of_thread<PASS_MAP_IN>() % COLUMNS;
  const stored_real *from = (const stored_real *)a.in + find_column<false>(a, tile, column).offset;
  first::each<0>(t, [&](int b, int line, int j) {
    const butterfly_numbers<R, !COSINES_IN> at = {first_lines::index(rank, line / COLUMNS) + j * M, a.line_in};
#pragma unroll
    for (int q = 0; q < R; q++) v[b * R + q] = at.with_sign(q, load_neighbours(from + at.offset(q)));
  });
  if constexpr (COSINES_IN)
    convert_line_pair<first, 0>(a, v, t, [&](int line, int j) { return first_lines::index(rank, line / COLUMNS) + j * M; });
}

__device__ __forceinline__ void store_numbers(const mfft_pass_args &a, value *v, const tile &t, line_number tile, int rank) {
  constexpr int I = second::MERGES - 1, R = second::radix(I);
  const int column = second::column_of(second::line_of_thread<BY_LINE>());
  const auto element_of = [&](int line, int j) { return second_lines::index(rank, second::share_of(line)) + j * N; };
  if constexpr (COSINES_OUT) convert_line_pair<second, I>(a, v, t, element_of);
  if (tile * COLUMNS + column >= (line_number)a.lines) return;
  stored_real *to = (stored_real *)a.out + find_column<true>(a, tile, column).offset;
  second::each<I>(t, [&](int b, int line, int j) {
    const butterfly_numbers<R, !COSINES_OUT> at = {element_of(line, j), a.line_out};
#pragma unroll
    for (int q = 0; q < R; q++) store_neighbours(to + at.offset(q), at.with_sign(q, v[b * R + q]));
  });
}
#endif

#if PASS_TRIGONOMETRIC && PASS_LOAD == FORM_COMPLEX
// Columns of type IV, of 2 ALL numbers, from both ends of which each element is made, as are two results of each.
__device__ __forceinline__ void load_numbers(const mfft_pass_args &a, value *v, const tile &t, line_number tile, int rank) {
  constexpr int R = first::radix(0), M = PASS_SECOND_N;
  const trigonometric_line::kind of = {2 * ALL};
  const int column = first::line_of_thread<PASS_MAP_IN>() % COLUMNS;
  const stored_real *from = (const stored_real *)a.in + find_column<false>(a, tile, column).offset;
  const auto read = [&](int i) { return widen_real(from_memory(from + i * a.line_in)); };
  first::each<0>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) {
      const int i = first_lines::index(rank, line / COLUMNS) + j * M + q * (ALL / R);
      v[b * R + q] = of.complex_input(i, table(a.trigonometric_table, i), read);
    }
  });
}
__device__ __forceinline__ void store_numbers(const mfft_pass_args &a, value *v, const tile &t, line_number tile, int rank) {
  constexpr int I = second::MERGES - 1, R = second::radix(I);
  const trigonometric_line::kind of = {2 * ALL};
  const int column = second::column_of(second::line_of_thread<BY_LINE>());
  if (tile * COLUMNS + column >= (line_number)a.lines) return;
  stored_real *to = (stored_real *)a.out + find_column<true>(a, tile, column).offset;
  const auto write = [&](int i, real x) { to_memory(to + i * a.line_out, narrow_real(x)); };
  second::each<I>(t, [&](int b, int line, int j) {
#pragma unroll
    for (int q = 0; q < R; q++) {
      const int k = second_lines::index(rank, second::share_of(line)) + j * N + q * (ALL / R);
      of.from_complex(k, v[b * R + q], table(a.trigonometric_table, k), write);
    }
  });
}
#endif

__device__ __forceinline__ void load_tile(const mfft_pass_args &a, value *v, const tile &t, line_number tile, int rank) {
#if PASS_LOAD == FORM_HALF_EVEN
  load_halves(a, v, tile, rank);
#elif PASS_TRIGONOMETRIC
  load_numbers(a, v, t, tile, rank);
#else
  load_lines<first>(v, find_source(a, tile, rank), in_stride(a));
#endif
}

// Writes element k of each line to line k of the second chain.
__device__ __forceinline__ void exchange_blocks(const value *v, const tile &t, int rank) {
  constexpr int R = LAST, STEP = N / R;
  static_assert(COSINES_OUT || STEP % AFTER == 0 || AFTER % STEP == 0,
                "the outputs of a butterfly go to different blocks, or to one block");
  first::each<MERGES - 1>(t, [&](int b, int line, int j) {
    const int pos = first_lines::index(rank, line / COLUMNS);
#pragma unroll
    for (int q = 0; q < R; q++) {
      const auto there = second_lines::find<STEP>(j, q);
      value *to = t.whole + second::slot(second::line_at(there.share, line % COLUMNS), pos);
      if constexpr (C > 1)
        store_in_block(to, there.block, v[b * R + q].re, v[b * R + q].im);
      else
        *to = v[b * R + q];
    }
  });
}

// Fills in the twiddles after this pass for element k of each column, if further passes follow.
__device__ __forceinline__ void fill_ends(const mfft_pass_args &a, const shared_tables &tables, line_number tile) {
#if PASS_OUTER
  constexpr int R = second::radix(second::MERGES - 1);
  fill_twiddles<R, first::N *(second::N / R), COLUMNS>(a, tables.ends,
                                                       [&](int column) { return find_column<true>(a, tile, column).outer; });
#endif
}

// The start of a transform in the output; offsets count reals if the output is real.
__device__ __forceinline__ stored *begin_of(const mfft_pass_args &a, const line_start &p) {
  return PASS_STORE == FORM_REAL_PAIR ? (stored *)((stored_real *)a.out + p.offset) : (stored *)a.out + p.offset;
}

__device__ __forceinline__ void store_tile(const mfft_pass_args &a, value *v, const tile &t, const shared_tables &tables,
                                           line_number tile, int rank) {
#if PASS_TRIGONOMETRIC
  scale<VALUES>(a, v);
  store_numbers(a, v, t, tile, rank);
#else
  int line = second::line_of_thread<BY_LINE>(), share = rank * AFTER + second::share_of(line),
      column = second::column_of(line);
  const line_start to = find_column<true>(a, tile, column);
#if PASS_OUTER
  twiddle_butterflies<second>(
      v, t, [&](int, int j) { return outer_twiddle(a, to.outer * (u32)(share + first::N * j)); },
      [&](int, int q) { return tables.ends[q * COLUMNS + column]; });
#endif
  scale<VALUES>(a, v);
  if (COLUMNS == 1 || tile * COLUMNS + column < (line_number)a.lines)
    store_lines<second>(v, begin_of(a, to) + share * a.line_out, out_stride(a));
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK, PASS_MIN_BLOCKS) mfft_pass(const __grid_constant__ mfft_pass_args a) {
  extern __shared__ __align__(16) unsigned char shared[];  // [exchange area][tables]
  const shared_tables tables(shared);
  const int rank = blockIdx.x % C;
  const tile t = {(value *)shared, (real *)shared, is_own_mirror(rank)};
  const line_number tile = blockIdx.x / C;
  value v[VALUES];
  release_next();
  wait_for_previous();
#pragma unroll
  for (int i = 0; i < VALUES; i++) v[i] = {0, 0};
  load_tile(a, v, t, tile, rank);
  tables.fill_first(a, [&](int row) { return (u32)first_lines::index(rank, row) * a.inner_step; });
  tables.fill_second(a);
  __syncthreads();
  merge_all<first>(tables.twiddles, v, t, [] { arrive(false); });  // other blocks may write here after this barrier
  tables.twiddle_between_chains(v, t);
  wait();
  exchange_blocks(v, t, rank);
  fill_ends(a, tables, tile);
  arrive(true);
  wait();
  read_inputs<second, 0>(t.whole, t, [&](int i, value x) { v[i] = x; });
  merge_all<second>(tables.second_twiddles, v, t);
  store_tile(a, v, t, tables, tile, rank);
}

}  // namespace mfft
