/* backend.c: the table of the cuda backend.  Transforms are in transform.c, the other calls in ops/, exchanges in device.c.
 */
#include "local/cuda/backend.h"

#include "local/cuda/choose.h"
#include "local/cuda/kernels/args/twiddle_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/copy.h"
#include "local/cuda/ops/filter.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particles.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/ops/shells.h"
#include "local/cuda/plan_only.h"
#include "local/cuda/planner/trigonometric_phases.h"
#include "local/cuda/runtime/pointer.h"
#include "local/cuda/transform.h"
#include "local/cuda/trigonometric.h"
#include "local/device.h"

static mfft_status probe(void) {
  const mfft_nvrtc *nvrtc;
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  return mfft_nvrtc_open(&nvrtc);
}

static mfft_status twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                           int64_t col0, int64_t length, void *data, void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service_kernel kernel = {
      .service = MFFT_SERVICE_TWIDDLE, .precision = precision, .sign = direction == MFFT_FORWARD ? -1 : 1};
  CUfunction function;
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  mfft_twiddle_args_device args = {data, {n[0], n[1], n[2]}, row0, col0, length};
  int64_t grid = (n[0] * n[1] * n[2] + 1023) / 1024;
  if (grid == 0) return MFFT_SUCCESS;
  return mfft_launch(current.driver, function, 0, (unsigned)(grid < 1 << 20 ? grid : 1 << 20), 1, 256, 0, &args, stream,
                     "launching a twiddle");
}

static mfft_status fft_create(const mfft_fft_spec *spec, mfft_fft **fft) {
  if (mfft_fft_has_kinds(spec)) {
    mfft_cuda_current current;
    MFFT_TRY(mfft_cuda_find_current(&current));
    if (!mfft_trigonometric_in_phases(spec, current.limits))
      return mfft_cuda_trigonometric_create(spec, current.limits, &mfft_backend_cuda, 1, fft);
    MFFT_TRY(mfft_cuda_fft_create(spec, fft));
  } else {
    MFFT_TRY(mfft_cuda_fft_choose(spec, fft));
  }
  (*fft)->backend = &mfft_backend_cuda;
  return MFFT_SUCCESS;
}

const mfft_backend mfft_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU, kernels compiled when a plan is made",
    .host_memory = 0,
    .scrambles = 1,
    .trigonometric = 1,
    .convolves = 1,
    .no_long_double = MFFT_NO_LONG_DOUBLE_ON_GPUS,
    .probe = probe,
    .placed = mfft_cuda_placed,
    .alloc = mfft_cuda_alloc,
    .free = mfft_cuda_free,
    .upload = mfft_cuda_upload,
    .download = mfft_cuda_download,
    .move = mfft_cuda_move,
    .synchronize = mfft_cuda_synchronize,
    .check = mfft_cuda_check,
    .fft_create = fft_create,
    .fft_execute = mfft_cuda_fft_execute,
    .fft_print = mfft_cuda_fft_print,
    .fft_destroy = mfft_cuda_fft_destroy,
    .fft_scatter = mfft_cuda_fft_scatter,
    .copy = mfft_cuda_copy,
    .clear = mfft_cuda_clear,
    .twiddle = twiddle,
    .filter = mfft_cuda_filter,
    .shells = mfft_cuda_shells,
    .radial = mfft_cuda_radial,
    .multiply = mfft_cuda_multiply,
    .normal = mfft_cuda_normal,
    .sums = mfft_cuda_sums,
    .particles = &mfft_cuda_particle_calls,
    .rows = mfft_cuda_rows,
    .modes = mfft_cuda_modes,
    .product = mfft_cuda_product,
    .fuses = mfft_cuda_fuses,
    .convert = mfft_cuda_convert,
    .resize = mfft_cuda_resize,
    .algorithms = mfft_cuda_algorithms,
    .device = &mfft_device_cuda,
    .plan_only = &mfft_backend_cuda_plan_only,
};
