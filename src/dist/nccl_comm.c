/* nccl_comm.c: see nccl_comm.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT, pthread_timedjoin_np */
#include "dist/nccl_comm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/mpi_status.h"
#include "local/device_guard.h"

enum { LEAST_VERSION = 20700 }; /* NCCL 2.7, the first version with send and receive */

/* ---- The library ----------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mfft_nccl table; /* guarded by lock until it is filled */

static mfft_status load(mfft_nccl *nccl) {
  static const char *const names[] = {
#define MFFT_X(result, name, symbol, arguments) #symbol,
      MFFT_NCCL_FUNCTIONS(MFFT_X) MFFT_NCCL_LATER_FUNCTIONS(MFFT_X)
#undef MFFT_X
  };
  void *symbol[sizeof names / sizeof *names], *library = RTLD_DEFAULT;
  const size_t later = offsetof(mfft_nccl, comm_init_config) / sizeof *symbol;
  int version = 0;
  if (!dlsym(RTLD_DEFAULT, names[0]) && !(library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL)))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "no NCCL here: %s; install it or put its folder into LD_LIBRARY_PATH", dlerror());
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    symbol[i] = dlsym(library, names[i]);
    if (!symbol[i] && i < later)
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
  if (answer == MFFT_NCCL_SUCCESS || answer == MFFT_NCCL_IN_PROGRESS) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_CUDA, "NCCL, %s: %s (NCCL_DEBUG=INFO says more)", doing, nccl->error_string(answer));
}

const mfft_limit mfft_nccl_limit = {MFFT_ENV_NCCL_S,
                                    "NCCL_DEBUG=INFO says more, NCCL_SOCKET_IFNAME and NCCL_IB_HCA may "
                                    "be wrong; or use another transport than nccl"};

/* ---- Communicators --------------------------------------------------------------------------------------------------- */

enum { NAME = 64 };

struct mfft_nccl_comm {
  mfft_nccl_comm *next;
  const mfft_nccl *nccl;
  MPI_Group ranks; /* the ranks of topology->comm, in their sequence */
  char device[NAME];
  mfft_device_context context;
  mfft_nccl_id id;
  void *handle;         /* of NCCL; a thread of NCCL also writes it when initialization completes */
  int alive, permanent; /* guarded by lock */
};

static mfft_nccl_comm *all; /* guarded by lock */

/* Finds the communicator that was created last for these ranks and this device. */
static mfft_status find(const mfft_topology *topology, mfft_nccl_comm **found) {
  char device[NAME] = "";
  MPI_Group ranks;
  MFFT_TRY(topology->device->identity(device, sizeof device));
  MFFT_MPI_TRY(MPI_Comm_group(topology->comm, &ranks));
  pthread_mutex_lock(&lock);
  *found = NULL;
  for (mfft_nccl_comm *c = all; c && !*found; c = c->next) {
    int same = MPI_UNEQUAL;
    if (MPI_Group_compare(c->ranks, ranks, &same) == MPI_SUCCESS && same == MPI_IDENT && !strncmp(c->device, device, NAME))
      *found = c;
  }
  pthread_mutex_unlock(&lock);
  MPI_Group_free(&ranks);
  return MFFT_SUCCESS;
}

mfft_status mfft_nccl_find(const mfft_topology *topology, mfft_nccl_comm **comm) {
  MFFT_TRY(find(topology, comm));
  return *comm ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_INTERNAL, "these ranks have not joined in NCCL");
}

mfft_status mfft_nccl_handle(const mfft_nccl_comm *comm, void **handle) {
  pthread_mutex_lock(&lock);
  *handle = comm->alive ? comm->handle : NULL;
  pthread_mutex_unlock(&lock);
  return *handle ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_STATE, "NCCL failed between these ranks; make the plan again");
}

mfft_status mfft_nccl_look(const mfft_nccl_comm *comm, const char *doing, int *busy) {
  void *handle;
  int error = MFFT_NCCL_SUCCESS;
  MFFT_TRY(mfft_nccl_handle(comm, &handle));
  MFFT_NCCL_TRY(comm->nccl, "asking for errors", comm->nccl->async_error(handle, &error));
  *busy = error == MFFT_NCCL_IN_PROGRESS;
  return mfft_nccl_status(comm->nccl, error, doing);
}

static void *end(void *subject) {
  const mfft_nccl_comm *c = subject;
  mfft_device_guard guard;
  if (mfft_device_guard_enter(&c->context, &guard) == MFFT_SUCCESS) c->nccl->comm_abort(c->handle);
  mfft_device_guard_leave(&guard);
  return NULL;
}

/* ncclCommAbort runs in a thread of its own, since it waits for threads of NCCL; a thread that does not end in time is
 * detached. */
void mfft_nccl_give_up(mfft_nccl_comm *c, int permanent) {
  enum { ABORT_LIMIT_S = 5 };
  pthread_t thread;
  struct timespec until;
  pthread_mutex_lock(&lock);
  const int alive = c->alive;
  c->alive = 0;
  c->permanent |= permanent;
  pthread_mutex_unlock(&lock);
  if (!alive || pthread_create(&thread, NULL, end, c) != 0) return;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += ABORT_LIMIT_S;
  if (pthread_timedjoin_np(thread, NULL, &until) != 0) pthread_detach(thread);
}

/* Refuses ranks that share a GPU, for which NCCL's own message is misleading. */
static mfft_status refuse_shared(const mfft_topology *topology) {
  int sharing = 0;
  MFFT_TRY(mfft_topology_sharing(topology, &sharing));
  if (!sharing) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "NCCL needs a GPU for each rank, and %d of %d ranks use that of another; start one rank a GPU", sharing,
                   topology->ranks);
}

static mfft_status describe(const mfft_topology *topology, mfft_nccl_comm *c) {
  MFFT_TRY(mfft_device_context_find(topology->device, &c->context));
  MFFT_TRY(topology->device->identity(c->device, sizeof c->device));
  return mfft_mpi_status(MPI_Comm_group(topology->comm, &c->ranks), "MPI_Comm_group");
}

static mfft_status is_made(void *subject, int *missing) {
  int busy;
  MFFT_TRY(mfft_nccl_look(subject, "joining its communicator", &busy));
  *missing = busy ? MFFT_SOME_RANK : -1;
  return MFFT_SUCCESS;
}

static mfft_status make(const mfft_topology *topology, mfft_nccl_comm *c) {
  mfft_nccl_config config = MFFT_NCCL_NONBLOCKING;
  const mfft_nccl *nccl = c->nccl;
  const int answer = nccl->comm_init_config
                         ? nccl->comm_init_config(&c->handle, topology->ranks, c->id, topology->rank, &config)
                         : nccl->comm_init(&c->handle, topology->ranks, c->id, topology->rank);
  MFFT_NCCL_TRY(nccl, "joining its communicator", answer);
  c->alive = 1;
  return answer == MFFT_NCCL_SUCCESS ? MFFT_SUCCESS
                                     : mfft_try_for(topology->comm, &mfft_nccl_limit, is_made, c, "joining in NCCL");
}

/* Creates a communicator.  Collective: all ranks have what creation needs before any of them waits for the others. */
static mfft_status join(const mfft_nccl *nccl, const mfft_topology *topology, const mfft_nccl_id *id) {
  mfft_status status;
  mfft_nccl_comm *c = calloc(1, sizeof *c);
  if (c) *c = (mfft_nccl_comm){.nccl = nccl, .ranks = MPI_GROUP_NULL, .id = *id};
  status = mfft_agree(topology->comm,
                      c ? describe(topology, c) : mfft_fail(MFFT_ERR_MEMORY, "no memory for an NCCL communicator"));
  if (status != MFFT_SUCCESS) {
    if (c && c->ranks != MPI_GROUP_NULL) MPI_Group_free(&c->ranks);
    free(c);
    return status;
  }
  pthread_mutex_lock(&lock);
  c->next = all;
  all = c;
  pthread_mutex_unlock(&lock);
  const mfft_status mine = make(topology, c);
  status = mfft_agree(topology->comm, mine);
  if (status != MFFT_SUCCESS) mfft_nccl_give_up(c, mine == MFFT_ERR_TIMEOUT);
  return status;
}

/* Compares across ranks: *known tells whether all ranks have the same usable communicator.  Fails if any rank has given
 * up on NCCL. */
static mfft_status compare(const mfft_topology *topology, const mfft_nccl_comm *found, int *known) {
  mfft_nccl_id id = {{0}};
  if (found) id = found->id;
  MFFT_TRY(mfft_collective_broadcast(topology->comm, &id, sizeof id, 0, "sharing an identity of NCCL"));
  pthread_mutex_lock(&lock);
  int state[2] = {found && found->alive && !memcmp(&id, &found->id, sizeof id), !(found && found->permanent)};
  pthread_mutex_unlock(&lock);
  MFFT_TRY(mfft_collective_allreduce(topology->comm, state, 2, MPI_INT, MPI_MIN, "comparing identities of NCCL"));
  *known = state[0];
  if (state[1]) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "NCCL gave no answer between these ranks before; %s", mfft_nccl_limit.remedy);
}

mfft_status mfft_nccl_join(const mfft_topology *topology, mfft_nccl_comm **comm) {
  const mfft_nccl *nccl;
  mfft_nccl_comm *found = NULL;
  int known;
  MFFT_TRY(mfft_agree(topology->comm, mfft_nccl_open(&nccl)));
  MFFT_TRY(mfft_agree(topology->comm, find(topology, &found)));
  MFFT_TRY(compare(topology, found, &known));
  if (!known) {
    mfft_nccl_id id = {{0}};
    mfft_status status = MFFT_SUCCESS;
    MFFT_TRY(refuse_shared(topology));
    if (topology->rank == 0) status = mfft_nccl_status(nccl, nccl->unique_id(&id), "making an identity");
    MFFT_TRY(mfft_agree(topology->comm, status));
    MFFT_TRY(mfft_collective_broadcast(topology->comm, &id, sizeof id, 0, "sharing an identity of NCCL"));
    MFFT_TRY(join(nccl, topology, &id));
  }
  return mfft_nccl_find(topology, comm);
}
