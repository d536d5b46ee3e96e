/* build.c: see build.h.  docs/snapshots.md says which program needs which fields of the header. */
#include "snapshot/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "field/attribute.h"
#include "field/structure.h"
#include "snapshot/numbers.h"
#include "snapshot/units.h"

mfft_slabs mfft_snap_slabs(const mfft_snap_desc *desc, int column) {
  const mfft_snapshot_column *c = &desc->column[column];
  return mfft_slabs_choose((int64_t[3]){desc->here[c->type], c->components, 1});
}

static int64_t column_bytes(const mfft_snap_desc *desc, int column) {
  const mfft_snapshot_column *c = &desc->column[column];
  return desc->here[c->type] * c->components * mfft_snap_numbers[c->number].bytes;
}

static int64_t largest_column(const mfft_snap_desc *desc) {
  int64_t largest = 0;
  for (int i = 0; i < desc->columns; i++)
    if (column_bytes(desc, i) > largest) largest = column_bytes(desc, i);
  return largest;
}

/* ---- Attributes ------------------------------------------------------------------------------------------------------- */

/* Writes a list as an attribute of one dimension, even if it has one value. */
static mfft_status put_list(hid_t object, const char *name, hid_t stored, hid_t memory, const void *value, int count) {
  hsize_t length = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &length, NULL);
  hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  const int done = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
  mfft_h5_close(attribute);
  mfft_h5_close(space);
  return done ? MFFT_SUCCESS : mfft_h5_fail(MFFT_ERR_IO, "writing attribute %s", name);
}

static mfft_status put_int(hid_t object, const char *name, int value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  const int done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0;
  mfft_h5_close(attribute);
  mfft_h5_close(space);
  return done ? MFFT_SUCCESS : mfft_h5_fail(MFFT_ERR_IO, "writing attribute %s", name);
}

/* A named number. */
typedef struct named {
  const char *name;
  double value;
} named;

static mfft_status put_reals(hid_t object, const named *list, int count) {
  for (int i = 0; i < count; i++) MFFT_TRY(mfft_attribute_put_doubles(object, list[i].name, &list[i].value, 1));
  return MFFT_SUCCESS;
}

static mfft_status put_cosmology(hid_t object, const mfft_snapshot_info *info) {
  const named list[] = {{"Omega0", info->omega_m}, {"OmegaLambda", info->omega_lambda}, {"HubbleParam", info->h}};
  return info->has_cosmology ? put_reals(object, list, 3) : MFFT_SUCCESS;
}

static mfft_status put_header(hid_t group, const mfft_snap_desc *desc) {
  const mfft_snapshot_info *info = &desc->info;
  static const char *const flags[] = {"Flag_Sfr",        "Flag_Cooling", "Flag_Feedback",
                                      "Flag_StellarAge", "Flag_Metals",  "Flag_Entropy_ICs"};
  const uint64_t none[MFFT_SNAPSHOT_TYPES] = {0};
  MFFT_TRY(put_list(group, "NumPart_ThisFile", H5T_STD_U64LE, H5T_NATIVE_INT64, desc->here, info->types));
  MFFT_TRY(put_list(group, "NumPart_Total", H5T_STD_U64LE, H5T_NATIVE_INT64, info->count, info->types));
  MFFT_TRY(put_list(group, "NumPart_Total_HighWord", H5T_STD_U32LE, H5T_NATIVE_UINT64, none, info->types));
  MFFT_TRY(put_list(group, "MassTable", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, info->mass, info->types));
  MFFT_TRY(mfft_attribute_put_doubles(group, "BoxSize", info->box_size, 3));
  const named times[] = {{"Time", info->time}, {"Redshift", info->redshift}};
  MFFT_TRY(put_reals(group, times, 2));
  MFFT_TRY(put_int(group, "NumFilesPerSnapshot", desc->files));
  MFFT_TRY(put_int(group, "Dimension", 3));
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) MFFT_TRY(put_int(group, flags[i], 0));
  return put_cosmology(group, info);
}

/* Writes the units of GADGET: lengths and masses are in units over h. */
static mfft_status put_parameters(hid_t group, const mfft_snap_desc *desc) {
  const mfft_snapshot_info *info = &desc->info;
  const named list[] = {{"BoxSize", info->box_size[0]},
                        {"UnitLength_in_cm", info->length_mpc_h * MFFT_SNAP_MPC_CM},
                        {"UnitMass_in_g", info->mass_1e10_msun_h * MFFT_SNAP_1E10_MSUN_G},
                        {"UnitVelocity_in_cm_per_s", MFFT_SNAP_KM_CM}};
  MFFT_TRY(put_reals(group, list, info->length_mpc_h > 0 && info->mass_1e10_msun_h > 0 ? 4 : 1));
  return put_cosmology(group, info);
}

/* Writes the units in the form of SWIFT. */
static mfft_status put_units(hid_t group, const mfft_snap_desc *desc) {
  const mfft_snapshot_info *info = &desc->info;
  const double length = info->length_mpc_h * MFFT_SNAP_MPC_CM;
  const named list[] = {{"Unit length in cgs (U_L)", length},
                        {"Unit mass in cgs (U_M)", info->mass_1e10_msun_h * MFFT_SNAP_1E10_MSUN_G},
                        {"Unit time in cgs (U_t)", length / MFFT_SNAP_KM_CM},
                        {"Unit current in cgs (U_I)", 1},
                        {"Unit temperature in cgs (U_T)", 1}};
  return put_reals(group, list, 5);
}

/* Writes the scaling attributes of known columns, as GADGET-4 does: powers of a, h and of the units. */
static mfft_status put_scalings(hid_t object, const mfft_snapshot_column *c, const mfft_snapshot_info *info) {
  static const struct {
    const char *name;
    double a, h, length, mass, velocity;
  } known[] = {{"Coordinates", 1, -1, 1, 0, 0},
               {"Velocities", 0.5, 0, 0, 0, 1},
               {"Masses", 0, -1, 0, 1, 0},
               {"Potential", -1, 0, 0, 0, 2},
               {"Acceleration", -2, 1, -1, 0, 2}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].name, c->name) != 0) continue;
    const double cgs = pow(info->length_mpc_h * MFFT_SNAP_MPC_CM, known[i].length) *
                       pow(info->mass_1e10_msun_h * MFFT_SNAP_1E10_MSUN_G, known[i].mass) *
                       pow(MFFT_SNAP_KM_CM, known[i].velocity);
    const named list[] = {{"a_scaling", known[i].a},
                          {"h_scaling", known[i].h},
                          {"length_scaling", known[i].length},
                          {"mass_scaling", known[i].mass},
                          {"velocity_scaling", known[i].velocity},
                          {"to_cgs", cgs}};
    return put_reals(object, list, info->length_mpc_h > 0 && info->mass_1e10_msun_h > 0 ? 6 : 5);
  }
  return MFFT_SUCCESS;
}

/* ---- Datasets --------------------------------------------------------------------------------------------------------- */

static mfft_status build_column(hid_t file, hid_t sums_group, const mfft_snap_desc *desc, int index,
                                mfft_file_extent *extent) {
  const hid_t types[MFFT_SNAPSHOT_NUMBER_COUNT] = {
      [MFFT_SNAPSHOT_FLOAT32] = H5T_IEEE_F32LE, [MFFT_SNAPSHOT_FLOAT64] = H5T_IEEE_F64LE,
      [MFFT_SNAPSHOT_INT32] = H5T_STD_I32LE,    [MFFT_SNAPSHOT_INT64] = H5T_STD_I64LE,
      [MFFT_SNAPSHOT_UINT32] = H5T_STD_U32LE,   [MFFT_SNAPSHOT_UINT64] = H5T_STD_U64LE}; /* [mfft_snapshot_number] */
  const mfft_snapshot_column *c = &desc->column[index];
  const int64_t n[2] = {desc->here[c->type], c->components}; /* {particles, components} */
  const mfft_slabs slabs = mfft_snap_slabs(desc, index);
  char name[MFFT_SNAPSHOT_NAME_BYTES + 16];
  mfft_status status = MFFT_SUCCESS;
  snprintf(name, sizeof name, "PartType%d/%s", c->type, c->name);
  hid_t values = mfft_structure_dataset(file, name, types[c->number], c->components > 1 ? 2 : 1, n), sums = -1;
  if (values >= 0) sums = mfft_structure_dataset(sums_group, name, H5T_STD_U64LE, 1, &slabs.count);
  if (sums < 0) MFFT_GOTO(done, mfft_h5_fail(MFFT_ERR_IO, "making dataset %s", name));
  MFFT_GOTO(done, put_scalings(values, c, &desc->info));
  status = mfft_structure_extent(values, sums, name, &slabs, extent);
done:
  mfft_h5_close(sums);
  mfft_h5_close(values);
  return status;
}

static mfft_status build_group(hid_t file, const char *name, const mfft_snap_desc *desc,
                               mfft_status (*put)(hid_t group, const mfft_snap_desc *desc)) {
  hid_t group = mfft_structure_group(file, name);
  mfft_status status = group >= 0 ? put(group, desc) : mfft_h5_fail(MFFT_ERR_IO, "making /%s", name);
  mfft_h5_close(group);
  return status;
}

static mfft_status put_content(hid_t file, hid_t sums, const void *context, mfft_file_extent *extent) {
  const mfft_snap_desc *desc = context;
  const mfft_snapshot_info *info = &desc->info;
  MFFT_TRY(build_group(file, "Header", desc, put_header));
  MFFT_TRY(build_group(file, "Parameters", desc, put_parameters));
  if (info->length_mpc_h > 0 && info->mass_1e10_msun_h > 0) MFFT_TRY(build_group(file, "Units", desc, put_units));
  for (int i = 0; i < desc->columns; i++)
    if (column_bytes(desc, i)) MFFT_TRY(build_column(file, sums, desc, i, &extent[i]));
  return MFFT_SUCCESS;
}

/* Upper bound of the size of the file. */
static int64_t bound(const mfft_snap_desc *desc) {
  enum { METADATA_BYTES = 1 << 17 };
  int64_t bytes = METADATA_BYTES;
  for (int i = 0; i < desc->columns; i++)
    bytes += !column_bytes(desc, i) ? 0
                                    : column_bytes(desc, i) + 8 * mfft_snap_slabs(desc, i).count +
                                          2 * mfft_structure_alignment(largest_column(desc)) + METADATA_BYTES / 16;
  return bytes;
}

mfft_status mfft_snap_build(const char *path, const mfft_snap_desc *desc, mfft_partial *partial, mfft_file_extent *extent,
                            int64_t *bytes) {
  return mfft_structure_partial(path, bound(desc), largest_column(desc), put_content, desc, partial, extent, bytes);
}
