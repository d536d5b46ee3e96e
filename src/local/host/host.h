/* host.h: functions that backends of host memory share: aligned memory, plain copies, the blocked strided copy, the
 * four-step twiddle, filters, and the calls of mfft_array.h.  The entries have the types of backend.h. */
#ifndef MFFT_LOCAL_HOST_HOST_H
#define MFFT_LOCAL_HOST_HOST_H

#include "base/status.h"
#include "local/backend.h"
#include "local/device.h"

enum { MFFT_HOST_ALIGNMENT = 64 };

mfft_status mfft_host_alloc(size_t bytes, void **pointer);
void mfft_host_free(void *pointer);
mfft_status mfft_host_move(void *to, const void *from, size_t bytes); /* for upload, download and move */
mfft_status mfft_host_synchronize(void *stream);

/* MFFT_ERR_UNSUPPORTED for a transform that requests a compute engine which only devices have. */
mfft_status mfft_host_check(const char *backend, const mfft_fft_spec *spec);

mfft_status mfft_host_copy(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                           void *stream);

mfft_status mfft_host_convert(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                              const void *in, void *out, void *stream);

mfft_status mfft_host_twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                              int64_t col0, int64_t length, void *data, void *stream);

mfft_status mfft_host_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream);

mfft_status mfft_host_shells(mfft_precision precision, const mfft_shell_sums *sums, const void *in, void *stream);

mfft_status mfft_host_radial(mfft_precision precision, const mfft_radial_product *radial, const void *in, void *out,
                             void *stream);

mfft_status mfft_host_multiply_spectra(mfft_precision precision, const mfft_filter_shape *shape, int conjugate,
                                       const void *kernel, void *array, void *stream);

mfft_status mfft_host_normal(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream);

mfft_status mfft_host_sums(mfft_precision precision, const mfft_reals_sums *sums, const void *in, void *stream);

mfft_status mfft_host_rows(mfft_precision precision, const mfft_reals_rows *rows, void *array, void *stream);
mfft_status mfft_host_modes(mfft_precision precision, const mfft_modes_fill *fill, void *out, void *stream);
mfft_status mfft_host_product(mfft_precision precision, const mfft_reals_product *what, const void *a, const void *b,
                              void *c, void *stream);

/* The entries of a backend's table whose calls are those of the host whatever computes the transforms. */
#define MFFT_HOST_ENTRIES                                                                                                 \
  .host_memory = 1, .trigonometric = 1, .pads = 1, .reproduces = 1, .free = mfft_host_free, .upload = mfft_host_move,     \
  .download = mfft_host_move, .move = mfft_host_move, .synchronize = mfft_host_synchronize, .convert = mfft_host_convert, \
  .filter = mfft_host_filter, .shells = mfft_host_shells, .radial = mfft_host_radial,                                     \
  .multiply = mfft_host_multiply_spectra, .normal = mfft_host_normal, .sums = mfft_host_sums, .rows = mfft_host_rows,     \
  .modes = mfft_host_modes, .product = mfft_host_product, .device = &mfft_device_host

#endif
