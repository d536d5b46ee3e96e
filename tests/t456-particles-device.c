// TEST ranks=1,2,3 labels=emulated+particles timeout=300
// TEST ranks=1 labels=cuda args=--large timeout=300
/* Deposit and gather on a GPU have the bits of those on the CPU, for all windows, positions, precisions and boxes; particles
 * that are refused are named as there.  A deposit in the sequence of the particles has the sums of one that sorts them. */
#include "particle_set.h"

#include "local/cuda/kernels/args/particle_args.h"
#include "particles/device.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else

enum { FIELDS = 4, SIDES = 2 }; /* host, device */

typedef struct config {
  int assignment, centered, boxes;
  mfft_position_type type;
  mfft_precision precision, values;
  size_t scratch;
  int sequence; /* that of the particles, below */
} config;
/* RANDOM; TILES: that of the device's tiles, so that they are read in place of records; ALMOST: but for two particles. */
enum { RANDOM = 0, TILES, ALMOST };

static const config configs[] = {
    {1, 0, 0, MFFT_POSITION_DOUBLE, MFFT_SINGLE, MFFT_DOUBLE, 0, TILES},
    {2, 0, 1, MFFT_POSITION_SINGLE, MFFT_SINGLE, MFFT_SINGLE, 0, TILES},
    {3, 0, 2, MFFT_POSITION_FIXED32, MFFT_DOUBLE, MFFT_DOUBLE, 0, TILES},
    {3, 1, 3, MFFT_POSITION_SINGLE, MFFT_SINGLE, MFFT_DOUBLE, 1, ALMOST},
    {4, 0, 0, MFFT_POSITION_FIXED64, MFFT_SINGLE, MFFT_SINGLE, 0, TILES},
    {4, 1, 1, MFFT_POSITION_SINGLE, MFFT_DOUBLE, MFFT_SINGLE, 1, RANDOM},
    {2, 1, 3, MFFT_POSITION_DOUBLE, MFFT_DOUBLE, MFFT_DOUBLE, 0, TILES},
    {1, 1, 2, MFFT_POSITION_FIXED32, MFFT_DOUBLE, MFFT_SINGLE, 0, RANDOM},
};

static const char *const backends[SIDES] = {"fftw", "cuda"};
static const double length[3] = {1, 2.5, 100};

/* The memory of a side, a copy of a host array there, and a copy of an array of that side on the host. */
static void *room(int side, size_t bytes) {
  void *array = NULL;
  CHECK_OK(mfft_memory_alloc(backends[side], bytes + 1, &array));
  return array;
}
static void *copy_to(int side, const void *host, size_t bytes) {
  void *array = room(side, bytes);
  if (bytes) CHECK_OK(mfft_memory_upload(backends[side], array, host, bytes));
  return array;
}
static void copy_from(int side, void *host, const void *array, size_t bytes) {
  if (bytes) CHECK_OK(mfft_memory_download(backends[side], host, array, bytes));
}

static mfft_plan plan_of(int side, const int64_t n[3], mfft_precision precision, int boxes) {
  mfft_options o;
  mfft_options_init(&o);
  o.backend = backends[side];
  return pm_plan_by(MPI_COMM_WORLD, n, precision, boxes, o);
}

/* One side of a comparison: the particles of this rank, in the memory of the side. */
typedef struct subject {
  int side;
  mfft_plan plan;
  mfft_particle_mesh mesh;
  pm_mine mine;
  mfft_particles particles;
  void *position, *weight, *host; /* host: room for an array of the plan */
  size_t bytes;                   /* of an array of the plan */
} subject;

static const int wide[3] = {1 << MFFT_PARTICLE_LOG_X, 1 << MFFT_PARTICLE_LOG_Y, 1 << MFFT_PARTICLE_LOG_Z};

typedef struct tile_of_particle {
  int64_t tile, particle;
} tile_of_particle;

static int by_tile(const void *a, const void *b) {
  const tile_of_particle *x = a, *y = b;
  return x->tile != y->tile ? (x->tile > y->tile) - (x->tile < y->tile)
                            : (x->particle > y->particle) - (x->particle < y->particle);
}

static void permute(void *array, const tile_of_particle *order, int64_t count, size_t bytes) {
  char *copy = malloc((size_t)count * bytes + 1);
  for (int64_t i = 0; i < count; i++)
    memcpy(copy + (size_t)i * bytes, (char *)array + (size_t)order[i].particle * bytes, bytes);
  memcpy(array, copy, (size_t)count * bytes);
  free(copy);
}

/* Brings the particles of this rank into the sequence of the device's tiles, the first and the last exchanged if `almost`.
 */
static void sort_by_tiles(mfft_particle_mesh mesh, pm_mine *mine, int bytes, int almost) {
  const int64_t count = mine->particles.count, *n = mesh->grid.n;
  tile_of_particle *order = malloc((size_t)count * sizeof *order + 1);
  for (int64_t i = 0; i < count; i++) {
    double g[3][MFFT_PM_BATCH];
    int64_t tile = 0;
    CHECK(mfft_pm_locate(&mesh->grid, &mine->particles, i, 1, g) < 0, "particle %lld", (long long)i);
    for (int a = 0; a < 3; a++) tile = tile * n[a] + ((int64_t)g[a][0] - mesh->grid.own.lo[a]) / wide[a];
    order[i] = (tile_of_particle){tile, i};
  }
  qsort(order, (size_t)count, sizeof *order, by_tile);
  if (almost && count > 1) {
    const tile_of_particle first = order[0];
    order[0] = order[count - 1], order[count - 1] = first;
  }
  permute(mine->position, order, count, (size_t)(3 * bytes));
  permute(mine->weight, order, count, sizeof *mine->weight);
  permute(mine->index, order, count, sizeof *mine->index);
  free(order);
}

/* Whether the own cells are several tiles. */
static int has_tiles(const subject *s) {
  int several = 0;
  for (int a = 0; a < 3; a++) several |= mfft_box_extent(&s->mesh->grid.own, a) > wide[a];
  return several;
}

static subject make(int side, const int64_t n[3], const config *c, const pm_set *set) {
  subject s = {.side = side, .plan = plan_of(side, n, c->precision, c->boxes)};
  s.mesh = pm_mesh(s.plan, length, c->assignment, c->centered, side ? 1 : 4, c->scratch);
  s.mine = pm_select(s.mesh, set, c->type, 0);
  const int each = mfft_pm_position_bytes(c->type);
  const int64_t count = s.mine.particles.count;
  if (c->sequence) sort_by_tiles(s.mesh, &s.mine, each, c->sequence == ALMOST);
  s.particles = s.mine.particles;
  s.position = copy_to(side, s.mine.position, (size_t)(3 * count * each));
  for (int a = 0; a < 3; a++) s.particles.position[a] = (char *)s.position + a * each;
  if (c->values == MFFT_SINGLE)
    for (int64_t i = 0; i < count; i++) ((float *)s.mine.weight)[i] = (float)s.mine.weight[i];
  s.weight = copy_to(side, s.mine.weight, (size_t)count * (c->values == MFFT_SINGLE ? 4 : 8));
  CHECK_OK(mfft_plan_bytes(s.plan, MFFT_IN, &s.bytes));
  s.host = calloc(s.bytes + 64, 1);
  return s;
}

static void destroy(subject *s) {
  CHECK_OK(mfft_memory_free(backends[s->side], s->position));
  CHECK_OK(mfft_memory_free(backends[s->side], s->weight));
  free(s->host);
  pm_release(&s->mine);
  mfft_particle_mesh_destroy(s->mesh);
  mfft_plan_destroy(s->plan);
}

static double *whole_of(subject *s, const void *array) {
  copy_from(s->side, s->host, array, s->bytes);
  return pm_whole(s->mesh, s->host);
}

/* The mesh after a deposit by weight, and after counts without their mean have been added to it. */
static void deposits(subject *s, const config *c, double *whole[2]) {
  void *array = copy_to(s->side, s->host, s->bytes);
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = array;
  field.value = s->weight;
  field.precision = c->values;
  CHECK_OK(mfft_particles_deposit(s->mesh, &s->particles, &field, 1));
  whole[0] = whole_of(s, array);
  field.value = NULL;
  field.add = field.remove_mean = 1;
  CHECK_OK(mfft_particles_deposit(s->mesh, &s->particles, &field, 1));
  whole[1] = whole_of(s, array);
  CHECK_OK(mfft_memory_free(backends[s->side], array));
}

/* A number without structure of a cell. */
static double field_at(int64_t cell, int f) {
  uint64_t state = (uint64_t)cell * 2654435761u + (uint64_t)f + 3;
  return test_random(&state);
}

static void fill(subject *s, int f) {
  const mfft_box *own = &s->mesh->grid.own;
  const int64_t *n = s->mesh->grid.n, *stride = s->mesh->grid.stride;
  for (int64_t x = own->lo[0]; x < own->hi[0] && !mfft_box_empty(own); x++)
    for (int64_t y = own->lo[1]; y < own->hi[1]; y++)
      for (int64_t z = own->lo[2]; z < own->hi[2]; z++) {
        const int64_t at = (x - own->lo[0]) * stride[0] + (y - own->lo[1]) * stride[1] + (z - own->lo[2]) * stride[2];
        const double value = field_at((x * n[1] + y) * n[2] + z, f);
        if (s->mesh->precision == MFFT_SINGLE)
          ((float *)s->host)[at] = (float)value;
        else
          ((double *)s->host)[at] = value;
      }
}

/* The bits of the values of all particles of the set, [FIELDS][count], on every rank; the last field is added to weights. */
static uint64_t *gathers(subject *s, const config *c, int64_t count) {
  const int each = c->values == MFFT_SINGLE ? 4 : 8;
  const int64_t mine = s->particles.count;
  uint64_t *bits = calloc((size_t)(FIELDS * count), sizeof *bits);
  char *value = malloc((size_t)(mine * each) + 1);
  mfft_particle_field field[FIELDS];
  for (int f = 0; f < FIELDS; f++) {
    mfft_particle_field_init(&field[f]);
    fill(s, f);
    field[f].mesh = copy_to(s->side, s->host, s->bytes);
    field[f].value = copy_to(s->side, s->mine.weight, (size_t)(mine * each));
    field[f].precision = c->values;
    field[f].add = f == FIELDS - 1;
  }
  CHECK_OK(mfft_particles_gather(s->mesh, &s->particles, field, FIELDS));
  for (int f = 0; f < FIELDS; f++) {
    copy_from(s->side, value, field[f].value, (size_t)(mine * each));
    for (int64_t i = 0; i < mine; i++) memcpy(&bits[f * count + s->mine.index[i]], value + i * each, (size_t)each);
    CHECK_OK(mfft_memory_free(backends[s->side], field[f].mesh));
    CHECK_OK(mfft_memory_free(backends[s->side], field[f].value));
  }
  free(value);
  MPI_Allreduce(MPI_IN_PLACE, bits, (int)(FIELDS * count), MPI_UINT64_T, MPI_BOR, MPI_COMM_WORLD);
  return bits;
}

/* Sums of own cells and rims by a deposit that sorts, or by one in the sequence of the particles. */
static int64_t *sums_of(subject *s, const config *c, int sorts, size_t words[2]) {
  mfft_particle_mesh mesh = s->mesh;
  static const double to[2] = {1 << 17, 1 << 17};
  words[0] = (size_t)mesh->plan->count[MFFT_IN];
  words[1] = (size_t)mesh->parts.rim_count;
  int64_t *host = calloc(words[0] + words[1] + 1, sizeof *host);
  const mfft_pm_arrays sums = {copy_to(1, host, words[0] * sizeof *host), copy_to(1, host, words[1] * sizeof *host)};
  const mfft_particle_target target = {.own = sums.own, .rims = sums.rims, .hi = 1 << 30};
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.value = s->weight;
  field.precision = c->values;
  for (int64_t first = 0; first < s->particles.count; first += mesh->bins.count) {
    if (sorts) CHECK_OK(mfft_pm_device_sort(mesh, &s->particles, first));
    CHECK_OK(sorts ? mfft_pm_device_deposit(mesh, &field, to, &target)
                   : mfft_pm_device_deposit_direct(mesh, &s->particles, first, &field, to, &sums));
  }
  CHECK_OK(mfft_plan_synchronize(s->plan));
  copy_from(1, host, sums.own, words[0] * sizeof *host);
  copy_from(1, host + words[0], sums.rims, words[1] * sizeof *host);
  CHECK_OK(mfft_memory_free("cuda", sums.own));
  CHECK_OK(mfft_memory_free("cuda", sums.rims));
  return host;
}

/* Particles in the sequence of the caller give the sums of sorted ones. */
static void compare_direct(subject *s, const config *c) {
  size_t words[2];
  CHECK_OK(mfft_pm_reserve_sort(s->mesh, &s->particles, 0)); /* a window that needs no sort has no memory for one */
  int64_t *sorted = sums_of(s, c, 1, words), *direct = sums_of(s, c, 0, words), other = 0, any = 0;
  for (size_t i = 0; i < words[0] + words[1]; i++) other += direct[i] != sorted[i], any += direct[i] != 0;
  CHECK(!other, "order %d, boxes %s, type %d: %d of %d sums without a sort differ", c->assignment, pm_boxes_name[c->boxes],
        (int)c->type, (int)other, (int)(words[0] + words[1]));
  CHECK(any || !s->particles.count, "no sums");
  free(sorted), free(direct);
}

/* Moves the particles into the box. */
static void wrap(pm_set *set) {
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < set->count; i++) {
      const double inside = set->x[a][i] - length[a] * floor(set->x[a][i] / length[a]);
      set->x[a][i] = inside < length[a] ? inside : 0;
    }
}

static void compare(const int64_t n[3], const config *c, int64_t count) {
  const int64_t cells = n[0] * n[1] * n[2];
  pm_set set = pm_random(count, n, length, 13);
  if (c->sequence == TILES) wrap(&set); /* one outside is in no tile */
  double *whole[SIDES][2];
  uint64_t *values[SIDES];
  for (int side = 0; side < SIDES; side++) {
    subject s = make(side, n, c, &set);
    deposits(&s, c, whole[side]);
    values[side] = gathers(&s, c, count);
    if (side && c - configs < 4) compare_direct(&s, c);
    if (side && s.particles.count && has_tiles(&s))
      CHECK(s.mesh->device.sort.in_list == (c->sequence == TILES), "order %d, boxes %s: the list is %s", c->assignment,
            pm_boxes_name[c->boxes], s.mesh->device.sort.in_list ? "read in place of records" : "copied to records");
    destroy(&s);
  }
  for (int i = 0; i < 2; i++) {
    int64_t other = 0;
    for (int64_t k = 0; k < cells; k++) other += memcmp(&whole[0][i][k], &whole[1][i][k], sizeof(double)) != 0;
    CHECK(!other, "order %d, centered %d, boxes %s, type %d, deposit %d: %d of %d cells have other bits", c->assignment,
          c->centered, pm_boxes_name[c->boxes], (int)c->type, i, (int)other, (int)cells);
  }
  int64_t other = 0;
  for (int64_t k = 0; k < FIELDS * count; k++) other += values[0][k] != values[1][k];
  CHECK(!other, "order %d, centered %d, boxes %s, type %d: %d of %d values have other bits", c->assignment, c->centered,
        pm_boxes_name[c->boxes], (int)c->type, (int)other, (int)(FIELDS * count));
  for (int side = 0; side < SIDES; side++) {
    for (int i = 0; i < 2; i++) free(whole[side][i]);
    free(values[side]);
  }
  pm_free(&set);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------------- */

enum { COUNT = 70 };

/* A deposit of particles in the middle of this rank's box, of which coordinate `axis` of particle `which` is changed, and a
 * weight. */
static mfft_status attempt(mfft_particle_mesh mesh, void *array, int axis, int which, double coordinate, double weight) {
  double x[3][COUNT], w[COUNT];
  void *device[4];
  mfft_particles p;
  mfft_particle_field f;
  mfft_particles_init(&p);
  mfft_particle_field_init(&f);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < COUNT; i++)
      x[a][i] = ((double)mesh->grid.own.lo[a] + 0.25) / (double)mesh->grid.n[a] * mesh->length[a];
  for (int i = 0; i < COUNT; i++) w[i] = 1;
  if (mesh->rank == mesh->ranks - 1) {
    x[axis][which] = coordinate;
    w[which] = weight;
  }
  for (int a = 0; a < 3; a++) p.position[a] = device[a] = copy_to(1, x[a], sizeof x[a]);
  f.value = device[3] = copy_to(1, w, sizeof w);
  f.mesh = array;
  p.count = mfft_box_empty(&mesh->grid.own) ? 0 : COUNT;
  const mfft_status status = mfft_particles_deposit(mesh, &p, &f, 1);
  for (int i = 0; i < 4; i++) CHECK_OK(mfft_memory_free(backends[1], device[i]));
  return status;
}

static void refusals(void) {
  static const int64_t n[3] = {12, 10, 8};
  mfft_plan plan = plan_of(1, n, MFFT_SINGLE, 0);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, 1, 0);
  size_t bytes;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  void *array = room(1, bytes), *host = malloc(bytes + 1);
  const double inside = ((double)mesh->grid.own.lo[0] + 0.25) / (double)n[0];
  CHECK_FAILS(attempt(mesh, array, 1, 66, NAN, 1), MFFT_ERR_NONFINITE, "position[1] of particle 66 is nan");
  CHECK_FAILS(attempt(mesh, array, 2, 3, -INFINITY, 1), MFFT_ERR_NONFINITE, "position[2] of particle 3 is -inf");
  CHECK_FAILS(attempt(mesh, array, 0, 65, inside, NAN), MFFT_ERR_NONFINITE, "weight of particle 65 is nan");
  CHECK_FAILS(attempt(mesh, array, 0, 5, inside, INFINITY), MFFT_ERR_NONFINITE, "weight of particle 5 is inf");
  CHECK_FAILS(attempt(mesh, array, 0, 5, inside, 1e300), MFFT_ERR_NONFINITE, "exceed the range of single precision");
  if (mesh->ranks > 1) CHECK_FAILS(attempt(mesh, array, 0, 9, 0.01, 1), MFFT_ERR_ARG, "particle 9 lies in cell (0,");
  CHECK_FAILS(attempt(mesh, host, 0, 9, inside, 1), MFFT_ERR_ARG, "field[0].mesh is ");
  CHECK_OK(attempt(mesh, array, 0, 9, inside, 1));
  free(host);
  CHECK_OK(mfft_memory_free(backends[1], array));
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  static const int64_t small[2][3] = {{20, 5, 37}, {3, 2, 40}}, large[3] = {80, 60, 100};
  static const config scanned = {2, 0, 1, MFFT_POSITION_SINGLE, MFFT_SINGLE, MFFT_SINGLE, 0, RANDOM};
  static const int64_t tiles[3] = {1, 1, 147456}; /* more tiles than a block of the scan takes */
  const int is_large = argc > 1 && !strcmp(argv[1], "--large");
  MPI_Init(&argc, &argv);
  if (!mfft_backend_usable("cuda", NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  const size_t rows = is_large ? sizeof configs / sizeof configs[0] : 6; /* each has kernels of its own to compile */
  for (size_t i = 0; i < rows; i++)
    compare(is_large ? large : small[i % 4 == 3], &configs[i], is_large ? 500000 : configs[i].scratch ? 9000 : 1500);
  compare(tiles, &scanned, 100);
  refusals();
  MPI_Finalize();
  return test_end();
}
#endif
