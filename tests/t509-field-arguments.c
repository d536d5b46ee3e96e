// TEST ranks=1,2,3 labels=field
// Wrong arguments are refused on every rank with the argument named, and no file remains; attributes that were written are
// read back.
#include "field.h"

static const int64_t n[3] = {8, 9, 10};
static const mfft_field_dataset two[] = {{"phi", "km2/s2"}, {"force/x", NULL}};

static mfft_field_desc good_desc(void) {
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, n, sizeof desc.n);
  desc.dataset = two;
  desc.dataset_count = 2;
  return desc;
}

static void refuse(const mfft_field_desc *desc, const char *path, mfft_status status, const char *words) {
  mfft_field_file file = NULL;
  CHECK_FAILS(mfft_field_create(MPI_COMM_WORLD, path, desc, &file), status, words);
  CHECK(file == NULL, "output touched");
}

static void bad_descs(void) {
  const char *path = "arguments-bad.h5";
  mfft_field_desc desc = good_desc();
  refuse(NULL, path, MFFT_ERR_ARG, "desc is NULL");
  refuse(&desc, NULL, MFFT_ERR_ARG, "path is NULL");
  refuse(&desc, "", MFFT_ERR_ARG, "path is empty");
  refuse(&desc, "no-such-folder/f.h5", MFFT_ERR_IO, "no-such-folder");
  refuse(&desc, ".", MFFT_ERR_IO, "not a regular file");
  refuse(&desc, "/dev/null", MFFT_ERR_IO, "not a regular file");
#define WITH(change, words) desc = good_desc(), change, refuse(&desc, path, MFFT_ERR_ARG, words)
  WITH(desc.struct_size = offsetof(mfft_field_desc, dataset) + 4, "struct_size");
  WITH(desc.struct_size = 0, "struct_size");
  WITH(desc.struct_size = 4096, "struct_size");
  WITH(desc.rank = 4, "desc.rank is 4");
  WITH(desc.rank = 0, "desc.rank is 0");
  WITH(desc.n[1] = 0, "desc.n[1] is 0");
  WITH(desc.n[2] = -3, "desc.n[2] is -3");
  WITH((desc.n[0] = desc.n[1] = desc.n[2] = 1 << 20), "desc.n[2]");
  WITH(desc.box_size[1] = 3, "1 of 3 axes");
  WITH(desc.box_size[1] = -3, "desc.box_size[1] is -3");
  WITH(desc.box_size[2] = NAN, "desc.box_size[2] is nan");
  WITH((desc.has_redshift = 1, desc.redshift = INFINITY), "desc.redshift");
  WITH(desc.dataset_count = 0, "0 datasets");
  WITH(desc.dataset = NULL, "0 datasets");
  WITH(desc.attribute_count = 1, "attribute_count");
  static const char *const names[] = {"", "/phi", "phi/", "a//b", "./a", "a/.", NULL, "Header", "Checksum/a", "Header/x"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    mfft_field_dataset dataset = {names[i], NULL};
    WITH((desc.dataset = &dataset, desc.dataset_count = 1), "dataset 0");
  }
  mfft_field_dataset clash[] = {{"a/b", NULL}, {"a", NULL}};
  WITH(desc.dataset = clash, "must not begin with the other");
  clash[1].name = "a/b";
  WITH(desc.dataset = clash, "must not begin with the other");
  mfft_field_attribute attribute[] = {{"BoxSize", 1}};
  WITH((desc.attribute = attribute, desc.attribute_count = 1), "BoxSize");
  desc = good_desc();
  desc.precision = MFFT_HALF;
  refuse(&desc, path, MFFT_ERR_UNSUPPORTED, "desc.precision");
  desc.precision = MFFT_LONG_DOUBLE;
  refuse(&desc, path, MFFT_ERR_UNSUPPORTED, "desc.precision is 4 (long-double); files hold");
  CHECK(!there_is(path) && !there_is("arguments-bad.h5.mfft-partial"), "left behind");
}

static void mismatches(void) {
  if (world_size() == 1) return;
  int odd = world_rank() == world_size() - 1;
  mfft_field_desc desc = good_desc();
  refuse(&desc, odd ? "a.h5" : "b.h5", MFFT_ERR_MISMATCH, "path");
  desc.n[0] += odd;
  refuse(&desc, "a.h5", MFFT_ERR_MISMATCH, "desc.n[0]");
  desc = good_desc();
  mfft_field_dataset other[] = {{"phi", "km2/s2"}, {odd ? "force/x" : "force/y", NULL}};
  desc.dataset = other;
  refuse(&desc, "a.h5", MFFT_ERR_MISMATCH, "the name of a dataset");
  refuse(odd ? NULL : &desc, "a.h5", MFFT_ERR_ARG, "desc is NULL");
  CHECK(!there_is("a.h5") && !there_is("b.h5") && !there_is("a.h5.mfft-partial"), "left behind");
}

static mfft_field_file start(const char *path) {
  mfft_field_desc desc = good_desc();
  mfft_field_file file = NULL;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, path, &desc, &file));
  return file;
}

/* After any failed put the file can only be abandoned, and no file remains after that, by either call. */
static void bad_puts(void) {
  const char *path = "arguments-put.h5", *partial = "arguments-put.h5.mfft-partial";
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size()), whole = mfft_box_whole(n);
  double *values = filled_array(&whole, MFFT_DOUBLE), *mine = filled_array(&box, MFFT_DOUBLE);
  for (int what = 0; what < 8; what++) {
    mfft_field_file file = start(path);
    CHECK(there_is(partial) && !there_is(path));
    mfft_box wrong = box;
    switch (what) {
      case 0:
        CHECK_FAILS(mfft_field_put(file, 2, &box, MFFT_DOUBLE, mine), MFFT_ERR_ARG, "dataset is 2");
        break;
      case 1:
        CHECK_FAILS(mfft_field_put(file, 0, NULL, MFFT_DOUBLE, mine), MFFT_ERR_ARG, "box is NULL");
        break;
      case 2:
        CHECK_FAILS(mfft_field_put(file, 0, &box, MFFT_LONG_DOUBLE, mine), MFFT_ERR_UNSUPPORTED,
                    "precision is 4 (long-double)");
        break;
      case 3:
        CHECK_FAILS(mfft_field_put(file, 0, &whole, MFFT_DOUBLE, NULL), MFFT_ERR_ARG, "data is NULL");
        break;
      case 4:
        wrong.hi[2]++;
        CHECK_FAILS(mfft_field_put(file, 0, &wrong, MFFT_DOUBLE, values), MFFT_ERR_ARG, "axis 2, which has only [0,10)");
        break;
      case 5:
        wrong.hi[1]--;
        CHECK_FAILS(mfft_field_put(file, 0, &wrong, MFFT_DOUBLE, values), MFFT_ERR_ARG, "to no rank");
        break;
      case 6:
        wrong.order[0] = 7;
        CHECK_FAILS(mfft_field_put(file, 0, &wrong, MFFT_DOUBLE, values), MFFT_ERR_ARG, "order");
        break;
      default:
        CHECK_OK(mfft_field_put(file, 0, &box, MFFT_DOUBLE, mine));
        CHECK_FAILS(mfft_field_put(file, 0, &box, MFFT_DOUBLE, mine), MFFT_ERR_STATE, "phi has been put already");
    }
    CHECK_FAILS(mfft_field_put(file, 1, &box, MFFT_DOUBLE, mine), MFFT_ERR_STATE, "failed before");
    if (what % 2)
      CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_STATE, "failed before");
    else
      mfft_field_abandon(&file);
    CHECK(file == NULL && !there_is(partial) && !there_is(path), "left behind");
  }
  mfft_field_file file = start(path);
  CHECK_OK(mfft_field_put(file, 0, &box, MFFT_DOUBLE, mine));
  CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_STATE, "dataset force/x of");
  CHECK(!there_is(partial) && !there_is(path), "left behind");
  if (world_size() > 1) {
    file = start(path);
    CHECK_FAILS(mfft_field_put(file, 0, &whole, MFFT_DOUBLE, values), MFFT_ERR_ARG, "overlap");
    mfft_field_abandon(&file);
  }
  mfft_field_abandon(&file);
  mfft_field_abandon(NULL);
  CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_ARG, "NULL");
  CHECK_FAILS(mfft_field_put(NULL, 0, &box, MFFT_DOUBLE, mine), MFFT_ERR_ARG, "NULL");
  free(mine);
  free(values);
}

/* Values beyond single precision. */
static void overflow(void) {
  const char *path = "arguments-overflow.h5";
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  double *values = filled_array(&box, MFFT_DOUBLE);
  float *narrow = new_array(&box, MFFT_SINGLE);
  mfft_field_desc desc = good_desc();
  mfft_field_dataset one = {"f", NULL};
  desc.dataset = &one;
  desc.dataset_count = 1;
  int holds = !mfft_box_empty(&box) && box.lo[0] <= 3 && box.hi[0] > 3;
  if (holds) values[(3 - box.lo[0]) * n[1] * n[2]] = -1e39;
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values));
  CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_SINGLE, narrow, 0), MFFT_ERR_NONFINITE,
              "1 values of dataset f do not fit single precision");
  desc.precision = MFFT_SINGLE;
  CHECK_FAILS(mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values), MFFT_ERR_NONFINITE,
              "store it as double");
  if (holds) values[(3 - box.lo[0]) * n[1] * n[2]] = -INFINITY; /* infinite in the source: preserved */
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, path, &desc, &box, MFFT_DOUBLE, values));
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "f", &box, MFFT_SINGLE, narrow, 0));
  if (holds) CHECK(isinf(narrow[(3 - box.lo[0]) * n[1] * n[2]]));
  free(narrow);
  free(values);
}

/* Attributes are read back, several datasets in one buffer, a link remains a link. */
static void facts(void) {
  const char *path = "arguments-link.h5", *target = "arguments-target.h5";
  if (world_rank() == 0) {
    remove(path);
    write_alone(target, 3, n, MFFT_SINGLE);
    CHECK(symlink(target, path) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  mfft_field_desc desc = good_desc();
  const double sizes[3] = {100, 200, 300};
  memcpy(desc.box_size, sizes, sizeof sizes);
  desc.has_redshift = 1;
  desc.redshift = -0.25;
  mfft_field_attribute attribute[] = {{"Omega_m", 0.31}};
  desc.attribute = attribute;
  desc.attribute_count = 1;
  mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  float *values = filled_array(&box, MFFT_SINGLE);
  mfft_field_file file;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, path, &desc, &file));
  CHECK_OK(mfft_field_put(file, 1, &box, MFFT_SINGLE, values));
  for (int64_t i = 0; i < mfft_box_count(&box); i++) values[i] *= 2;
  CHECK_OK(mfft_field_put(file, 0, &box, MFFT_SINGLE, values));
  CHECK_OK(mfft_field_commit(&file));

  mfft_field_info info;
  mfft_field_info_init(&info);
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, target, "phi", &info));
  CHECK(info.checksummed && info.contiguous && info.precision == MFFT_DOUBLE);
  CHECK(info.has_box_size && !memcmp(info.box_size, sizes, sizeof sizes), "box %g", info.box_size[0]);
  CHECK(info.has_redshift && info.redshift == -0.25 && !strcmp(info.units, "km2/s2"), "units %s", info.units);
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, target, "force/x", &info));
  CHECK(!info.units[0], "units %s", info.units);
  CHECK_OK(mfft_field_query(MPI_COMM_WORLD, path, NULL, &info));
  CHECK(!strcmp(info.dataset, "phi"), "%s", info.dataset);

  float *back = new_array(&box, MFFT_SINGLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "./force//x", &box, MFFT_SINGLE, back, 0));
  CHECK(wrong_values(&box, MFFT_SINGLE, back) == 0);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, NULL, &box, MFFT_SINGLE, back, 0));
  CHECK(!memcmp(back, values, (size_t)mfft_box_count(&box) * sizeof *back));

  /* Partial reads: overlapping boxes, a thin slice, an empty box; all verified or not. */
  mfft_box whole = mfft_box_whole(n), slice = whole, nothing = {{5, 5, 5}, {5, 5, 5}, {0, 0, 0}};
  slice.lo[2] = 3, slice.hi[2] = 4;
  float *all = new_array(&whole, MFFT_SINGLE), *thin = new_array(&slice, MFFT_SINGLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "force/x", &whole, MFFT_SINGLE, all, 0));
  CHECK(wrong_values(&whole, MFFT_SINGLE, all) == 0);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "force/x", world_rank() ? &nothing : &slice, MFFT_SINGLE, thin, 0));
  if (!world_rank()) CHECK(wrong_values(&slice, MFFT_SINGLE, thin) == 0);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "force/x", &nothing, MFFT_SINGLE, NULL, 0));
  CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, path, "force/x", &whole, MFFT_SINGLE, all, 8), MFFT_ERR_ARG, "flags");
  CHECK_FAILS(mfft_field_query(MPI_COMM_WORLD, path, "phi", NULL), MFFT_ERR_ARG, "info is NULL");
  MPI_Barrier(MPI_COMM_WORLD);

  /* A damaged value outside the slice is detected with it, unless verification is off. */
  if (world_rank() == 0) {
    long bytes;
    unsigned char *content = file_bytes(target, &bytes);
    hid_t h5 = H5Fopen(target, H5F_ACC_RDONLY, H5P_DEFAULT), object = H5Dopen2(h5, "force/x", H5P_DEFAULT);
    content[H5Dget_offset(object) + 8 * 5 + 6] ^= 1; /* (0,0,5) */
    H5Dclose(object);
    H5Fclose(h5);
    FILE *damaged = fopen(target, "wb");
    CHECK(fwrite(content, 1, (size_t)bytes, damaged) == (size_t)bytes);
    fclose(damaged);
    free(content);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, path, "force/x", world_rank() ? &nothing : &slice, MFFT_SINGLE, thin, 0),
              MFFT_ERR_CORRUPT, "force/x is damaged: planes x = 0 to");
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "force/x", world_rank() ? &nothing : &slice, MFFT_SINGLE, thin,
                           MFFT_FIELD_SKIP_PARTIAL));
  CHECK_FAILS(mfft_field_read(MPI_COMM_WORLD, path, "force/x", &box, MFFT_SINGLE, back, MFFT_FIELD_SKIP_PARTIAL),
              MFFT_ERR_CORRUPT, "force/x is damaged: planes x = 0 to");
  slice.lo[0] = 6; /* far from the damage */
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, "force/x", world_rank() ? &nothing : &slice, MFFT_SINGLE, thin, 0));
  free(thin);
  free(all);
  free(back);
  free(values);
  char link[64] = "";
  CHECK(readlink(path, link, sizeof link - 1) > 0 && !strcmp(link, target), "the link became a file");
}

/* The first rank and the others as two groups: every call refuses the communicator between them. */
static void intercommunicator(void) {
  static const char refused[] = "is an intercommunicator", path[] = "arguments-inter.h5";
  const mfft_field_desc desc = good_desc();
  const mfft_box box = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};
  mfft_field_info info = {.struct_size = sizeof info};
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  MPI_Comm group, inter;
  double value = 0;
  int64_t count, first[3];
  int threads, first_group = world_rank() == 0;
  MPI_Comm_split(MPI_COMM_WORLD, first_group, 0, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, first_group, 0, &inter);
  CHECK_FAILS(mfft_field_create(inter, path, &desc, &file), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_write(inter, path, &desc, &box, MFFT_DOUBLE, &value), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_query(inter, path, "phi", &info), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_read(inter, path, "phi", &box, MFFT_DOUBLE, &value, 0), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_read_begin(inter, path, "phi", &box, MFFT_DOUBLE, 0, &reading), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_count_nonfinite(inter, &box, MFFT_DOUBLE, &value, &count, first), MFFT_ERR_ARG, refused);
  CHECK_FAILS(mfft_field_threads(inter, &threads), MFFT_ERR_ARG, refused);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&group);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0) remove("arguments-put.h5");
  MPI_Barrier(MPI_COMM_WORLD);
  bad_descs();
  mismatches();
  bad_puts();
  overflow();
  facts();
  if (world_size() > 1) intercommunicator();
  CHECK(strlen(mfft_field_hdf5_version()) > 5, "%s", mfft_field_hdf5_version());
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
