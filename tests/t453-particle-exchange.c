// TEST ranks=1,2,3,5,8 labels=particles
// TEST ranks=2,3 more=1,5 labels=emulated+particles args=cuda timeout=300
// TEST ranks=1 labels=cuda args=cuda
/* Particles to the ranks that own them and back: every particle arrives once, on its owner, in the sequence that the header
 * states; columns of many widths; in rounds; uneven counts; boxes of all kinds.  With "cuda" as argument the same in the
 * memory of a GPU, over each transport, within a node and between two, and with columns in host memory. */
#include "particle_set.h"
#include "particles/exchange_state.h"

static int rank, ranks, device;
static const double length[3] = {1, 2.5, 100};

/* The particles that a rank begins with: uneven shares, none on rank 1. */
static int64_t first_of(int64_t count, int r) { return r == 1 ? first_of(count, 2) : count * r * r / (ranks * ranks); }

/* ---- Arrays in the memory of the mesh, or in that of the host ---- */

static void *allocate(size_t bytes) {
  void *array = NULL;
  if (!device) return malloc(bytes + 1);
  CHECK_OK(mfft_memory_alloc("cuda", bytes + 1, &array));
  return array;
}

static void *put(const void *host, size_t bytes) {
  void *array = allocate(bytes);
  if (!bytes) return array;
  if (device)
    CHECK_OK(mfft_memory_upload("cuda", array, host, bytes));
  else
    memcpy(array, host, bytes);
  return array;
}

static void *get(const void *array, size_t bytes) {
  void *host = malloc(bytes + 1);
  if (!bytes) return host;
  if (device)
    CHECK_OK(mfft_memory_download("cuda", host, array, bytes));
  else
    memcpy(host, array, bytes);
  return host;
}

static void leave(void *array) {
  if (device)
    CHECK_OK(mfft_memory_free("cuda", array));
  else
    free(array);
}

/* ---- What is tested ---- */

enum { WIDE = 37 }; /* bytes of an element that is no number of words */

typedef struct owned {
  int64_t count;   /* of particles that arrive */
  void *x[3], *id; /* [count] double, int64_t; in the memory of the mesh */
  void *wide;      /* [count][WIDE] */
} owned;

static void check_arrived(mfft_particle_mesh mesh, const pm_set *set, const owned *o, const char *name) {
  double *x[3];
  int64_t *id = get(o->id, (size_t)o->count * 8), wrong = 0, foreign = 0, last = -1, disordered = 0;
  char *wide = get(o->wide, (size_t)o->count * WIDE);
  mfft_particles mine;
  mfft_particles_init(&mine);
  mine.count = o->count;
  for (int a = 0; a < 3; a++) mine.position[a] = x[a] = get(o->x[a], (size_t)o->count * 8);
  for (int64_t i = 0; i < o->count; i++) {
    double g[3][MFFT_PM_BATCH];
    CHECK(id[i] >= 0 && id[i] < set->count);
    for (int a = 0; a < 3; a++) wrong += x[a][i] != set->x[a][id[i]];
    for (int b = 0; b < WIDE; b++) wrong += wide[WIDE * i + b] != (char)(WIDE * id[i] + b);
    (void)mfft_pm_locate(&mesh->grid, &mine, i, 1, g);
    for (int a = 0; a < 3; a++)
      foreign += (int64_t)g[a][0] < mesh->grid.own.lo[a] || (int64_t)g[a][0] >= mesh->grid.own.hi[a];
    disordered += id[i] <= last; /* the first rank has the lowest, and so on */
    last = id[i];
  }
  CHECK(!wrong && !foreign && !disordered, "%s: %d wrong, %d foreign, %d out of sequence", name, (int)wrong, (int)foreign,
        (int)disordered);
  for (int a = 0; a < 3; a++) free(x[a]);
  free(id), free(wide);
}

/* Sends and returns what the particles `first` to first + count of the set have. */
static void move(mfft_particle_mesh mesh, const pm_set *set, int64_t first, int64_t count, const char *name) {
  mfft_particles p;
  mfft_particles_init(&p);
  p.count = count;
  int64_t *id = malloc((size_t)count * 8 + 1), sum = 0, staying = 0;
  char *wide = malloc((size_t)count * WIDE + 1);
  for (int64_t i = 0; i < count; i++) id[i] = first + i;
  for (int64_t i = 0; i < count * WIDE; i++) wide[i] = (char)(first * WIDE + i);
  for (int a = 0; a < 3; a++) p.position[a] = put(set->x[a] + first, (size_t)count * 8);
  void *given_id = put(id, (size_t)count * 8), *given_wide = put(wide, (size_t)count * WIDE);
  mfft_particle_exchange x = NULL;
  owned o = {0};
  CHECK_OK(mfft_particle_exchange_create(mesh, &p, &x));
  CHECK_OK(mfft_particle_exchange_count(x, &o.count, &staying));
  CHECK(staying <= o.count && staying <= count);
  MPI_Allreduce(&o.count, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == set->count, "%d of %d particles", (int)sum, (int)set->count);

  o.id = allocate((size_t)o.count * 8), o.wide = allocate((size_t)o.count * WIDE);
  mfft_particle_column column[5] = {{8, given_id, o.id}, {WIDE, given_wide, o.wide}};
  for (int a = 0; a < 3; a++)
    column[2 + a] = (mfft_particle_column){8, p.position[a], o.x[a] = allocate((size_t)o.count * 8)};
  CHECK_OK(mfft_particle_exchange_send(x, column, 5));
  check_arrived(mesh, set, &o, name);

  void *back = allocate((size_t)count * 8), *back_wide = allocate((size_t)count * WIDE);
  const mfft_particle_column returned[2] = {{8, o.id, back}, {WIDE, o.wide, back_wide}};
  CHECK_OK(mfft_particle_exchange_return(x, returned, 2));
  int64_t *got = get(back, (size_t)count * 8);
  char *got_wide = get(back_wide, (size_t)count * WIDE);
  CHECK(!memcmp(got, id, (size_t)count * 8) && !memcmp(got_wide, wide, (size_t)count * WIDE), "%s: another sequence", name);
  if (device && count) CHECK(!x->order[MFFT_MEMORY_HOST], "%s: the host has ordered columns of the device", name);
  if (device) { /* a column of the host, by the order of the device */
    int64_t *here = malloc((size_t)o.count * 8 + 1), *device_id = get(o.id, (size_t)o.count * 8);
    CHECK_OK(mfft_particle_exchange_send(x, &(mfft_particle_column){8, id, here}, 1));
    CHECK(!memcmp(here, device_id, (size_t)o.count * 8), "%s: a column of the host", name);
    free(here), free(device_id);
  }
  CHECK_FAILS(mfft_particle_exchange_send(x, &(mfft_particle_column){0, given_id, o.id}, 1), MFFT_ERR_ARG,
              "element_bytes is 0");
  mfft_particle_exchange_destroy(x);
  for (int a = 0; a < 3; a++) leave(o.x[a]), leave((void *)(uintptr_t)p.position[a]);
  leave(o.id), leave(o.wide), leave(given_id), leave(given_wide), leave(back), leave(back_wide);
  free(id), free(wide), free(got), free(got_wide);
}

static void there_and_back(const int64_t n[3], int boxes, size_t scratch, int64_t total, const char *transport) {
  mfft_options o;
  mfft_options_init(&o);
  o.backend = device ? "cuda" : NULL;
  o.transport = transport;
  mfft_plan plan = pm_plan_by(MPI_COMM_WORLD, n, MFFT_DOUBLE, boxes, o);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, 2, scratch);
  pm_set set = pm_random(total, n, length, 31);
  const int64_t first = ranks > 1 ? first_of(set.count, rank) : 0;
  const int64_t end = ranks > 1 ? first_of(set.count, rank + 1) : set.count;
  char name[64];
  snprintf(name, sizeof name, "boxes %s, transport %s", pm_boxes_name[boxes], transport ? transport : "by default");
  for (int again = 0; again < 1 + device; again++) move(mesh, &set, first, end > first ? end - first : 0, name);
  mfft_particle_exchange_destroy(NULL);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* A position that is not finite, on the last rank. */
static void refused(const int64_t n[3]) {
  mfft_options o;
  mfft_options_init(&o);
  o.backend = device ? "cuda" : NULL;
  mfft_plan plan = pm_plan_by(MPI_COMM_WORLD, n, MFFT_DOUBLE, 0, o);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, 1, 0);
  double x[70];
  for (int i = 0; i < 70; i++) x[i] = rank == ranks - 1 && i >= 65 ? NAN : 0.01 * i;
  mfft_particles p;
  mfft_particles_init(&p);
  p.count = 70;
  void *there = put(x, sizeof x);
  for (int a = 0; a < 3; a++) p.position[a] = there;
  mfft_particle_exchange exchange = NULL;
  CHECK_FAILS(mfft_particle_exchange_create(mesh, &p, &exchange), MFFT_ERR_NONFINITE, "65");
  leave(there);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

/* Whether NCCL serves these ranks: it wants a GPU for each. */
static int nccl_serves(const int64_t n[3]) {
  mfft_desc d;
  mfft_options o;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&o);
  memcpy(d.n, n, sizeof d.n);
  o.backend = "cuda", o.transport = "nccl";
  const mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &o, &plan);
  CHECK(status == MFFT_SUCCESS || strstr(mfft_last_error(), "a GPU for each rank"), "%s", mfft_last_error());
  mfft_plan_destroy(plan);
  return status == MFFT_SUCCESS;
}

static void on_device(const int64_t n[3]) {
  static const char *const transports[] = {NULL, "staged", "p2p", "nccl"};
  const int count = nccl_serves(n) ? 4 : 3;
  for (int t = 0; t < count; t++) there_and_back(n, t % 3, t == 2 ? 1 : 0, 3000, transports[t]);
  if (ranks == 1) return;
  MPI_Barrier(MPI_COMM_WORLD);
  setenv("MFFT_NODE_RANKS", "2", 1); /* near and far ranks */
  there_and_back(n, 2, 1, 3000, "p2p+staged");
  unsetenv("MFFT_NODE_RANKS");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  device = argc > 1 && !strcmp(argv[1], "cuda");
  if (device) setenv("MFFT_EMULATED_GPUS", "8", 0); /* one a rank, which NCCL wants */
  if (device && !mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  static const int64_t sizes[][3] = {{12, 10, 9}, {3, 2, 4}};
  if (device) on_device(sizes[0]);
  for (int s = 0; s < 2 && !device; s++)
    for (int boxes = 0; boxes < 3; boxes++) there_and_back(sizes[s], boxes, boxes == 1 ? 1 : 0, 7000, NULL);
  refused(sizes[0]);
  MPI_Finalize();
  return test_end();
}
