/* shells.c: sums over shells (mfft_shells in mfft_spectrum.h), which add the elements in C order. */
#include <math.h>

#include "local/host/host.h"
#include "local/host/stored.h"

/* |x|^2 of the complex number at `at`.  Each stored type has such a function. */
typedef double (*power)(const void *in, int64_t at);

#define POWER(precision, name, type, real)                                   \
  static double power_##name(const void *in, int64_t at) {                   \
    const type *x = (const type *)in + 2 * at;                               \
    const real re = mfft_##name##_load(x[0]), im = mfft_##name##_load(x[1]); \
    return (double)(re * re + im * im);                                      \
  }
MFFT_STORED_TYPES(POWER)

#define ENTRY(precision, name, type, real) [precision] = power_##name,
static const power power_of[] = {MFFT_STORED_TYPES(ENTRY)};

/* The index of the shell that contains a radius, or -1.  The search begins at shell `near`, that of the preceding element,
 * since adjacent elements are in adjacent shells. */
static int64_t find(const mfft_shell_sums *s, double radius, int64_t near) {
  const double *edge = s->edge;
  if (!(radius >= edge[0]) || radius >= edge[s->count]) return -1;
  int64_t b = near < 0 ? 0 : near, step = 1;
  if (radius < edge[b]) { /* growing steps find a range that contains the radius, bisection then the shell */
    while (b - step > 0 && radius < edge[b - step]) step *= 2;
    b = b - step > 0 ? b - step : 0;
  } else
    while (b + step < s->count && radius >= edge[b + step]) b += step, step *= 2;
  int64_t end = b + 2 * step < s->count ? b + 2 * step : s->count; /* edge[b] <= radius < edge[end] */
  while (end - b > 1) {
    const int64_t middle = b + (end - b) / 2;
    if (radius < edge[middle])
      end = middle;
    else
      b = middle;
  }
  return b;
}

mfft_status mfft_host_shells(mfft_precision precision, const mfft_shell_sums *s, const void *in, void *stream) {
  (void)stream;
  const mfft_filter_shape *shape = &s->shape;
  const mfft_shell_index *x = s->index + shape->table[0], *y = s->index + shape->table[1], *z = s->index + shape->table[2];
  int64_t b = -1;
  for (int64_t array = 0; array < shape->n[0]; array++)
    for (int64_t i = 0; i < shape->n[1]; i++)
      for (int64_t j = 0; j < shape->n[2]; j++) {
        const double row = x[i].radius * x[i].radius + y[j].radius * y[j].radius;
        const double weight = x[i].weight * y[j].weight, modes = x[i].modes * y[j].modes;
        const int64_t at = array * shape->stride[0] + i * shape->stride[1] + j * shape->stride[2];
        for (int64_t k = 0; k < shape->n[3]; k++) {
          const double radius = sqrt(row + z[k].radius * z[k].radius), times = modes * z[k].modes;
          const int64_t found = find(s, radius, b);
          if (found < 0) continue;
          b = found;
          s->modes[b] += (int64_t)times;
          s->radius[b] += times * radius;
          s->power[b] += times * power_of[precision](in, at + k * shape->stride[3]) * weight * z[k].weight;
        }
      }
  return MFFT_SUCCESS;
}
