/* transport.c: the list of transports. */
#include "dist/transport.h"

#include <string.h>

#include "core/env.h"
#include "mfft_mpi.h"

static const mfft_transport *const transports[] = {&mfft_transport_pairwise, &mfft_transport_alltoallv};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

int mfft_transport_count(void) { return TRANSPORTS; }

const char *mfft_transport_name(int i) { return i >= 0 && i < TRANSPORTS ? transports[i]->name : NULL; }

mfft_status mfft_transport_find(const char *name, const mfft_transport **transport) {
  const char *origin = "desc.transport";
  if (!name || !*name) {
    name = mfft_env_string(MFFT_ENV_TRANSPORT);
    origin = mfft_env_name(MFFT_ENV_TRANSPORT);
  }
  if (!*name) name = transports[0]->name;
  for (int i = 0; i < TRANSPORTS; i++)
    if (strcmp(transports[i]->name, name) == 0) {
      *transport = transports[i];
      return MFFT_SUCCESS;
    }
  char known[128] = "";
  for (int i = 0; i < TRANSPORTS; i++) {
    if (i) strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, transports[i]->name, sizeof known - strlen(known) - 1);
  }
  return mfft_fail(MFFT_ERR_ARG, "%s is \"%s\"; this build has %s", origin, name, known);
}
