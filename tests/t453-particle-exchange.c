// TEST ranks=1,2,3,5,8 labels=particles
/* Particles to the ranks that own them and back: every particle arrives once, on its owner, in the sequence that the header
 * states; columns of many widths; in rounds; uneven counts; boxes of all kinds. */
#include "particle_set.h"

static int rank, ranks;
static const double length[3] = {1, 2.5, 100};

/* The particles that a rank begins with: uneven shares, none on rank 1. */
static int64_t first_of(int64_t count, int r) { return r == 1 ? first_of(count, 2) : count * r * r / (ranks * ranks); }

static void there_and_back(const int64_t n[3], int boxes, size_t scratch) {
  mfft_plan plan = pm_plan(MPI_COMM_WORLD, n, MFFT_DOUBLE, boxes);
  mfft_particle_mesh mesh = pm_mesh(plan, length, MFFT_TSC, 0, 2, scratch);
  pm_set set = pm_random(7000, n, length, 31);
  const int64_t first = ranks > 1 ? first_of(set.count, rank) : 0;
  const int64_t count = (ranks > 1 ? first_of(set.count, rank + 1) : set.count) - first;
  mfft_particles p;
  mfft_particles_init(&p);
  p.count = count > 0 ? count : 0;
  for (int a = 0; a < 3; a++) p.position[a] = set.x[a] + first;
  int64_t *id = malloc((size_t)p.count * 8 + 1), arriving = 0, staying = 0, sum = 0;
  for (int64_t i = 0; i < p.count; i++) id[i] = first + i;
  mfft_particle_exchange x = NULL;
  CHECK_OK(mfft_particle_exchange_create(mesh, &p, &x));
  CHECK_OK(mfft_particle_exchange_count(x, &arriving, &staying));
  CHECK(staying <= arriving && staying <= p.count);
  MPI_Allreduce(&arriving, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == set.count, "%d of %d particles", (int)sum, (int)set.count);

  double *got[3];
  int64_t *got_id = malloc((size_t)arriving * 8 + 1);
  char *wide = malloc((size_t)p.count * 37 + 1), *got_wide = malloc((size_t)arriving * 37 + 1);
  for (int64_t i = 0; i < p.count * 37; i++) wide[i] = (char)(first * 37 + i);
  mfft_particle_column column[5] = {{8, id, got_id}, {37, wide, got_wide}};
  for (int a = 0; a < 3; a++)
    column[2 + a] = (mfft_particle_column){8, p.position[a], got[a] = malloc((size_t)arriving * 8 + 1)};
  CHECK_OK(mfft_particle_exchange_send(x, column, 5));
  int64_t wrong = 0, foreign = 0, last = -1, disordered = 0;
  mfft_particles mine = p;
  mine.count = arriving;
  for (int a = 0; a < 3; a++) mine.position[a] = got[a];
  for (int64_t i = 0; i < arriving; i++) {
    double g[3][MFFT_PM_BATCH];
    CHECK(got_id[i] >= 0 && got_id[i] < set.count);
    for (int a = 0; a < 3; a++) wrong += got[a][i] != set.x[a][got_id[i]];
    for (int b = 0; b < 37; b++) wrong += got_wide[37 * i + b] != (char)(37 * got_id[i] + b);
    (void)mfft_pm_locate(&mesh->grid, &mine, i, 1, g);
    for (int a = 0; a < 3; a++)
      foreign += (int64_t)g[a][0] < mesh->grid.own.lo[a] || (int64_t)g[a][0] >= mesh->grid.own.hi[a];
    disordered += got_id[i] <= last; /* the first rank has the lowest, and so on */
    last = got_id[i];
  }
  CHECK(!wrong && !foreign && !disordered, "boxes %s: %d wrong, %d foreign, %d out of sequence", pm_boxes_name[boxes],
        (int)wrong, (int)foreign, (int)disordered);

  int64_t *back = malloc((size_t)p.count * 8 + 1);
  const mfft_particle_column returned = {8, got_id, back};
  CHECK_OK(mfft_particle_exchange_return(x, &returned, 1));
  CHECK(!memcmp(back, id, (size_t)p.count * 8), "boxes %s: another sequence", pm_boxes_name[boxes]);
  CHECK_FAILS(mfft_particle_exchange_send(x, &(mfft_particle_column){0, id, got_id}, 1), MFFT_ERR_ARG, "element_bytes is 0");
  mfft_particle_exchange_destroy(x);
  mfft_particle_exchange_destroy(NULL);
  for (int a = 0; a < 3; a++) free(got[a]);
  free(id), free(got_id), free(wide), free(got_wide), free(back);
  pm_free(&set);
  mfft_particle_mesh_destroy(mesh);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const int64_t sizes[][3] = {{12, 10, 9}, {3, 2, 4}};
  for (int s = 0; s < 2; s++)
    for (int boxes = 0; boxes < 3; boxes++) there_and_back(sizes[s], boxes, boxes == 1 ? 1 : 0);
  MPI_Finalize();
  return test_end();
}
