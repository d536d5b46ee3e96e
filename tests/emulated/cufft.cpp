// cufft.cpp: the calls of cuFFT for one GPU that `mergefft bench` and t890 make, by FFTW, in single and double: a plan runs
// on its stream and may be captured.
//
// MFFT_EMULATED_CUFFT_LOG names a file that gets a line for every plan; MFFT_EMULATED_CUFFT_SLOW is a list of calls that
// sleep for 5 ms: "single" and "many" plans, "embeds", "patient" ones, and every "launch" that is not replayed from a graph.
// With MFFT_EMULATED_CUFFT_WRONG=1 results are twice too large.
#include <cufftXt.h>
#include <fftw3.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "driver.hpp"

namespace {

// A layout that is NULL in the call is dense; in place this means rows of reals that are padded to whole complex numbers.
struct layout {
  bool given = false;
  std::vector<long long> embed;
  long long stride = 1, dist = 0;
};

struct plan {
  std::string what;  // words that MFFT_EMULATED_CUFFT_SLOW may name
  std::vector<long long> n;
  long long batch = 1;
  bool is_double = false, patient = false;
  char type = 0;  // 'c': complex to complex, 'r': real to complex, 'i': complex to real
  layout side[2];
  CUstream stream = nullptr;
  // By input, output and direction; made and destroyed by the thread of the caller alone, as FFTW's planner wants it.
  std::map<std::tuple<void *, void *, int>, std::function<void()>> runs;
};

std::map<cufftHandle, plan> plans;

bool listed(const char *variable, const std::string &word) {
  const char *list = getenv(variable);
  return list && (std::string(",") + list + ",").find("," + word + ",") != std::string::npos;
}

bool is_slow(const plan &p, bool launched) {
  const char *const list = "MFFT_EMULATED_CUFFT_SLOW";
  return listed(list, p.what) || (p.side[0].given && listed(list, "embeds")) || (p.patient && listed(list, "patient")) ||
         (launched && listed(list, "launch"));
}

cufftResult made(cufftHandle handle, plan p, size_t *work) {
  if (p.side[0].given != p.side[1].given) return CUFFT_INVALID_VALUE;
  if (const char *name = getenv("MFFT_EMULATED_CUFFT_LOG"))
    if (FILE *file = fopen(name, "a")) {
      fprintf(file, "%s %s%s type %c batch %lld\n", p.what.c_str(), p.side[0].given ? "embeds" : "dense",
              p.patient ? " patient" : "", p.type, p.batch);
      fclose(file);
    }
  *work = 0;
  p.stream = plans[handle].stream;
  plans[handle] = p;
  return CUFFT_SUCCESS;
}

cufftResult make_single(cufftHandle handle, std::vector<long long> n, cufftType type, size_t *work) {
  plan p = plans[handle];
  p.what = "single";
  p.n = n;
  p.is_double = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
  p.type = type == CUFFT_C2C || type == CUFFT_Z2Z ? 'c' : type == CUFFT_R2C || type == CUFFT_D2Z ? 'r' : 'i';
  return made(handle, p, work);
}

// The layout of one side as FFTW's guru interface describes it: strides of the axes, and of the arrays of a batch.
std::vector<fftw_iodim64> iodims(const plan &p, bool in_place, fftw_iodim64 *batch) {
  const size_t rank = p.n.size();
  std::vector<fftw_iodim64> dims(rank);
  for (int side = 0; side < 2; side++) {
    const bool real = p.type == (side ? 'i' : 'r'), halved = p.type == (side ? 'r' : 'i');
    std::vector<long long> shape = p.side[side].given ? p.side[side].embed : p.n;
    if (!p.side[side].given) {
      const long long half = p.n[rank - 1] / 2 + 1;
      shape[rank - 1] = halved ? half : real && in_place ? 2 * half : p.n[rank - 1];
    }
    long long distance = p.side[side].given ? p.side[side].stride : 1;
    for (size_t a = rank; a-- > 0; distance *= shape[a]) {
      dims[a].n = (ptrdiff_t)p.n[a];
      (side ? dims[a].os : dims[a].is) = (ptrdiff_t)distance;
    }
    (side ? batch->os : batch->is) = (ptrdiff_t)(p.side[side].given ? p.side[side].dist : distance);
  }
  batch->n = (ptrdiff_t)p.batch;
  return dims;
}

// FFTW's plan for these arrays, ready to be executed any number of times.
template <class R, class Destroy>
std::function<void()> runner(R fftw, void (*execute)(const R), Destroy destroy) {
  if (!fftw) return nullptr;
  std::shared_ptr<std::remove_pointer_t<R>> owned(fftw, destroy);
  return [owned, execute] { execute(owned.get()); };
}

std::function<void()> transform(const plan &p, void *in, void *out, int direction) {
  fftw_iodim64 batch;
  const std::vector<fftw_iodim64> dims = iodims(p, in == out, &batch);
  const int rank = (int)dims.size();
  const unsigned flags = FFTW_ESTIMATE;
  const auto *d = dims.data();
  if (p.is_double) {
    auto *c = static_cast<fftw_complex *>(in), *o = static_cast<fftw_complex *>(out);
    return runner(p.type == 'c'   ? fftw_plan_guru64_dft(rank, d, 1, &batch, c, o, direction, flags)
                  : p.type == 'r' ? fftw_plan_guru64_dft_r2c(rank, d, 1, &batch, static_cast<double *>(in), o, flags)
                                  : fftw_plan_guru64_dft_c2r(rank, d, 1, &batch, c, static_cast<double *>(out), flags),
                  fftw_execute, fftw_destroy_plan);
  }
  auto *c = static_cast<fftwf_complex *>(in), *o = static_cast<fftwf_complex *>(out);
  return runner(p.type == 'c'   ? fftwf_plan_guru64_dft(rank, d, 1, &batch, c, o, direction, flags)
                : p.type == 'r' ? fftwf_plan_guru64_dft_r2c(rank, d, 1, &batch, static_cast<float *>(in), o, flags)
                                : fftwf_plan_guru64_dft_c2r(rank, d, 1, &batch, c, static_cast<float *>(out), flags),
                fftwf_execute, fftwf_destroy_plan);
}

void spoil(bool is_double, void *out) {
  if (!listed("MFFT_EMULATED_CUFFT_WRONG", "1")) return;
  if (is_double)
    *static_cast<double *>(out) += 1e6;
  else
    *static_cast<float *>(out) += 1e6F;
}

}  // namespace

extern "C" {

cufftResult cufftGetVersion(int *version) { return *version = CUFFT_VERSION, CUFFT_SUCCESS; }

cufftResult cufftCreate(cufftHandle *handle) {
  static cufftHandle next;
  plans[ *handle = ++next] = plan();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) { return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  plans[handle].stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property, const long long int value) {
  if (property != NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT) return CUFFT_INVALID_VALUE;
  plans[handle].patient = value != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *work) {
  return batch == 1 ? make_single(handle, {nx}, type, work) : CUFFT_NOT_SUPPORTED;
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *work) {
  return make_single(handle, {nx, ny}, type, work);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *work) {
  return make_single(handle, {nx, ny, nz}, type, work);
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long int *n, long long int *inembed,
                                long long int istride, long long int idist, cudaDataType in, long long int *onembed,
                                long long int ostride, long long int odist, cudaDataType out, long long int batch,
                                size_t *work, cudaDataType execution) {
  plan p = plans[handle];
  if (execution != CUDA_C_32F && execution != CUDA_C_64F) return CUFFT_NOT_SUPPORTED;
  p.what = "many";
  p.n.assign(n, n + rank);
  p.batch = batch;
  p.is_double = execution == CUDA_C_64F;
  p.type = in == CUDA_R_32F || in == CUDA_R_64F ? 'r' : out == CUDA_R_32F || out == CUDA_R_64F ? 'i' : 'c';
  if (inembed) p.side[0] = {true, std::vector<long long>(inembed, inembed + rank), istride, idist};
  if (onembed) p.side[1] = {true, std::vector<long long>(onembed, onembed + rank), ostride, odist};
  return made(handle, p, work);
}

cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction) {
  plan &p = plans[handle];
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
  if (cuStreamIsCapturing(p.stream, &capturing) != CUDA_SUCCESS) return CUFFT_EXEC_FAILED;
  const bool launched = capturing == CU_STREAM_CAPTURE_STATUS_NONE;
  std::function<void()> &run = p.runs[{in, out, direction}];
  if (!run) run = transform(p, in, out, direction);
  if (!run) return CUFFT_EXEC_FAILED;
  const auto step = [&run, out, is_double = p.is_double, slow = is_slow(p, launched)](bool *progress) {
    if (slow) usleep(5000);
    run();
    spoil(is_double, out);
    return *progress = true;
  };
  return emulated::emulated_launch_steps(p.stream, step) == CUDA_SUCCESS ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// Several GPUs are not emulated.
cufftResult cufftXtSetGPUs(cufftHandle, int, int *) { return CUFFT_NOT_SUPPORTED; }
cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc **, cufftXtSubFormat) { return CUFFT_NOT_SUPPORTED; }
cufftResult cufftXtMemcpy(cufftHandle, void *, void *, cufftXtCopyType) { return CUFFT_NOT_SUPPORTED; }
cufftResult cufftXtFree(cudaLibXtDesc *) { return CUFFT_NOT_SUPPORTED; }
cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) { return CUFFT_NOT_SUPPORTED; }
}
