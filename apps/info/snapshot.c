/* snapshot.c: see snapshot.h. */
#include "info/snapshot.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/report.h"
#include "io/json.h"
#include "io/save.h"
#include "mfft_snapshot.h"

enum { MOST_COLUMNS = 256 };

static const char *const format_words[MFFT_SNAPSHOT_FORMAT_COUNT] = {[MFFT_SNAPSHOT_HDF5] = "GADGET HDF5",
                                                                     [MFFT_SNAPSHOT_GADGET1] = "GADGET format 1",
                                                                     [MFFT_SNAPSHOT_GADGET2] = "GADGET format 2"};
static const char *const number_words[MFFT_SNAPSHOT_NUMBER_COUNT] = {
    [MFFT_SNAPSHOT_FLOAT32] = "float", [MFFT_SNAPSHOT_FLOAT64] = "double", [MFFT_SNAPSHOT_INT32] = "int32",
    [MFFT_SNAPSHOT_INT64] = "int64",   [MFFT_SNAPSHOT_UINT32] = "uint32",  [MFFT_SNAPSHOT_UINT64] = "uint64"};

static void print_header(const char *path, const mfft_snapshot_info *info) {
  mfft_app_print("%s: %s%s, %d %s\n", path, format_words[info->format], info->big_endian ? ", big-endian" : "", info->files,
                 info->files == 1 ? "file" : "files");
  const double *box = info->box_size;
  if (box[0] == box[1] && box[0] == box[2])
    mfft_app_print("  %-22s %g%s\n", "box", box[0], box[0] > 0 ? "" : " (not known)");
  else
    mfft_app_print("  %-22s %g x %g x %g\n", "box", box[0], box[1], box[2]);
  mfft_app_print("  %-22s %.10g, redshift %.10g\n", "time", info->time, info->redshift);
  if (info->has_cosmology)
    mfft_app_print("  %-22s Omega_m %g, Omega_Lambda %g, h %g\n", "cosmology", info->omega_m, info->omega_lambda, info->h);
  if (info->length_mpc_h > 0)
    mfft_app_print("  %-22s length %g Mpc/h, mass %g 1e10 Msun/h, velocity %g km/s (peculiar)\n", "units",
                   info->length_mpc_h, info->mass_1e10_msun_h, info->velocity_km_s);
  else
    mfft_app_print("  %-22s not in the file\n", "units");
}

static void write_header(mfft_json *json, const char *path, const mfft_snapshot_info *info) {
  mfft_json_string(json, "snapshot", path);
  mfft_json_string(json, "format", format_words[info->format]);
  mfft_json_integer(json, "files", info->files);
  mfft_json_boolean(json, "big_endian", info->big_endian);
  mfft_json_numbers(json, "box_size", info->box_size, 3);
  mfft_json_number(json, "time", info->time);
  mfft_json_number(json, "redshift", info->redshift);
  if (info->has_cosmology) {
    mfft_json_number(json, "omega_m", info->omega_m);
    mfft_json_number(json, "omega_lambda", info->omega_lambda);
    mfft_json_number(json, "h", info->h);
  }
  mfft_json_number(json, "length_mpc_h", info->length_mpc_h);
  mfft_json_number(json, "mass_1e10_msun_h", info->mass_1e10_msun_h);
  mfft_json_number(json, "velocity_km_s", info->velocity_km_s);
}

static void report_column(mfft_json *json, const mfft_snapshot_column *c, int print) {
  if (print) mfft_app_print("    %-20s %s x %d\n", c->name, number_words[c->number], c->components);
  mfft_json_object(json, NULL);
  mfft_json_string(json, "name", c->name);
  mfft_json_string(json, "number", number_words[c->number]);
  mfft_json_integer(json, "components", c->components);
  mfft_json_end(json);
}

/* One type of particles, and its columns.  Collective. */
static mfft_status report_type(mfft_snapshot snapshot, const mfft_snapshot_info *info, int type, mfft_json *json,
                               int print) {
  mfft_snapshot_column column[MOST_COLUMNS];
  char words[32];
  int count;
  const mfft_status status = mfft_snapshot_columns(snapshot, type, column, MOST_COLUMNS, &count);
  if (status != MFFT_SUCCESS) return status;
  snprintf(words, sizeof words, "type %d", type);
  if (print) mfft_app_print("  %-22s %" PRId64 " particles", words, info->count[type]);
  if (print && info->mass[type] > 0) mfft_app_print(" of mass %.10g", info->mass[type]);
  if (print) mfft_app_print("\n");
  mfft_json_object(json, NULL);
  mfft_json_integer(json, "type", type);
  mfft_json_integer(json, "count", info->count[type]);
  mfft_json_number(json, "mass", info->mass[type]);
  mfft_json_array(json, "columns");
  for (int i = 0; i < count && i < MOST_COLUMNS; i++) report_column(json, &column[i], print);
  mfft_json_end(json);
  mfft_json_end(json);
  return MFFT_SUCCESS;
}

static mfft_status tell(mfft_snapshot snapshot, const char *path, mfft_json *json, int print) {
  mfft_snapshot_info info;
  mfft_snapshot_info_init(&info);
  mfft_status status = mfft_snapshot_query(snapshot, &info);
  if (status != MFFT_SUCCESS) return status;
  if (print) print_header(path, &info);
  write_header(json, path, &info);
  mfft_json_array(json, "types");
  for (int type = 0; type < info.types && status == MFFT_SUCCESS; type++)
    if (info.count[type] > 0) status = report_type(snapshot, &info, type, json, print);
  mfft_json_end(json);
  return status;
}

mfft_status mfft_info_snapshot(const char *path, const char *json_path) {
  mfft_snapshot snapshot = NULL;
  mfft_status status = mfft_snapshot_open(MPI_COMM_WORLD, path, &snapshot);
  if (status != MFFT_SUCCESS) return status;
  mfft_json *json = json_path && mfft_app_rank() == 0 ? mfft_json_create() : NULL; /* whose calls accept NULL */
  mfft_json_object(json, NULL);
  status = tell(snapshot, path, json, !mfft_app_is_stdout(json_path));
  mfft_json_end(json);
  if (status == MFFT_SUCCESS && json) status = mfft_json_save(json, json_path);
  mfft_json_destroy(json);
  mfft_snapshot_close(&snapshot);
  return status;
}
