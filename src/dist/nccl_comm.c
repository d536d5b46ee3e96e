/* nccl_comm.c: see nccl_comm.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "dist/nccl_comm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dist/agree.h"
#include "dist/together.h"

enum { LEAST_VERSION = 20700 }; /* the first with send and receive */

/* ---- The library ----------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mfft_nccl table; /* guarded by lock until it is complete */

static mfft_status load(mfft_nccl *nccl) {
  static const char *const names[] = {
#define MFFT_X(result, name, symbol, arguments) #symbol,
      MFFT_NCCL_FUNCTIONS(MFFT_X)
#undef MFFT_X
  };
  void *symbol[sizeof names / sizeof *names], *library = RTLD_DEFAULT;
  int version = 0;
  if (!dlsym(RTLD_DEFAULT, names[0]) && !(library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL)))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "no NCCL here: %s; install it or put its folder into LD_LIBRARY_PATH", dlerror());
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    symbol[i] = dlsym(library, names[i]);
    if (!symbol[i])
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "the NCCL here has no %s; transport \"nccl\" needs NCCL 2.7 or later",
                       names[i]);
  }
  _Static_assert(sizeof symbol == sizeof *nccl, "the table is nothing but pointers to functions");
  memcpy(nccl, symbol, sizeof *nccl);
  MFFT_NCCL_TRY(nccl, "asking for the version", nccl->version(&version));
  if (version < LEAST_VERSION)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "this NCCL has version number %d; transport \"nccl\" needs %d or later", version,
                     LEAST_VERSION);
  return MFFT_SUCCESS;
}

mfft_status mfft_nccl_open(const mfft_nccl **nccl) {
  static int loaded;
  mfft_status status = MFFT_SUCCESS;
  pthread_mutex_lock(&lock);
  if (!loaded) status = load(&table);
  loaded = status == MFFT_SUCCESS;
  pthread_mutex_unlock(&lock);
  *nccl = &table;
  return status;
}

mfft_status mfft_nccl_status(const mfft_nccl *nccl, int answer, const char *doing) {
  if (answer == MFFT_NCCL_SUCCESS) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_CUDA, "NCCL, %s: %s (NCCL_DEBUG=INFO says more)", doing, nccl->error_string(answer));
}

/* ---- Communicators --------------------------------------------------------------------------------------------------- */

enum { NAME = 64 };

typedef struct joined {
  struct joined *next;
  MPI_Group ranks; /* in their order */
  char device[NAME];
  mfft_nccl_id id;
  void *comm;
} joined;

static joined *all; /* guarded by lock */

static mfft_status find(const mfft_reach *reach, const joined **found) {
  char device[NAME] = "";
  MPI_Group ranks;
  MFFT_TRY(reach->device->identity(device, sizeof device));
  MFFT_MPI_TRY(MPI_Comm_group(reach->comm, &ranks));
  pthread_mutex_lock(&lock);
  *found = NULL;
  for (const joined *j = all; j && !*found; j = j->next) {
    int same = MPI_UNEQUAL;
    if (MPI_Group_compare(j->ranks, ranks, &same) == MPI_SUCCESS && same == MPI_IDENT && !strncmp(j->device, device, NAME))
      *found = j;
  }
  pthread_mutex_unlock(&lock);
  MPI_Group_free(&ranks);
  return MFFT_SUCCESS;
}

mfft_status mfft_nccl_find(const mfft_reach *reach, void **comm) {
  const joined *found = NULL;
  MFFT_TRY(find(reach, &found));
  if (!found) return mfft_fail(MFFT_ERR_INTERNAL, "these ranks have not joined in NCCL");
  *comm = found->comm;
  return MFFT_SUCCESS;
}

/* NCCL itself ends with a puzzling word where two ranks share a card. */
static mfft_status refuse_shared(const mfft_reach *reach) {
  int sharing = 0;
  MFFT_TRY(mfft_reach_sharing(reach, &sharing));
  if (!sharing) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "NCCL wants a GPU for each rank, and %d of %d ranks use that of another; start one rank a GPU", sharing,
                   reach->ranks);
}

static void forget(joined *j) {
  if (j && j->ranks != MPI_GROUP_NULL) MPI_Group_free(&j->ranks);
  free(j);
}

/* Collective: all ranks have what joining needs before any calls comm_init, which waits for the others without end. */
static mfft_status join(const mfft_nccl *nccl, const mfft_reach *reach, const mfft_nccl_id *id) {
  mfft_status status = MFFT_SUCCESS;
  joined *j = calloc(1, sizeof *j);
  if (!j) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for an NCCL communicator");
  if (j) {
    *j = (joined){.ranks = MPI_GROUP_NULL, .id = *id};
    status = reach->device->identity(j->device, sizeof j->device);
    if (status == MFFT_SUCCESS) status = mfft_mpi_status(MPI_Comm_group(reach->comm, &j->ranks), "MPI_Comm_group");
  }
  MFFT_GOTO(fail, mfft_agree(reach->comm, status));
  status = mfft_nccl_status(nccl, nccl->comm_init(&j->comm, reach->ranks, *id, reach->rank), "joining its communicator");
  MFFT_GOTO(fail, mfft_agree(reach->comm, status));
  pthread_mutex_lock(&lock);
  j->next = all;
  all = j;
  pthread_mutex_unlock(&lock);
  return MFFT_SUCCESS;
fail:
  forget(j);
  return status;
}

mfft_status mfft_nccl_join(const mfft_reach *reach, void **comm) {
  const mfft_nccl *nccl;
  const joined *found = NULL;
  mfft_nccl_id id = {{0}};
  MFFT_TRY(mfft_agree(reach->comm, mfft_nccl_open(&nccl)));
  MFFT_TRY(mfft_agree(reach->comm, find(reach, &found)));
  if (found) id = found->id;
  /* All ranks have to mean the same one. */
  MFFT_TRY(mfft_together_share(reach->comm, &id, sizeof id, 0, "sharing an identity of NCCL"));
  int known = found && !memcmp(&id, &found->id, sizeof id);
  MFFT_TRY(mfft_together_reduce(reach->comm, &known, 1, MPI_INT, MPI_MIN, "comparing identities of NCCL"));
  if (!known) {
    mfft_status status = MFFT_SUCCESS;
    MFFT_TRY(refuse_shared(reach));
    if (reach->rank == 0) status = mfft_nccl_status(nccl, nccl->unique_id(&id), "making an identity");
    MFFT_TRY(mfft_agree(reach->comm, status));
    MFFT_TRY(mfft_together_share(reach->comm, &id, sizeof id, 0, "sharing an identity of NCCL"));
    MFFT_TRY(join(nccl, reach, &id));
  }
  return mfft_nccl_find(reach, comm);
}
