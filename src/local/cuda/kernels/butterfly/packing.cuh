// packing.cuh: half spectra of 2n reals that are transformed as n complexes (Cooley, Lewis and Welch).  With k' = n - k and
// w = exp(SIGN i pi k / n), one formula converts the transform Y of the packed line to the half spectrum X (SIGN -1, H =
// 1/2) and back (SIGN +1, H = 1):
//
//     X[k] = H ((Y[k] + conj Y[k']) + SIGN i w (Y[k] - conj Y[k']))        X[k'] = H conj((...) - SIGN i w (...))
//
// A butterfly g of the first or last merge has the elements g + q K, q < R, of the whole transform, K = n / R.  Their
// partners are the elements of butterfly K - g, in reverse order.  Therefore a thread that has both butterflies of such a
// pair needs no data of other threads, and one twiddle for each pair of elements.  Butterfly 0 is its own partner, and so is
// K / 2: one thread has both.
//
// If a line is transformed in one pass, both butterflies are in the same line of the pass.  With several passes, element k +
// j P of a long line is in line k < P of the pass, and a block has lines in pairs, k and P - k: row `line` and row `line` +
// LINES of the tile.
#pragma once

#include "error_free.cuh"
#include "exchange.cuh"

namespace mfft {

template <class SHAPE>
struct packed_chain : chain<SHAPE> {
  using base = chain<SHAPE>;
  using SHAPE::LINES;
  using SHAPE::MERGES;
  using SHAPE::N;
  using SHAPE::THREADS;

  static constexpr int SIDES = SHAPE::MIRROR ? 2 : 1, ROWS = LINES * SIDES;
  static constexpr int ROOM = N + ((SHAPE::HALF_IN || SHAPE::HALF_OUT) && (SHAPE::STAGED_IN || SHAPE::STAGED_OUT)),
                       PITCH = (ROOM + base::gaps(ROOM)) | 1;
  __host__ __device__ static constexpr int slot(int line, int pos) {
    return base::LINE_INNER ? pos * ROWS + line : line * PITCH + pos + base::gaps(pos);
  }

  // Whether merge I takes butterflies g and K - g together, or else g and K - 1 - g, whose elements are opposite: element i
  // of one and n - 1 - i of the other.
  __host__ __device__ static constexpr bool mirrored(int i) {
    return (i == 0 && SHAPE::PAIRED_IN) || (i == MERGES - 1 && SHAPE::PAIRED_OUT);
  }
  __host__ __device__ static constexpr bool opposite(int i) {
    return !mirrored(i) && ((i == 0 && SHAPE::OPPOSITE_IN) || (i == MERGES - 1 && SHAPE::OPPOSITE_OUT));
  }
  // Number of pairs of butterflies of a thread in merge I; 0: they are not in pairs.
  __host__ __device__ static constexpr int pairs(int i) {
    int columns = N / SHAPE::radix(i);
    return mirrored(i) || opposite(i) ? ceil_div(SIDES == 2 ? columns : (columns + 1) / 2, THREADS) : 0;
  }
  __host__ __device__ static constexpr int most_values() {
    int most = 1;
    for (int i = 0; i < MERGES; i++) {
      int columns = N / SHAPE::radix(i), singly = SIDES * ceil_div(columns, THREADS);
      int butterflies = pairs(i) && columns > 1 ? 2 * pairs(i) : singly;
      most = butterflies * SHAPE::radix(i) > most ? butterflies * SHAPE::radix(i) : most;
    }
    return most;
  }

  // Calls f(b, line, j, line2, j2) for the pairs of merge I: butterflies 2 b and 2 b + 1 of the thread.  With SELECTS lines
  // and butterflies are selected without branches, which copy f, but then the compiler cannot tell a line from its mirror.
  template <int I, class F>
  __device__ __forceinline__ static void each_pair(const tile &t, F f) {
    constexpr int M = N / SHAPE::radix(I), COUNT = SIDES == 2 ? M : (M + 1) / 2;
    constexpr int MAP = base::map_of(I);
    int line = base::template line_of_thread<MAP>(), first = base::template part_of_thread<MAP>();
#pragma unroll
    for (int b = 0; b < pairs(I); b++) {
      int j = first + b * THREADS;
      if (COUNT % THREADS && j >= COUNT) continue;
      if (SIDES == 1) {
        f(b, line, j, line, opposite(I) ? M - 1 - j : j ? M - j : M / 2);
      } else if (SHAPE::SELECTS) {
        const bool upper = t.own && j >= M / 2, lower = t.own && !upper;
        const int at = upper ? j - M / 2 : j;
        f(b, upper ? line + LINES : line, at, lower ? line : line + LINES, lower ? (j ? M - j : M / 2) : M - 1 - at);
      } else if (!t.own) {
        f(b, line, j, line + LINES, M - 1 - j);
      } else if (j < M / 2) {  // lines 0 and P / 2 are their own mirrors
        f(b, line, j, line, j ? M - j : M / 2);
      } else {
        f(b, line + LINES, j - M / 2, line + LINES, M - 1 - (j - M / 2));
      }
    }
  }

  template <int I, class F>
  __device__ __forceinline__ static void each(const tile &t, F f) {
    if constexpr (pairs(I) > 0) {
      each_pair<I>(t, [&](int b, int line, int j, int line2, int j2) {
        f(2 * b, line, j);
        constexpr int M = N / SHAPE::radix(I);
        if (SIDES == 2 || M % 2 == 0 || (opposite(I) ? j < M / 2 : j > 0)) f(2 * b + 1, line2, j2);
      });
    } else {
      constexpr int EACH = ceil_div(N / SHAPE::radix(I), THREADS);
#pragma unroll
      for (int side = 0; side < SIDES; side++)
        base::template each<I>(t, [&](int b, int line, int j) { f(side * EACH + b, line + side * LINES, j); });
    }
  }
};

// A root of unity and, if tables have two parts, its rounding error.
struct two_part_root {
  value high, low;
};
__device__ __forceinline__ two_part_root mirrored_root(two_part_root w) {
  return {{-w.high.re, w.high.im}, {-w.low.re, w.low.im}};
}
template <int SIGN>
__device__ __forceinline__ two_part_root times_quarter_root(two_part_root w) {
  return {times_root<4, SIGN>(w.high, 1), times_root<4, SIGN>(w.low, 1)};
}
// SIGN i H w
template <int SIGN>
__device__ __forceinline__ two_part_root root_of_pair(two_part_root w) {
  constexpr real H = SIGN < 0 ? (real)0.5 : (real)1;
  return {{-SIGN * H * w.high.im, SIGN * H * w.high.re}, {-SIGN * H * w.low.im, SIGN * H * w.low.re}};
}

// Converts one pair of elements, with root = SIGN i H w.
template <int SIGN>
__device__ __forceinline__ void pack_pair(value &x, value &y, two_part_root root) {
  constexpr real H = SIGN < 0 ? (real)0.5 : (real)1;
  const value w = root.high, low = root.low;
  if constexpr (PASS_EXACT >= ROUNDED_ONCE) {
    const real sigma = sigma_for((fabs(x.re) + fabs(x.im)) + (fabs(y.re) + fabs(y.im)));
    const two_part<real> x_re = extract(x.re, sigma), x_im = extract(x.im, sigma);
    const two_part<real> y_re = extract(y.re, sigma), y_im = extract(y.im, sigma);
    const two_part<real> even_re = H * (x_re + y_re), even_im = H * (x_im - y_im), off_re = x_re - y_re,
                         off_im = x_im + y_im;
    extracted_sum<real> re(sigma), im(sigma);
    re.add(w.re, off_re);
    re.add(-w.im, off_im);
    im.add(w.re, off_im);
    im.add(w.im, off_re);
    if (PASS_EXACT >= TWO_PART_TWIDDLES) {
      re.add_to_low(low.re, off_re.high);
      re.add_to_low(-low.im, off_im.high);
      im.add_to_low(low.re, off_im.high);
      im.add_to_low(low.im, off_re.high);
    }
    const two_part<real> odd_re = re.minus(sigma), odd_im = im.minus(sigma);
    x = {rounded(even_re + odd_re), rounded(even_im + odd_im)};
    y = {rounded(even_re - odd_re), rounded(odd_im - even_im)};
  } else {
    value even = x + conj(y), odd = w * (x - conj(y));
    x = {H * even.re + odd.re, H * even.im + odd.im};
    y = {H * even.re - odd.re, odd.im - H * even.im};
  }
}

// Converts butterflies g and K - g.  root_of(q) is w of element g + q K.
template <int R, int SIGN, class F>
__device__ __forceinline__ void pack_columns(value *x, value *y, F root_of) {
#pragma unroll
  for (int q = 0; q < R; q++) {
    if (2 * q >= R && R % 2 == 0) continue;
    const two_part_root w = root_of_pair<SIGN>(root_of(q));
    pack_pair<SIGN>(x[q], y[R - 1 - q], w);
    if (R % 2 == 0) pack_pair<SIGN>(x[q + R / 2], y[R / 2 - 1 - q], times_quarter_root<SIGN>(w));
  }
}

// As above for coprime merges, whose butterfly g has the elements R g + q K modulo n; their partners are in reverse order.
template <int R, int SIGN, class F>
__device__ __forceinline__ void pack_coprime(value *x, value *y, F root_of) {
#pragma unroll
  for (int q = 0; q < R; q++) pack_pair<SIGN>(x[q], y[(R - q) % R], root_of_pair<SIGN>(root_of(q)));
}

// Converts butterfly 0 and, if TWO, butterfly K / 2.  end: the real element n of the half spectrum, output in forward
// direction and input in backward direction.
template <int R, int SIGN, bool TWO>
__device__ __forceinline__ void pack_first(value *x, value *y, real &end) {
  constexpr real H = SIGN < 0 ? (real)0.5 : (real)1;
  const value w = {0, SIGN * H};
  if (SIGN < 0) {
    end = x[0].re - x[0].im;
    x[0] = {x[0].re + x[0].im, 0};
  } else {
    x[0] = {x[0].re + end, x[0].re - end};
  }
#pragma unroll
  for (int q = 1; 2 * q < R; q++) pack_pair<SIGN>(x[q], x[R - q], {times_root<2 * R, SIGN>(w, q)});
  if (R % 2 == 0) x[R / 2] = {2 * H * x[R / 2].re, -2 * H * x[R / 2].im};
  if (!TWO) return;
  if constexpr (COPRIME) {  // y has the elements n / 2 + q K
    y[0] = {2 * H * y[0].re, -2 * H * y[0].im};
#pragma unroll
    for (int q = 1; 2 * q < R; q++) pack_pair<SIGN>(y[q], y[R - q], {times_root<2 * R, SIGN>(times_root<4, SIGN>(w, 1), q)});
    return;
  }
#pragma unroll
  for (int q = 0; 2 * q + 1 < R; q++) pack_pair<SIGN>(y[q], y[R - 1 - q], {times_root<4 * R, SIGN>(w, 2 * q + 1)});
  if (R % 2) y[R / 2] = {2 * H * y[R / 2].re, -2 * H * y[R / 2].im};
}

}  // namespace mfft
