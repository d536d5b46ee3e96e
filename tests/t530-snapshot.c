// TEST ranks=1,3,5 more=2,8 labels=field
// A snapshot that is written by any number of ranks, with any ranges, is the file of one process byte for byte, and is
// read back value by value; so is a set of files, of which none has its name if one cannot get its own; wrong arguments fail
// on all ranks with the thing, its value and the remedy.
//
// With arguments it is a tool of t531 and t532: "dump FILE TYPES:NAME:NUMBER:COMPONENTS ..." reads columns, each rank its
// share, into column-0.bin and so on, and "list FILE" prints the header and the columns.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <unistd.h>

#include "check.h"
#include "mfft_field.h"
#include "mfft_snapshot.h"

static int rank, size;

/* ---- The tool --------------------------------------------------------------------------------------------------------- */

static int fail(void) {
  if (rank == 0) fprintf(stderr, "%s\n", mfft_last_error());
  return 1;
}

/* Reads one column, "TYPES:NAME:NUMBER:COMPONENTS", to the file `out`. */
static int dump_column(mfft_snapshot snapshot, const char *spec, const char *out) {
  int64_t first, count, all;
  unsigned types;
  int number, components;
  char name[64];
  if (sscanf(spec, "%u:%63[^:]:%d:%d", &types, name, &number, &components) != 4) return 1;
  int code = mfft_snapshot_share(snapshot, types, &first, &count, &all) != MFFT_SUCCESS;
  const size_t row = (size_t)components * (number == MFFT_SNAPSHOT_FLOAT32 ? 4 : 8);
  void *data = malloc((size_t)count * row + 1);
  if (!code && mfft_snapshot_read(snapshot, types, name, first, count, (mfft_snapshot_number)number, components, data) !=
                   MFFT_SUCCESS)
    code = fail();
  for (int r = 0; r < size && !code; r++) {
    if (r == rank) {
      FILE *file = fopen(out, r == 0 ? "wb" : "r+b");
      fseek(file, (long)((size_t)first * row), SEEK_SET);
      fwrite(data, row, (size_t)count, file);
      fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(data);
  return code;
}

static int dump(char **argv, int columns) {
  mfft_snapshot snapshot;
  char out[32];
  int code = 0;
  if (mfft_snapshot_open(MPI_COMM_WORLD, argv[0], &snapshot) != MFFT_SUCCESS) return fail();
  for (int i = 0; i < columns && !code; i++) {
    snprintf(out, sizeof out, "column-%d.bin", i);
    code = dump_column(snapshot, argv[i + 1], out);
  }
  mfft_snapshot_close(&snapshot);
  return code;
}

static int list(const char *path) {
  static const char *const formats[] = {"hdf5", "gadget1", "gadget2"};
  enum { MOST = 64 };
  mfft_snapshot snapshot;
  mfft_snapshot_info info;
  mfft_snapshot_column column[MOST];
  int count;
  if (mfft_snapshot_open(MPI_COMM_WORLD, path, &snapshot) != MFFT_SUCCESS) return fail();
  mfft_snapshot_info_init(&info);
  CHECK_OK(mfft_snapshot_query(snapshot, &info));
  if (rank == 0)
    printf(
        "format=%s files=%d types=%d big=%d box=%.17g time=%.17g redshift=%.17g cosmology=%d omega_m=%.17g "
        "omega_lambda=%.17g h=%.17g length=%.17g mass=%.17g velocity=%.17g\n",
        formats[info.format], info.files, info.types, info.big_endian, info.box_size[0], info.time, info.redshift,
        info.has_cosmology, info.omega_m, info.omega_lambda, info.h, info.length_mpc_h, info.mass_1e10_msun_h,
        info.velocity_km_s);
  for (int type = 0; type < info.types; type++) {
    CHECK_OK(mfft_snapshot_columns(snapshot, type, column, MOST, &count));
    if (rank == 0 && info.count[type]) printf("type%d %" PRId64 " %.17g", type, info.count[type], info.mass[type]);
    for (int i = 0; i < count && rank == 0; i++)
      printf(" %s:%d:%d", column[i].name, column[i].components, (int)column[i].number);
    if (rank == 0 && info.count[type]) printf("\n");
  }
  mfft_snapshot_close(&snapshot);
  return test_end();
}

/* ---- Round trip ------------------------------------------------------------------------------------------------------- */

static const mfft_snapshot_column columns[] = {
    {0, "Coordinates", 3, MFFT_SNAPSHOT_FLOAT64}, {0, "Masses", 1, MFFT_SNAPSHOT_FLOAT32},
    {1, "Coordinates", 3, MFFT_SNAPSHOT_FLOAT32}, {1, "Velocities", 3, MFFT_SNAPSHOT_FLOAT32},
    {1, "ParticleIDs", 1, MFFT_SNAPSHOT_UINT64},  {1, "Steps", 1, MFFT_SNAPSHOT_INT32}};
enum { COLUMNS = sizeof columns / sizeof *columns };
static const int64_t counts[2] = {37, 100003};

static mfft_snapshot_info header(void) {
  mfft_snapshot_info info;
  mfft_snapshot_info_init(&info);
  info.count[0] = counts[0];
  info.count[1] = counts[1];
  info.mass[1] = 0.125;
  info.box_size[0] = info.box_size[1] = info.box_size[2] = 100;
  info.time = 0.25;
  info.redshift = 3;
  info.has_cosmology = 1;
  info.omega_m = 0.3;
  info.omega_lambda = 0.7;
  info.h = 0.7;
  info.length_mpc_h = info.mass_1e10_msun_h = 1;
  return info;
}

/* Values that are exact in float; and integers. */
static double real_of(int column, int64_t i) {
  uint64_t state = (uint64_t)(i * 31 + column);
  return (float)test_random(&state);
}
static uint64_t id_of(int64_t i) { return (uint64_t)i * 0x9e3779b97f4a7c15u; } /* beyond 2^63, and beyond a double */
static int64_t step_of(int64_t i) { return i * 21023 - 1000000000; }

/* Ranges of every size, rank 0 last, one of them empty. */
static void range_of(int64_t n, int64_t *first, int64_t *count) {
  const int64_t place = size - 1 - rank, cut = size > 2 ? size - 1 : size;
  *first = place < cut ? n * place * place / (cut * cut) : n;
  *count = place < cut ? n * (place + 1) * (place + 1) / (cut * cut) - *first : 0;
}

static void put(mfft_snapshot_file file, int c, int64_t first, int64_t count) {
  const int64_t numbers = count * columns[c].components, start = first * columns[c].components;
  void *data = malloc((size_t)numbers * 8 + 1);
  mfft_snapshot_number number = c % 2 ? MFFT_SNAPSHOT_FLOAT32 : MFFT_SNAPSHOT_FLOAT64;
  if (!strcmp(columns[c].name, "ParticleIDs")) number = MFFT_SNAPSHOT_UINT64;
  if (!strcmp(columns[c].name, "Steps")) number = MFFT_SNAPSHOT_INT64;
  for (int64_t i = 0; i < numbers; i++) {
    if (number == MFFT_SNAPSHOT_FLOAT32) ((float *)data)[i] = (float)real_of(c, start + i);
    if (number == MFFT_SNAPSHOT_FLOAT64) ((double *)data)[i] = real_of(c, start + i);
    if (number == MFFT_SNAPSHOT_UINT64) ((uint64_t *)data)[i] = id_of(start + i);
    if (number == MFFT_SNAPSHOT_INT64) ((int64_t *)data)[i] = step_of(start + i);
  }
  CHECK_OK(mfft_snapshot_put(file, c, first, count, number, count ? data : NULL));
  free(data);
}

/* Everything but the commit. */
static mfft_snapshot_file begin(MPI_Comm comm, const char *path, int files, int alone) {
  const mfft_snapshot_info info = header();
  mfft_snapshot_file file = NULL;
  if (files > 1)
    CHECK_OK(mfft_snapshot_create_set(comm, path, &info, columns, COLUMNS, files, &file));
  else
    CHECK_OK(mfft_snapshot_create(comm, path, &info, columns, COLUMNS, &file));
  for (int c = COLUMNS - 1; c >= 0 && file; c--) {
    int64_t first = 0, count = counts[columns[c].type];
    if (!alone) range_of(counts[columns[c].type], &first, &count);
    put(file, c, first, count);
  }
  return file;
}

static void write_all(MPI_Comm comm, const char *path, int files, int alone) {
  mfft_snapshot_file file = begin(comm, path, files, alone);
  CHECK_OK(mfft_snapshot_commit(&file));
}

static int same_files(const char *a, const char *b) {
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  int same = x && y, c = 0;
  while (same && c != EOF) same = (c = getc(x)) == getc(y);
  if (x) fclose(x);
  if (y) fclose(y);
  return same;
}

/* Every column of one type, and Masses of both. */
static void read_all(const char *path) {
  mfft_snapshot s = NULL;
  int64_t first, count, all;
  CHECK_OK(mfft_snapshot_open(MPI_COMM_WORLD, path, &s));
  if (!s) return;
  CHECK_OK(mfft_snapshot_share(s, 0, &first, &count, &all));
  CHECK(all == counts[0] + counts[1]);
  double *x = malloc((size_t)count * 24 + 1), *mass = malloc((size_t)count * 8 + 1);
  CHECK_OK(mfft_snapshot_read(s, 0, "Coordinates", first, count, MFFT_SNAPSHOT_FLOAT64, 3, x));
  CHECK_OK(mfft_snapshot_read(s, 0, "Masses", first, count, MFFT_SNAPSHOT_FLOAT64, 1, mass));
  int64_t wrong = 0;
  for (int64_t i = 0; i < count; i++) {
    const int type = first + i >= counts[0];
    const int64_t at = first + i - (type ? counts[0] : 0);
    for (int a = 0; a < 3; a++) wrong += x[3 * i + a] != real_of(type ? 2 : 0, 3 * at + a);
    wrong += mass[i] != (type ? 0.125 : real_of(1, at));
  }
  free(x);
  free(mass);
  range_of(counts[1], &first, &count);
  uint64_t *id = malloc((size_t)count * 8 + 1);
  int64_t *step = malloc((size_t)count * 8 + 1);
  CHECK_OK(mfft_snapshot_read(s, 2, "ParticleIDs", first, count, MFFT_SNAPSHOT_UINT64, 1, id));
  CHECK_OK(mfft_snapshot_read(s, 2, "Steps", first, count, MFFT_SNAPSHOT_INT64, 1, step));
  for (int64_t i = 0; i < count; i++) wrong += id[i] != id_of(first + i) || step[i] != step_of(first + i);
  CHECK(wrong == 0, "%lld values are wrong", (long long)wrong);
  CHECK_FAILS(
      mfft_snapshot_read(s, 2, "ParticleIDs", 0, counts[1], MFFT_SNAPSHOT_INT64, 1, id = realloc(id, (size_t)counts[1] * 8)),
      MFFT_ERR_UNSUPPORTED, "do not fit 64-bit integer");
  free(id);
  free(step);
  mfft_snapshot_close(&s);
}

/* ---- Sets of files ---------------------------------------------------------------------------------------------------- */

static const char *stuck = ""; /* a file that cannot get its name */

/* Stands before that of the C library. */
int rename(const char *from, const char *to) {
  const size_t length = strlen(to), end = strlen(stuck);
  if (!end || length < end || strcmp(to + length - end, stuck) != 0) return renameat(AT_FDCWD, from, AT_FDCWD, to);
  errno = EIO;
  return -1;
}

static int files_there(const char *base, int files, const char *end) {
  char name[64];
  int there = 0;
  for (int i = 0; i < files; i++) {
    snprintf(name, sizeof name, "%s.%d.hdf5%s", base, i, end);
    there += access(name, F_OK) == 0;
  }
  return there;
}

/* A set of so many files is that of one process, and has all values; of 37 particles of a type 40 files have none or one. */
static void write_set(int files) {
  char base[2][32], name[2][160];
  for (int alone = 0; alone < 2; alone++) {
    snprintf(base[alone], sizeof base[0], "%s-%d", alone ? "alone" : "set", files);
    snprintf(name[alone], sizeof name[0], "%s%s", base[alone], alone ? "" : ".hdf5");
  }
  write_all(MPI_COMM_WORLD, name[0], files, 0);
  if (rank == 0) write_all(MPI_COMM_SELF, name[1], files, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < files; i++) {
    for (int alone = 0; alone < 2; alone++) snprintf(name[alone], sizeof name[0], "%s.%d.hdf5", base[alone], i);
    CHECK(same_files(name[0], name[1]), "%s is not the file of one process", name[0]);
  }
  read_all(base[0]);
  read_all(name[0]);
  snprintf(name[0], sizeof name[0], "%s.hdf5", base[0]);
  read_all(name[0]);
  CHECK(files_there(base[0], files + 1, "") == files && files_there(base[0], files, ".mfft-partial") == 0, "files of %s",
        base[0]);
}

/* Whichever file of a set cannot get its name, none has; what was there before stays until then. */
static void break_set(void) {
  enum { FILES = 3 };
  mfft_snapshot_file file;
  for (int i = 0; i < FILES; i++) {
    char name[32];
    snprintf(name, sizeof name, "broken.%d.hdf5", i);
    stuck = name;
    file = begin(MPI_COMM_WORLD, "broken.hdf5", FILES, 0);
    CHECK_FAILS(mfft_snapshot_commit(&file), MFFT_ERR_IO, "cannot rename");
    CHECK(files_there("broken", FILES, "") == 0 && files_there("broken", FILES, ".mfft-partial") == 0,
          "%d files, %d partial ones after a failure of file %d", files_there("broken", FILES, ""),
          files_there("broken", FILES, ".mfft-partial"), i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  stuck = "";
  file = begin(MPI_COMM_WORLD, "set-3.hdf5", FILES, 0);
  mfft_snapshot_abandon(&file);
  read_all("set-3");
  write_all(MPI_COMM_WORLD, "set-3.hdf5", 2, 0); /* in place of the first two */
  read_all("set-3");
}

/* ---- What is refused ------------------------------------------------------------------------------------------------- */

static void refuse_reading(const char *path) {
  mfft_snapshot s = NULL;
  double x[3];
  CHECK_OK(mfft_snapshot_open(MPI_COMM_WORLD, path, &s));
  CHECK_FAILS(mfft_snapshot_read(s, 2, "Speeds", 0, 1, MFFT_SNAPSHOT_FLOAT64, 1, x), MFFT_ERR_ARG,
              "no column Speeds; there is Coordinates, ParticleIDs, Steps, Velocities");
  CHECK_FAILS(mfft_snapshot_read(s, 2, "ParticleIDs", 0, 1, MFFT_SNAPSHOT_FLOAT64, 1, x), MFFT_ERR_ARG,
              "holds integers, where floating-point numbers are needed; store it as float or double, or read it as INT64");
  CHECK_FAILS(mfft_snapshot_read(s, 2, "Coordinates", 0, 1, MFFT_SNAPSHOT_INT64, 3, x), MFFT_ERR_ARG,
              "holds floating-point numbers, where integers are needed; store it as 32-bit");
  CHECK_FAILS(mfft_snapshot_read(s, 2, "Coordinates", 0, 1, MFFT_SNAPSHOT_FLOAT64, 1, x), MFFT_ERR_ARG, "has 3 numbers");
  CHECK_FAILS(mfft_snapshot_read(s, 128, "Coordinates", 0, 1, MFFT_SNAPSHOT_FLOAT64, 3, x), MFFT_ERR_ARG, "types 0 to 5");
  CHECK_FAILS(mfft_snapshot_read(s, 2, "Coordinates", counts[1], 1, MFFT_SNAPSHOT_FLOAT64, 3, x), MFFT_ERR_ARG, "100003");
  CHECK_FAILS(mfft_snapshot_read(s, 2, "Coordinates", rank == size - 1, rank == size - 1 ? INT64_MAX : 0,
                                 MFFT_SNAPSHOT_FLOAT64, 3, x),
              MFFT_ERR_ARG, "particles [1,");
  if (size > 1)
    CHECK_FAILS(mfft_snapshot_read(s, 2, rank ? "Coordinates" : "Velocities", 0, 1, MFFT_SNAPSHOT_FLOAT64, 3, x),
                MFFT_ERR_MISMATCH, "name differs between ranks");
  mfft_snapshot_close(&s);
  CHECK_FAILS(mfft_snapshot_open(MPI_COMM_WORLD, "nowhere", &s), MFFT_ERR_IO, "cannot open nowhere: No such file");
}

/* Files that are snapshots, and paths that are none: a field file, another file, and nothing. */
static void probe(const char *path) {
  mfft_field_desc desc;
  const mfft_field_dataset dataset = {"delta", NULL};
  const double value[8] = {0};
  const mfft_box box = {.lo = {0, 0, 0}, .hi = {rank == 0 ? 2 : 0, 2, 2}, .order = {0, 1, 2}};
  int is = -1;
  mfft_field_desc_init(&desc);
  for (int a = 0; a < 3; a++) desc.n[a] = 2;
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, "field.h5", &desc, &box, MFFT_DOUBLE, value));
  CHECK_OK(mfft_snapshot_probe(MPI_COMM_WORLD, path, &is));
  CHECK(is == 1, "%s is a snapshot, not %d", path, is);
  static const char *const others[] = {"field.h5", "nowhere", "/dev/null"};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(mfft_snapshot_probe(MPI_COMM_WORLD, others[i], &is));
    CHECK(is == 0, "%s is no snapshot, but %d", others[i], is);
  }
  CHECK_FAILS(mfft_snapshot_probe(MPI_COMM_WORLD, path, NULL), MFFT_ERR_ARG, "the result is NULL");
}

static void refuse_writing(void) {
  mfft_snapshot_info info = header();
  mfft_snapshot_file file = NULL;
  const char *path = "refused.hdf5";
  CHECK_FAILS(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns + 3, COLUMNS - 3, &file), MFFT_ERR_ARG,
              "no column Coordinates");
  info.mass[1] = 0;
  CHECK_FAILS(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns, COLUMNS, &file), MFFT_ERR_ARG, "no mass");
  info = header();
  info.time = NAN;
  CHECK_FAILS(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns, COLUMNS, &file), MFFT_ERR_ARG, "time");
  info = header();
  CHECK_OK(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns, COLUMNS, &file));
  CHECK_FAILS(mfft_snapshot_put(file, 1, rank == 0 ? 1 : 0, rank == 0 ? 36 : 0, MFFT_SNAPSHOT_FLOAT64, &info), MFFT_ERR_ARG,
              "leave a gap at particle 0");
  CHECK_FAILS(mfft_snapshot_commit(&file), MFFT_ERR_STATE, "failed before");
  CHECK_OK(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns, COLUMNS, &file));
  double huge[37] = {1e300};
  CHECK_FAILS(mfft_snapshot_put(file, 1, 0, rank == 0 ? 37 : 0, MFFT_SNAPSHOT_FLOAT64, huge), MFFT_ERR_NONFINITE,
              "1 values of column Masses do not fit float");
  mfft_snapshot_abandon(&file);
  CHECK_OK(mfft_snapshot_create(MPI_COMM_WORLD, path, &info, columns, COLUMNS, &file));
  CHECK_FAILS(mfft_snapshot_commit(&file), MFFT_ERR_STATE, "has not been put");
  CHECK_FAILS(mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, columns, COLUMNS, 0, &file), MFFT_ERR_ARG, "files is 0");
  CHECK_FAILS(mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, columns, COLUMNS, 257, &file), MFFT_ERR_ARG,
              "files is 257; give 1 to 256");
  CHECK_FAILS(mfft_snapshot_create_set(MPI_COMM_WORLD, "round-trip", &info, columns, COLUMNS, 2, &file), MFFT_ERR_ARG,
              "round-trip.hdf5 is there, and would be read in place of a set");
  info.count[1] = 0;
  CHECK_FAILS(mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, columns, 2, 38, &file), MFFT_ERR_ARG,
              "files is 38, of 37 particles");
  if (size > 1)
    CHECK_FAILS(mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, columns, 2, rank ? 2 : 3, &file), MFFT_ERR_MISMATCH,
                "files differs");
  FILE *left = fopen(path, "rb");
  CHECK(!left, "a refused file is there");
  left = fopen("refused.hdf5.mfft-partial", "rb");
  CHECK(!left, "a partial file is left");
}

/* The first rank and the others as two groups: every call refuses the communicator between them. */
static void intercommunicator(void) {
  static const char refused[] = "is an intercommunicator", path[] = "snapshot-inter.hdf5";
  const mfft_snapshot_info info = {.struct_size = sizeof info};
  mfft_snapshot snapshot = NULL;
  mfft_snapshot_file file = NULL;
  MPI_Comm group, inter;
  int is;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0, 0, &inter);
  CHECK_FAILS(mfft_snapshot_open(inter, path, &snapshot), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_snapshot_probe(inter, path, &is), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_snapshot_create(inter, path, &info, NULL, 0, &file), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_snapshot_create_set(inter, path, &info, NULL, 0, 2, &file), MFFT_ERR_ARG, refused);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&group);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int code;
  if (argc > 3 && !strcmp(argv[1], "dump")) {
    code = dump(argv + 2, argc - 3);
  } else if (argc == 3 && !strcmp(argv[1], "list")) {
    code = list(argv[2]);
  } else {
    write_all(MPI_COMM_WORLD, "round-trip.hdf5", 1, 0);
    if (rank == 0) write_all(MPI_COMM_SELF, "alone.hdf5", 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(same_files("round-trip.hdf5", "alone.hdf5"), "not the file of one process");
    read_all("round-trip.hdf5");
    read_all("round-trip"); /* the name of the set */
    probe("round-trip.hdf5");
    probe("round-trip");
    write_set(3);
    if (!test_small()) write_set(40);
    break_set();
    refuse_reading("round-trip.hdf5");
    refuse_writing();
    if (size > 1) intercommunicator();
    code = test_end();
  }
  MPI_Finalize();
  return code;
}
