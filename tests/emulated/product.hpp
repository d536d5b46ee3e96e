// product.hpp: the matrix products of a warp (mma.cuh), with the rounding of tensor cores.
#pragma once

namespace mfft {

// A sum: terms are truncated at the last bit of a float as large as the largest term, and so is the result.
static inline float cut_sum(const double *term, int count) {
  int most = -1000;
  for (int i = 0; i < count; i++)
    if (term[i] != 0 && isfinite(term[i])) most = max(most, ilogb(term[i]));
  double unit = ldexp(1, most - 24), sum = 0;
  for (int i = 0; i < count; i++) sum += most > -1000 && isfinite(term[i]) ? trunc(term[i] / unit) * unit : term[i];
  float near = (float)sum;
  return fabs((double)near) > fabs(sum) ? nextafterf(near, 0.0f) : near;
}

// D += A B with the layouts of mma.cuh.  B of a lane: k t, t + 4, ... of column g, in the order of `b`.
template <int DEPTH, class T, class A, class B>
static inline void product(T (&d)[4], bool first, const double *mine, int a_words, A a_at, B b_at) {
  unsigned me = threadIdx.x % emulated::WARP;
  emulated::lanes all = emulated::machine->exchange(mine, a_words + DEPTH / 4);
  for (int i = 0; i < 4; i++) {
    unsigned row = me / 4 + i / 2 * 8, column = 2 * (me % 4) + i % 2;
    if (first) d[i] = 0;
    double term[DEPTH + 1] = {(double)d[i]};
    for (unsigned k = 0; k < DEPTH; k++) term[k + 1] = a_at(all, row, k) * b_at(all, k, column);
    if (sizeof(T) == 8)
      for (int k = 0; k < DEPTH; k++) d[i] += (T)term[k + 1];
    else
      d[i] = (T)cut_sum(term, DEPTH + 1);
  }
}
static inline void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1, bool first) {
  typedef emulated::lanes lanes;
  double mine[12];
  const u32 word[6] = {a[0], a[1], a[2], a[3], b0, b1};
  for (int i = 0; i < 12; i++) mine[i] = half_to_float((unsigned short)(word[i / 2] >> i % 2 * 16));
  product<16>(
      d, first, mine, 8,
      [](lanes all, unsigned row, unsigned k) { return all[row % 8 * 4 + k % 8 / 2][2 * (row / 8 + k / 8 * 2) + k % 2]; },
      [](lanes all, unsigned k, unsigned column) { return all[column * 4 + k % 8 / 2][8 + 2 * (k / 8) + k % 2]; });
}
static inline void mma(double (&d)[4], const double (&a)[4], double b0, double b1, bool first) {
  typedef emulated::lanes lanes;
  const double mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
  product<8>(
      d, first, mine, 4, [](lanes all, unsigned row, unsigned k) { return all[row % 8 * 4 + k % 4][row / 8 + k / 4 * 2]; },
      [](lanes all, unsigned k, unsigned column) { return all[column * 4 + k % 4][4 + k / 4]; });
}

}  // namespace mfft
