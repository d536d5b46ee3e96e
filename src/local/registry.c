/* registry.c: the list of backends, and the choice of one. */
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/status.h"
#include "local/backend.h"
#include "mfft_inspect.h"

extern const mfft_backend mfft_backend_cuda, mfft_backend_fftw, mfft_backend_ref;

const mfft_backend *const mfft_backends[] = {
#ifdef MFFT_HAVE_CUDA
    &mfft_backend_cuda,
#endif
    &mfft_backend_fftw,
    &mfft_backend_ref,
    NULL,
};

enum { BACKENDS = sizeof mfft_backends / sizeof mfft_backends[0] - 1 };

int mfft_backend_count(void) { return BACKENDS; }

const char *mfft_backend_name(int i) { return i < 0 || i >= BACKENDS ? NULL : mfft_backends[i]->name; }

static mfft_status by_name(const char *name, const char *source, const mfft_backend **backend) {
  for (int i = 0; i < BACKENDS; i++)
    if (strcmp(mfft_backends[i]->name, name) == 0) {
      *backend = mfft_backends[i];
      return MFFT_SUCCESS;
    }

  char known[128] = "";
  for (int i = 0; i < BACKENDS; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", mfft_backends[i]->name);
  }
  return mfft_fail(MFFT_ERR_ARG, "%s is \"%s\"; this build has %s", source, name, known);
}

mfft_status mfft_backend_find(const char *name, const mfft_backend **backend) {
  const char *source = "backend";
  if (!name || !*name) {
    name = mfft_env_string(MFFT_ENV_BACKEND);
    source = "MFFT_BACKEND";
  }
  if (*name) {
    const mfft_backend *found = NULL;
    MFFT_TRY(by_name(name, source, &found));
    MFFT_TRY(found->probe());
    *backend = found;
    return MFFT_SUCCESS;
  }
  mfft_status status = MFFT_ERR_NO_DEVICE;
  for (int i = 0; i < BACKENDS; i++) {
    status = mfft_backends[i]->probe();
    if (status != MFFT_SUCCESS) continue;
    *backend = mfft_backends[i];
    return MFFT_SUCCESS;
  }
  return status;
}

mfft_status mfft_backend_find_plan_only(const char *name, const mfft_backend **backend) {
  const int given = name && *name;
  const mfft_backend *found = NULL;
  if (!given) name = mfft_env_string(MFFT_ENV_BACKEND);
  if (*name) MFFT_TRY(by_name(name, given ? "backend" : "MFFT_BACKEND", &found));
  if (!found || !found->plan_only) MFFT_TRY(mfft_backend_find(name, &found));
  *backend = found->plan_only ? found->plan_only : found;
  return MFFT_SUCCESS;
}

int mfft_backend_usable(const char *name, char *why, size_t size) {
  const mfft_backend *backend = NULL;
  mfft_status status = by_name(name ? name : "", "backend", &backend);
  if (status == MFFT_SUCCESS) status = backend->probe();
  if (why && size) snprintf(why, size, "%s", status == MFFT_SUCCESS ? "" : mfft_last_error());
  return status == MFFT_SUCCESS;
}
