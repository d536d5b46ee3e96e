/* world.c: see world.h.  Worlds are MPI attributes of communicators, whose callbacks run when one is freed. */
#include "world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "report.h"
#include "settings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mfft_dropin_world *worlds; /* the newest first */
static mfft_dropin_world *ended;  /* by MPI_Finalize, the oldest first */
static int key_of_worlds = MPI_KEYVAL_INVALID, key_of_end = MPI_KEYVAL_INVALID;

static _Atomic int natives; /* stored plans of all worlds */

int mfft_dropin_native_count(void) { return natives; }

/* Destroys the plans, but not the object.  Collective. */
static void destroy_plans(mfft_dropin_native *native) {
  mfft_plan_destroy(native->plan);
  mfft_plan_destroy(native->local);
  mfft_dropin_steps_destroy(&native->steps);
  mfft_dropin_remap_destroy(&native->remap);
  native->plan = native->local = NULL;
  native->alive = 0;
}

void mfft_dropin_native_free(mfft_dropin_native *native) {
  if (native->stored) natives--;
  destroy_plans(native);
  free(native);
}

/* ---- Destruction ----------------------------------------------------------------------------------------------------- */

static void free_natives(mfft_dropin_world *world) {
  while (world->natives) {
    mfft_dropin_native *native = world->natives;
    world->natives = native->next;
    if (!native->users) {
      mfft_dropin_native_free(native);
      continue;
    }
    destroy_plans(native); /* the record of a plan that the program has not destroyed points to the object */
  }
}

/* Frees an array in the memory of the host or of the GPU. */
static void give_back(void **array, size_t *bytes, int device) {
  if (device)
    mfft_memory_free(MFFT_DROPIN_GPU, *array);
  else
    mfft_free(*array);
  *array = NULL;
  *bytes = 0;
}

static void end_world(mfft_dropin_world *world) {
  free_natives(world);
  give_back(&world->workspace[0], &world->workspace_bytes[0], 0);
  give_back(&world->workspace[1], &world->workspace_bytes[1], 1);
  for (int i = 0; i < 2; i++) give_back(&world->copy[i], &world->copy_bytes[i], 1);
  if (world->comm != MPI_COMM_NULL) MPI_Comm_free(&world->comm);
}

static void forget_world(mfft_dropin_world *world) {
  pthread_mutex_lock(&lock);
  mfft_dropin_world **at = &worlds;
  while (*at && *at != world) at = &(*at)->next;
  if (*at) *at = world->next;
  pthread_mutex_unlock(&lock);
}

/* Callback for a communicator that the program frees: the world is freed with it, or with the last plan on it. */
static int on_free(MPI_Comm comm, int key, void *value, void *state) {
  mfft_dropin_world *world = value;
  (void)comm, (void)key, (void)state;
  world->freed = 1;
  if (world->plans || world->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  forget_world(world);
  end_world(world);
  free(world);
  return MPI_SUCCESS;
}

/* Callback of MPI_COMM_SELF, which MPI_Finalize frees first, while MPI still works, on all ranks.  Worlds are destroyed from
 * the oldest on: ranks that share several worlds have made them in the same order. */
static int on_finalize(MPI_Comm comm, int key, void *value, void *state) {
  int rank, ranks;
  (void)comm, (void)key, (void)value, (void)state;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mfft_dropin_report(rank, ranks);
  while (worlds) {
    mfft_dropin_world *world = worlds;
    worlds = world->next;
    world->next = ended;
    ended = world;
  }
  for (mfft_dropin_world *world = ended; world; world = world->next)
    end_world(world); /* not the object: the attribute and plans of the program point to it */
  return MPI_SUCCESS;
}

/* ---- Creation and use ------------------------------------------------------------------------------------------------ */

static int make_keys(void) {
  int failed = 0;
  pthread_mutex_lock(&lock);
  if (key_of_worlds == MPI_KEYVAL_INVALID)
    failed = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key_of_worlds, NULL) != MPI_SUCCESS ||
             MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key_of_end, NULL) != MPI_SUCCESS ||
             MPI_Comm_set_attr(MPI_COMM_SELF, key_of_end, NULL) != MPI_SUCCESS;
  pthread_mutex_unlock(&lock);
  return failed ? -1 : 0;
}

void mfft_dropin_watch_finalize(void) {
  int running = 0;
  MPI_Initialized(&running);
  if (running) make_keys();
}

/* Duplicates a communicator, waiting under the watchdog. */
static int duplicate(MPI_Comm comm, MPI_Comm *own) {
  MPI_Request request;
  if (MPI_Comm_idup(comm, own, &request) != MPI_SUCCESS) return -1;
  if (mfft_wait(comm, &request, NULL, 1, "a duplicate of the communicator of an FFTW plan") != MFFT_SUCCESS) return -1;
  return MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN) == MPI_SUCCESS ? 0 : -1;
}

mfft_dropin_world *mfft_dropin_world_of(MPI_Comm comm) {
  mfft_dropin_world *world = NULL;
  int found = 0;
  if (make_keys() || MPI_Comm_get_attr(comm, key_of_worlds, &world, &found) != MPI_SUCCESS) return NULL;
  if (found) return world;
  world = calloc(1, sizeof *world);
  MPI_Comm own = MPI_COMM_NULL;
  if (duplicate(comm, &own)) {
    free(world);
    return NULL;
  }
  mfft_dropin_world partial = {.comm = own};
  int64_t there = world != NULL;
  if (mfft_dropin_least(&partial, &there, 1, "memory for an FFTW plan") || !there) {
    MPI_Comm_free(&own);
    free(world);
    return NULL;
  }
  world->comm = own;
  MPI_Comm_rank(own, &world->rank);
  MPI_Comm_size(own, &world->ranks);
  MPI_Comm_set_attr(comm, key_of_worlds, world);
  pthread_mutex_lock(&lock);
  world->next = worlds;
  worlds = world;
  pthread_mutex_unlock(&lock);
  return world;
}

int mfft_dropin_least(mfft_dropin_world *world, int64_t *value, int count, const char *what) {
  MPI_Request request;
  if (MPI_Iallreduce(MPI_IN_PLACE, value, count, MPI_INT64_T, MPI_MIN, world->comm, &request) != MPI_SUCCESS) return -1;
  return mfft_wait(world->comm, &request, NULL, 1, what) == MFFT_SUCCESS ? 0 : -1;
}

void mfft_dropin_world_use(mfft_dropin_world *world) { world->plans++; }

void mfft_dropin_world_leave(mfft_dropin_world *world) {
  if (--world->plans) return;
  give_back(&world->workspace[0], &world->workspace_bytes[0], 0);
  if (!world->freed) return;
  int over = 0;
  MPI_Finalized(&over);
  if (over) return;
  forget_world(world);
  end_world(world);
  free(world);
}

static int enlarge(void **array, size_t *bytes, size_t wanted, int device) {
  if (wanted <= *bytes) return 0;
  give_back(array, bytes, device);
  if ((device ? mfft_memory_alloc(MFFT_DROPIN_GPU, wanted, array) : mfft_alloc(wanted, array)) != MFFT_SUCCESS) return -1;
  *bytes = wanted;
  return 0;
}

int mfft_dropin_world_reserve(mfft_dropin_world *world, int device, size_t bytes) {
  return enlarge(&world->workspace[device], &world->workspace_bytes[device], bytes, device);
}

int mfft_dropin_world_reserve_copy(mfft_dropin_world *world, int copy, size_t bytes) {
  return enlarge(&world->copy[copy], &world->copy_bytes[copy], bytes, 1);
}

/* ---- Stored plans ---------------------------------------------------------------------------------------------------- */

static int count_idle(const mfft_dropin_world *world) {
  int idle = 0;
  for (const mfft_dropin_native *n = world->natives; n; n = n->next) idle += !n->users;
  return idle;
}

/* The number of the least recently used plan that no rank uses; INT64_MAX: there is none. */
static int64_t find_oldest(mfft_dropin_world *world) {
  int64_t number = INT64_MAX, last = INT64_MAX;
  for (mfft_dropin_native *n = world->natives; n; n = n->next) {
    int64_t unused = !n->users;
    if (mfft_dropin_least(world, &unused, 1, "which plans are in use")) return INT64_MAX;
    if (!unused || n->last >= last) continue;
    last = n->last;
    number = n->number;
  }
  return number;
}

void mfft_dropin_world_add(mfft_dropin_world *world, mfft_dropin_native *native) {
  int64_t below_limit = count_idle(world) < MFFT_DROPIN_MOST_IDLE;
  if (!mfft_dropin_least(world, &below_limit, 1, "how many plans are idle") && !below_limit) {
    const int64_t number = find_oldest(world);
    mfft_dropin_native **at = &world->natives;
    while (*at && (*at)->number != number) at = &(*at)->next;
    mfft_dropin_native *gone = *at;
    if (gone) *at = gone->next;
    if (gone) mfft_dropin_native_free(gone);
  }
  natives++;
  native->stored = 1;
  native->next = world->natives;
  world->natives = native;
}
