// TEST ranks=1,2 labels=field
// h5py and h5dump read what mergefft writes, values and attributes; and mergefft reads what h5py writes and what h5repack
// makes of its files.
#include "field.h"

static const int64_t n[3] = {3, 4, 5};

static const char *python(void) {
  static const char *const names[] = {"/usr/bin/python3", "python3"};
  const char *given = getenv("MFFT_TEST_PYTHON");
  char command[512];
  snprintf(command, sizeof command, "%s -c 'import h5py' 2>/dev/null", given ? given : "");
  if (given && given[0] && system(command) == 0) return given;
  for (int i = 0; i < 2; i++) {
    snprintf(command, sizeof command, "%s -c 'import h5py' 2>/dev/null", names[i]);
    if (system(command) == 0) return names[i];
  }
  return NULL;
}

/* The output of a command, in a buffer of this function. */
static const char *output_of(const char *command) {
  static char text[8192];
  FILE *pipe = popen(command, "r");
  size_t got = pipe ? fread(text, 1, sizeof text - 1, pipe) : 0;
  text[got] = '\0';
  if (pipe) CHECK(pclose(pipe) == 0, "%s: %s", command, text);
  return text;
}

static void check_h5py(const char *python_path) {
  static const char *const script =
      "import h5py, numpy\n"
      "f = h5py.File('tools.h5', 'r')\n"
      "for name, kind in (('phi', '<f4'), ('force/x', '<f4')):\n"
      "  d = f[name]\n"
      "  assert d.shape == (3, 4, 5) and d.dtype == kind, (name, d)\n"
      "  assert d.attrs['BoxSize'] == 100 and d.attrs['Redshift'] == 2.5 and list(d.attrs['Nmesh']) == [3, 4, 5]\n"
      "  assert f['Checksum'][name].dtype == '<u8'\n"
      "assert f['phi'].attrs['units'] == b'km2/s2' and 'units' not in f['force/x'].attrs\n"
      "h = f['Header'].attrs\n"
      "assert h['BoxSize'] == h['Boxsize'] == 100 and h['Redshift'] == 2.5 and h['Omega_m'] == .3\n"
      "assert h['BoxSize'].shape == () and h['Nmesh'].shape == (3,)\n"
      "assert (f['force/x'][...] == 2 * f['phi'][...]).all()\n"
      "print('%.9g %.9g %.9g' % tuple(float(f['phi'][i]) for i in ((0, 0, 0), (1, 2, 3), (2, 3, 4))))\n"
      "g = h5py.File('tools-h5py.h5', 'w')\n"
      "g.create_dataset('rho', data=f['phi'][...].astype('>f8'), chunks=(2, 3, 4), compression='gzip', shuffle=True)\n"
      "g['rho'].attrs['BoxSize'] = numpy.array([1., 2., 3.])\n"
      "g['rho'].attrs['units'] = 'Msun'\n"
      "g.create_group('Header').attrs['Redshift'] = numpy.float32(7)\n";
  FILE *file = fopen("tools.py", "w");
  fputs(script, file);
  fclose(file);
  char command[512], wanted[128];
  snprintf(command, sizeof command, "%s tools.py 2>&1", python_path);
  snprintf(wanted, sizeof wanted, "%.9g %.9g %.9g\n", field_value(0, 0, 0), field_value(1, 2, 3), field_value(2, 3, 4));
  const char *got = output_of(command);
  CHECK(!strcmp(got, wanted), "h5py: %s, not %s", got, wanted);
}

/* The checksums that docs/field-format.md computes in Python are those in the file. */
static void check_formula(const char *python_path) {
  const char *source = getenv("MFFT_TEST_SOURCE");
  if (!source) return;
  static const char *const script =
      "import os, re\n"
      "page = open(os.environ['MFFT_TEST_SOURCE'] + '/docs/field-format.md').read()\n"
      "exec(re.search('```python\\n(.*?)\\nwith h5py', page, re.S).group(1))\n"
      "for path, names in (('tools.h5', ('phi', 'force/x')), ('tools-double.h5', ('f',))):\n"
      "  with h5py.File(path, 'r') as file:\n"
      "    for name in names:\n"
      "      stored = file['Checksum/' + name]\n"
      "      assert (sums(file[name][...], int(stored.attrs['depth'])) == stored[...]).all(), name\n";
  const int64_t larger[3] = {9, 20, 30};
  write_alone("tools-double.h5", 3, larger, MFFT_DOUBLE);
  FILE *file = fopen("tools-formula.py", "w");
  fputs(script, file);
  fclose(file);
  char command[512];
  snprintf(command, sizeof command, "%s tools-formula.py 2>&1", python_path);
  output_of(command);
}

static void check_read(const char *path, const char *dataset) {
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  void *values = new_array(&box, MFFT_SINGLE);
  CHECK_OK(mfft_field_read(MPI_COMM_WORLD, path, dataset, &box, MFFT_SINGLE, values, 0));
  CHECK(wrong_values(&box, MFFT_SINGLE, values) == 0, "%s", path);
  free(values);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int have[3] = {0, 0, 0}; /* h5py, h5dump, h5repack */
  const char *python_path = NULL;
  if (world_rank() == 0) {
    python_path = python();
    have[0] = python_path != NULL;
    have[1] = system("h5dump --version >/dev/null 2>&1") == 0;
    have[2] = system("h5repack --version >/dev/null 2>&1") == 0;
  }
  MPI_Bcast(have, 3, MPI_INT, 0, MPI_COMM_WORLD);
  if (!have[0] && !have[1]) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }

  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, n, sizeof desc.n);
  desc.precision = MFFT_SINGLE;
  desc.box_size[0] = desc.box_size[1] = desc.box_size[2] = 100;
  desc.has_redshift = 1;
  desc.redshift = 2.5;
  mfft_field_dataset datasets[] = {{"phi", "km2/s2"}, {"force/x", NULL}};
  desc.dataset = datasets;
  desc.dataset_count = 2;
  mfft_field_attribute omega = {"Omega_m", .3};
  desc.attribute = &omega;
  desc.attribute_count = 1;
  mfft_box box = cut_box(CUT_PENCILS, n, world_rank(), world_size());
  float *values = filled_array(&box, MFFT_SINGLE);
  mfft_field_file file;
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "tools.h5", &desc, &file));
  CHECK_OK(mfft_field_put(file, 0, &box, MFFT_SINGLE, values));
  for (int64_t i = 0; i < mfft_box_count(&box); i++) values[i] *= 2;
  CHECK_OK(mfft_field_put(file, 1, &box, MFFT_SINGLE, values));
  CHECK_OK(mfft_field_commit(&file));
  free(values);

  if (world_rank() == 0 && have[0]) {
    check_h5py(python_path);
    check_formula(python_path);
  }
  if (world_rank() == 0 && have[1]) {
    const char *text = output_of("h5dump -m %.9g -d /phi -s 1,2,3 -c 1,1,1 tools.h5 2>&1");
    char wanted[64];
    snprintf(wanted, sizeof wanted, "(1,2,3): %.9g", field_value(1, 2, 3));
    CHECK(strstr(text, wanted) && strstr(text, "H5T_IEEE_F32LE"), "h5dump: %s", text);
    output_of("h5dump tools.h5 2>&1");
  }
  if (world_rank() == 0 && have[2]) /* packed, and the checksums still hold */
    output_of("h5repack -f phi:GZIP=1 -l phi:CHUNK=2x2x2 tools.h5 tools-repacked.h5 2>&1");
  MPI_Barrier(MPI_COMM_WORLD);
  mfft_field_info info;
  mfft_field_info_init(&info);
  if (have[0]) {
    check_read("tools-h5py.h5", NULL);
    CHECK_OK(mfft_field_query(MPI_COMM_WORLD, "tools-h5py.h5", "rho", &info));
    CHECK(info.has_box_size && info.box_size[0] == 1 && info.box_size[2] == 3);
    CHECK(!strcmp(info.units, "Msun") && info.has_redshift && info.redshift == 7, "units %s", info.units);
  }
  if (have[2]) {
    check_read("tools-repacked.h5", "phi");
    CHECK_OK(mfft_field_query(MPI_COMM_WORLD, "tools-repacked.h5", "phi", &info));
    CHECK(info.checksummed && !info.contiguous);
  }
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
