// trigonometric.cuh: cosines and sines of a real line (mfft_kind.h) by a DFT, element by element: what an input of the DFT
// is made of, and where its results go (planner/trigonometric.h has the formulas).  KIND is an mfft_axis_kind, n its length,
// W the root of the table with the index of the element; `read(i)` gives number i of the line, `write(i, x)` takes it.
#pragma once

#include "config.cuh"

namespace mfft {

template <int KIND, class INT>
struct trigonometric {
  static constexpr int TYPE = (KIND - 1) % 4 + 1;  // I to IV
  static constexpr bool SINES = KIND > 4;
  INT n;

  // Makhoul's order, of types II and III: even elements upwards, then odd ones downwards.
  __device__ __forceinline__ INT place(INT i) const { return 2 * i < n ? 2 * i : 2 * (n - i) - 1; }
  __device__ __forceinline__ real sign_at(INT i) const { return SINES && 2 * i >= n ? -1 : 1; }

  // Types I, II and IV of odd length: number i of the real line that is transformed.
  template <class READ>
  __device__ __forceinline__ real real_input(INT i, READ read) const {
    if constexpr (TYPE == 1) {
      const INT half = SINES ? n + 1 : n - 1, at = i <= half ? i : 2 * half - i;
      if constexpr (!SINES) return read(at);
      if (at == 0 || at == half) return 0;
      const real x = read(at - 1);
      return i <= half ? x : -x;
    } else if constexpr (TYPE == 2) {
      return sign_at(i) * read(place(i));
    } else {
      INT m = (n - 1) / 2 + 4 * i;  // modulo 4 n
      if (m >= 4 * n) m -= 4 * n;
      const bool mirrored = m >= 2 * n, upper = mirrored ? m >= 3 * n : m >= n;
      const INT rest = mirrored ? m - 2 * n : m, at = upper ? 2 * n - 1 - rest : rest;
      const real x = read(SINES ? n - 1 - at : at);
      return mirrored != upper ? -x : x;
    }
  }

  // The results that element k of the half spectrum gives.
  template <class WRITE>
  __device__ __forceinline__ void from_spectrum(INT k, value v, value w, WRITE write) const {
    if constexpr (TYPE == 1) {
      if constexpr (!SINES)
        write(k, v.re);
      else if (k > 0 && k <= n)
        write(k - 1, -v.im);
    } else if constexpr (TYPE == 2) {
      const value x = w * v;
      write(SINES ? n - 1 - k : k, 2 * x.re);
      if (k > 0 && 2 * k != n) write(SINES ? k - 1 : n - k, -2 * x.im);
    } else {
      const INT up = k % 2 ? (k - 1) / 2 : (k + n - 1) / 2, down = k % 2 ? (2 * n - k - 1) / 2 : (n - k - 1) / 2;
      write(up, odd_result(up, v));
      if (k > 0) write(down, odd_result(down, conj(v)));
    }
  }

  // Type III: element k of the half spectrum whose real line, in Makhoul's order, is the result.
  template <class READ>
  __device__ __forceinline__ value spectrum_input(INT k, value w, READ read) const {
    const INT at = SINES ? n - 1 - k : k, mirror = k == 0 ? at : SINES ? k - 1 : n - k;
    const real x = read(at), y = read(mirror);
    return conj(w) * value{x, k == 0 ? 0 : -y};
  }
  template <class WRITE>
  __device__ __forceinline__ void from_real(INT i, real x, WRITE write) const {
    write(place(i), sign_at(i) * x);
  }

  // Type IV of even length: element j of n / 2 complexes, and the results that theirs give.
  template <class READ>
  __device__ __forceinline__ value complex_input(INT j, value w, READ read) const {
    const value x = {read(2 * j), read(n - 1 - 2 * j)};
    return (SINES ? value{x.im, x.re} : x) * w;
  }
  template <class WRITE>
  __device__ __forceinline__ void from_complex(INT k, value v, value w, WRITE write) const {
    const value x = v * w;
    write(2 * k, 2 * x.re);
    write(n - 1 - 2 * k, SINES ? 2 * x.im : -2 * x.im);
  }

 private:
  static constexpr real ROOT2 = (real)1.41421356237309504880;

  // Result k of type IV, odd length: 2 Re(exp(-i pi (2 k + 1) / 4) v).
  __device__ __forceinline__ static real odd_result(INT k, value v) {
    const bool left = (k + 1) & 2, below = !(k & 2);  // (+-1 +- i) / sqrt 2
    const real x = ROOT2 * ((left ? -v.re : v.re) + (below ? v.im : -v.im));
    return SINES && k % 2 ? -x : x;
  }
};

}  // namespace mfft
