// launch.cpp: modules and launches of the emulated driver.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "compile.hpp"
#include "driver.hpp"

using namespace emulated;

// Finds the range of addresses of a library, for its constants.
static int find_range(dl_phdr_info *info, size_t, void *wanted) {
  auto *m = (module *)wanted;
  const char *inside = (const char *)m->code;
  const char *begin = nullptr, *end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const char *from = (const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, *to = from + info->dlpi_phdr[i].p_memsz;
    if (!begin || from < begin) begin = from;
    if (!end || to > end) end = to;
  }
  if (!begin || inside < begin || inside >= end) return 0;
  m->begin = begin;
  m->end = end;
  return 1;
}

// The library of a kernel, opened under a name of its own, since dlopen knows libraries by their names.
static void *open_library(const std::string &image) {
  char path[] = "/tmp/emulated-kernel-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return nullptr;
  const bool whole = write(file, image.data(), image.size()) == (ssize_t)image.size();
  close(file);
  void *library = whole ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library) complain("a kernel cannot be loaded: %s", whole ? dlerror() : "no space in /tmp");
  unlink(path);
  return library;
}

bool module::load() {
  if (code) return true;
  std::string log;
  const std::string image = compile(description.c_str(), &log);
  if (image.empty()) complain("a kernel cannot be compiled: %s", log.c_str());
  if (!image.empty()) library = open_library(image);
  if (library) code = (const kernel *)dlsym(library, "emulated_kernel");
  if (!code) return false;
  *code->machine = machine_services();
  dl_iterate_phdr(find_range, this);
  const char *const *said = (const char *const *)dlsym(library, "emulated_name");
  name = said ? *said : "a kernel";
  return true;
}

CUresult emulated::check_launch(const launch_config &config) {
  if (!config.what->load()) return CUDA_ERROR_INVALID_IMAGE;
  const kernel *code = config.what->code;
  const uint64_t threads = (uint64_t)config.block.x * config.block.y * config.block.z;
  const size_t statics = (size_t)(code->statics_end - code->statics);
  if (!config.grid.x || !config.grid.y || !config.grid.z || config.grid.x > 0x7fffffffu || config.grid.y > 65535 ||
      config.grid.z > 65535 || !threads || threads > MOST_THREADS)
    return CUDA_ERROR_INVALID_VALUE;
  if (threads > code->most_threads) return CUDA_ERROR_INVALID_VALUE;
  if (config.shared_bytes > config.most_shared || config.shared_bytes + statics > model().most_shared)
    return CUDA_ERROR_INVALID_VALUE;
  if (!config.cluster || config.grid.x % config.cluster || config.cluster > std::max(1u, model().most_cluster) ||
      (config.cluster > PORTABLE_CLUSTER && !config.large_clusters))
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (!config.args.empty() && config.args.size() != code->args_bytes) return CUDA_ERROR_INVALID_IMAGE;
  return CUDA_SUCCESS;
}

extern "C" {

CUresult cuModuleLoadData(CUmodule *made, const void *image) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (!only_compiles() && !is_description(image)) return CUDA_ERROR_INVALID_IMAGE;
  auto *f = hand_out(new function);
  f->what = std::make_shared<module>();
  if (!only_compiles()) f->what->description = (const char *)image;
  f->owner = c;
  *made = reinterpret_cast<CUmodule>(f);
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle) {
  std::unique_lock<std::mutex> held(gate);
  auto *f = from_handle<function>(handle);
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  finish_context(held, f->owner);
  take_back(f);
  return CUDA_SUCCESS;
}

// A module has one kernel, so its handle serves for both.
CUresult cuModuleGetFunction(CUfunction *found, CUmodule handle, const char *name) {
  std::lock_guard<std::mutex> hold(gate);
  auto *f = from_handle<function>(handle);
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  if (!only_compiles() && strcmp(name, "mfft_pass") != 0) return CUDA_ERROR_NOT_FOUND;
  *found = reinterpret_cast<CUfunction>(f);
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute what, int value) {
  std::lock_guard<std::mutex> hold(gate);
  auto *f = from_handle<function>(handle);
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  if (what == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {  // a launch counts the static memory, too
    if (value < 0 || value > (int)model().most_shared) return CUDA_ERROR_INVALID_VALUE;
    f->most_shared = (size_t)value;
    return CUDA_SUCCESS;
  }
  if (what == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    f->large_clusters = value != 0;
    return CUDA_SUCCESS;
  }
  complain("attribute %d of a function is not known here", (int)what);
  return CUDA_ERROR_INVALID_VALUE;
}

// Checks the configuration of a launch and copies it.  captured: it is recorded in a graph, whose launch checks it.
static CUresult configure(const CUlaunchConfig *asked, const function *f, void **args, bool captured,
                          launch_config *config) {
  size_t args_bytes = captured ? argument_bytes(f->what->description.c_str()) : 0;
  const bool later = args_bytes > 0;
  if (!later && !f->what->load()) return CUDA_ERROR_INVALID_IMAGE;
  if (!later) args_bytes = f->what->code->args_bytes;
  config->what = f->what;
  config->grid = {asked->gridDimX, asked->gridDimY, asked->gridDimZ};
  config->block = {asked->blockDimX, asked->blockDimY, asked->blockDimZ};
  config->shared_bytes = asked->sharedMemBytes;
  config->most_shared = f->most_shared;
  config->large_clusters = f->large_clusters;
  config->device = f->owner->device;
  for (unsigned i = 0; i < asked->numAttrs; i++) {
    const CUlaunchAttribute &a = asked->attrs[i];
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      if (a.value.clusterDim.y != 1 || a.value.clusterDim.z != 1) return CUDA_ERROR_INVALID_VALUE;
      config->cluster = a.value.clusterDim.x;
    } else if (a.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION && model().arch >= 90) {
      config->overlaps = a.value.programmaticStreamSerializationAllowed != 0;
    } else {
      complain("attribute %d of a launch is not known here", (int)a.id);
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  if (args) config->args.assign((const char *)args[0], (const char *)args[0] + args_bytes);
  return later ? CUDA_SUCCESS : check_launch(*config);
}

// NVIDIA's NVRTC asks the driver of its process for a table of its own, and compiles without one.
CUresult cuGetExportTable(const void **table, const CUuuid *) {
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction handle, const CUlaunchConfig *asked) {
  std::lock_guard<std::mutex> hold(gate);
  auto *f = from_handle<function>(handle);
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  if (only_compiles()) {
    *clusters = multiprocessors();
    return CUDA_SUCCESS;
  }
  launch_config config;
  CUresult result = configure(asked, f, nullptr, false, &config);
  if (result != CUDA_SUCCESS) return result;
  *clusters = launch(config).most_clusters();
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *asked, CUfunction handle, void **args, void **extra) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(asked->hStream, &s);
  if (result != CUDA_SUCCESS) return result;
  auto *f = from_handle<function>(handle);
  if (!f || f->owner != s->owner) return CUDA_ERROR_INVALID_HANDLE;
  if (!args || extra) return CUDA_ERROR_INVALID_VALUE;
  if (only_compiles()) return CUDA_SUCCESS;
  auto config = std::make_shared<launch_config>();
  result = configure(asked, f, args, s->captured != nullptr, config.get());
  if (result != CUDA_SUCCESS) {
    complain("%s: a launch of %u x %u x %u blocks in clusters of %u, %u threads, %zu bytes of shared memory is refused",
             f->what->name.c_str(), asked->gridDimX, asked->gridDimY, asked->gridDimZ, config->cluster, asked->blockDimX,
             config->shared_bytes);
    return result;
  }
  config->function = handle;
  const bool overlaps = config->overlaps;
  work what;
  what.kernel = std::move(config);
  return put(s, std::move(what), overlaps, nullptr);
}
}
