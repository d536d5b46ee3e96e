// nvrtc.cpp: NVRTC, whose machine code is text that tells the emulated driver how to compile a kernel.
#include <nvrtc.h>

#include <cstdlib>
#include <cstring>

#include "compile.hpp"

struct _nvrtcProgram {
  emulated::source main;
  std::vector<emulated::source> headers;
  std::string code, log;
};

extern "C" {

// A version that no toolkit has, so that kernels of two versions on disk never mix, unless a test names its CUDA.
nvrtcResult nvrtcVersion(int *major, int *minor) {
  const char *text = getenv("MFFT_EMULATED_NVRTC");
  *major = text ? atoi(text) : 0;
  *minor = (int)emulated::compiler_version();
  return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result) {
  return result == NVRTC_SUCCESS             ? "NVRTC_SUCCESS"
         : result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION"
                                             : "NVRTC_ERROR_INVALID_INPUT";
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *made, const char *text, const char *name, int count, const char *const *texts,
                               const char *const *names) {
  auto *p = new _nvrtcProgram;
  p->main = {name ? name : "default_program", text};
  for (int i = 0; i < count; i++) p->headers.push_back({names[i], texts[i]});
  *made = p;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options) {
  p->code = emulated::describe(p->main, p->headers, {options, options + count});
  return p->code.empty() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size) {
  *size = p->log.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) {
  memcpy(log, p->log.c_str(), p->log.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *size) {
  *size = p->code.size();
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *code) {
  memcpy(code, p->code.data(), p->code.size());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *p) {
  delete *p;
  *p = nullptr;
  return NVRTC_SUCCESS;
}
}
