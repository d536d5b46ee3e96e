/* registry.c: the list of transports, and the choice of one. */
#include "dist/transport.h"

#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "comm/agree.h"
#include "mfft_mpi.h"

/* Best first.  The last two are used only if they are named, or chosen by tuning. */
static const mfft_transport *const transports[] = {
    mfft_transport_p2p,     &mfft_transport_pairwise, &mfft_transport_alltoallv,   &mfft_transport_nccl,
    &mfft_transport_staged, mfft_transport_p2p_store, &mfft_transport_hierarchical};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

int mfft_transport_count(void) { return TRANSPORTS; }

const char *mfft_transport_name(int i) { return i >= 0 && i < TRANSPORTS ? transports[i]->name : NULL; }

/* Other names that users may know. */
static const char *const aliases[][2] = {
    {"mpi", "pairwise"}, {"p2p+mpi", "p2p+pairwise"}, {"p2p-store+mpi", "p2p-store+pairwise"}};

mfft_status mfft_transport_find(const char *name, const mfft_transport **transport) {
  const char *origin = "transport";
  if (!name || !*name) {
    name = mfft_env_string(MFFT_ENV_TRANSPORT);
    origin = mfft_env_name(MFFT_ENV_TRANSPORT);
  }
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(name, aliases[i][0]) == 0) name = aliases[i][1];
  *transport = NULL;
  if (!*name) return MFFT_SUCCESS;
  for (int i = 0; i < TRANSPORTS; i++)
    for (int k = 0; k < (transports[i]->family == transports[i] ? MFFT_FAMILY : 1); k++)
      if (strcmp(transports[i][k].name, name) == 0) {
        *transport = &transports[i][k];
        return MFFT_SUCCESS;
      }
  char known[128] = "";
  for (int i = 0; i < TRANSPORTS; i++) {
    if (i) strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, transports[i]->name, sizeof known - strlen(known) - 1);
  }
  return mfft_fail(MFFT_ERR_ARG,
                   "%s is \"%s\"; this build has %s, and p2p+nccl and the like to name the transport to other nodes", origin,
                   name, known);
}

static mfft_status probe(const mfft_topology *topology, const mfft_transport *transport) {
  if (transport->device_only && topology->host_memory)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "transport \"%s\" is for device memory; use \"%s\"", transport->name,
                     mfft_transport_pairwise.name);
  return transport->probe ? transport->probe(topology) : MFFT_SUCCESS;
}

/* Replaces a member of a family by one whose transport to other nodes works too. */
static mfft_status choose_member(const mfft_topology *topology, const mfft_transport **transport) {
  const mfft_transport *family = (*transport)->family;
  if (!family) return MFFT_SUCCESS;
  if (topology->node_ranks == topology->ranks) { /* all ranks are on one node */
    *transport = family;
    return MFFT_SUCCESS;
  }
  if ((*transport)->far) return probe(topology, (*transport)->far);
  mfft_status status = MFFT_SUCCESS;
  for (int k = 1; k < MFFT_FAMILY; k++) {
    *transport = &family[k];
    status = probe(topology, family[k].far);
    if (status == MFFT_SUCCESS) break;
  }
  if (status == MFFT_SUCCESS && topology->rank == 0)
    mfft_log(MFFT_LOG_INFO, "messages to other nodes go by transport %s", (*transport)->far->name);
  return status;
}

mfft_status mfft_transport_choose(const mfft_topology *topology, const mfft_transport *wanted,
                                  const mfft_transport **transport) {
  mfft_status status = MFFT_SUCCESS;
  /* For host memory plain messages are the safe choice; tuning tries direct transports. */
  for (int i = 0; i < (wanted ? 1 : TRANSPORTS); i++) {
    *transport = wanted ? wanted : transports[i];
    if (!wanted && topology->host_memory && transports[i]->direct) continue;
    status = probe(topology, *transport);
    if (status == MFFT_SUCCESS) status = choose_member(topology, transport);
    if (status == MFFT_SUCCESS) return status;
  }
  return status;
}

mfft_status mfft_transport_arrange(const mfft_transport *transport, const mfft_topology *topology, mfft_transfer **transfers,
                                   int count, int64_t offset_bytes, int64_t *bytes) {
  *bytes = 0;
  if (!transport->far || !transport->far->arrange) return MFFT_SUCCESS;
  mfft_transfer **far = malloc(((size_t)count + 1) * sizeof *far); /* [count] */
  mfft_status status = far ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of %d transfers", count);
  status = mfft_agree(topology->comm, status);
  for (int i = 0; status == MFFT_SUCCESS && i < count; i++) far[i] = transfers[i]->far;
  if (status == MFFT_SUCCESS) status = transport->far->arrange(topology, far, count, offset_bytes, bytes);
  free(far);
  return status;
}
