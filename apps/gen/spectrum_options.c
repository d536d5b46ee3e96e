/* spectrum_options.c: see spectrum_options.h. */
#include "gen/spectrum_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/collective.h"
#include "cli/report.h"

#define AT(member) offsetof(mfft_spectrum_options, member)
const mfft_cli_option mfft_spectrum_options_table[] = {
    {"spectrum", 0, MFFT_CLI_TEXT, AT(table), "FILE",
     .help = "take the linear power spectrum from this table, lines of k in h/Mpc and P(k) in (Mpc/h)^3 as CAMB and CLASS "
             "write them, and not from the formula of Eisenstein and Hu"},
    {"spectrum-z", 0, MFFT_CLI_REAL, AT(made), "Z", .help = "redshift of the table; default: 0", .min = 0, .max = 1e4},
    {"omega-m", 0, MFFT_CLI_REAL, AT(cosmology.omega_m), "X", "matter density, baryons included", .fallback = "0.31",
     .min = 1e-3, .max = 10},
    {"omega-b", 0, MFFT_CLI_REAL, AT(cosmology.omega_b), "X", "baryon density (of the formula)", .fallback = "0.049",
     .min = 1e-5, .max = 10},
    {"omega-lambda", 0, MFFT_CLI_REAL, AT(cosmology.omega_lambda), "X",
     "cosmological constant; default: 1 - omega-m, a flat universe", .min = -10, .max = 10},
    {"h", 0, MFFT_CLI_REAL, AT(cosmology.h), "X", "Hubble constant in 100 km/s/Mpc", .fallback = "0.677", .min = 0.01,
     .max = 10},
    {"ns", 0, MFFT_CLI_REAL, AT(cosmology.ns), "X", "spectral index (of the formula)", .fallback = "0.967", .min = -2.9,
     .max = 4},
    {"sigma8", 0, MFFT_CLI_REAL, AT(cosmology.sigma8), "X",
     .help = "rms density in spheres of 8 Mpc/h at redshift 0; default: 0.81, or that of the table", .min = 0, .max = 1e6},
    {"t-cmb", 0, MFFT_CLI_REAL, AT(cosmology.t_cmb), "K", "temperature of the microwave background (of the formula)",
     .fallback = "2.7255", .min = 0.1, .max = 100},
    {0}};

int mfft_spectrum_options_check(const mfft_command *me, mfft_spectrum_options *o) {
  mfft_cosmology *c = &o->cosmology;
  static const char formula[] = "the formula of Eisenstein and Hu, not for the table of --spectrum";
  const mfft_cli_need needs[] = {{"ns", !o->table, formula}, {"omega-b", !o->table, formula}, {"t-cmb", !o->table, formula}};
  if (mfft_cli_check_needs(me, needs, sizeof needs / sizeof *needs)) return MFFT_EXIT_USAGE;
  if (isnan(c->omega_lambda)) c->omega_lambda = 1 - c->omega_m;
  if (!o->table && isnan(c->sigma8)) c->sigma8 = 0.81;
  if (!o->table && !isnan(o->made)) return mfft_cli_usage(me, "--spectrum-z: needs --spectrum");
  if (!o->table && c->omega_b >= c->omega_m)
    return mfft_cli_usage(me, "--omega-b %g: must be less than --omega-m %g", c->omega_b, c->omega_m);
  if (isnan(o->made)) o->made = 0;
  return MFFT_EXIT_OK;
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

mfft_status mfft_spectrum_read(const char *path, mfft_spectrum_table *table) {
  enum { MOST = 1 << 28 }; /* bytes */
  char *text = NULL, why[MFFT_WHY_BYTES], wrong[MFFT_SPECTRUM_WHY_BYTES];
  size_t length;
  mfft_status status = MFFT_SUCCESS;
  if (mfft_file_read(path, MOST, &text, &length, why))
    return mfft_app_fail(MFFT_ERR_IO, "cannot read the table '%s': %s", path, why);
  if (strlen(text) != length)
    status = mfft_app_fail(MFFT_ERR_ARG, "'%s' has bytes of 0 and is no text; --spectrum takes a table of k and P(k)", path);
  else if (mfft_spectrum_table_read(text, table, wrong))
    status = mfft_app_fail(MFFT_ERR_ARG, "the power spectrum '%s': %s", path, wrong);
  free(text);
  return status;
}

/* Rank 0 has the table, and all ranks get it. */
static mfft_status share_table(mfft_spectrum_table *table) {
  static const char what[] = "sharing a power spectrum";
  int64_t count = table->count;
  mfft_app_broadcast(&count, sizeof count, 0, what);
  mfft_status status = MFFT_SUCCESS;
  if (mfft_app_rank() && mfft_spectrum_table_create(count, table))
    status = mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a power spectrum of %" PRId64 " rows", count);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) mfft_app_broadcast(table->log_k, 2 * count * (int64_t)sizeof(double), 0, what);
  return status;
}

/* Whether the table has all waves that are asked for.  Beyond those of spheres the formula of Eisenstein and Hu has 2e-4 of
 * sigma8^2. */
static mfft_status check_range(const mfft_spectrum_options *o, const mfft_mesh *mesh, const mfft_spectrum_table *table) {
  static const double spheres[2] = {2e-3, 2}, rounding = 1e-6; /* of tables that are written with few digits */
  const double first = mfft_spectrum_table_first(table), last = mfft_spectrum_table_last(table);
  double waves[2];
  mfft_mesh_wave_range(mesh, waves);
  if (first > waves[0] * (1 + rounding) || last < waves[1] * (1 - rounding))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' has k from %.6g to %.6g h/Mpc, and the mesh has waves from %.6g to %.6g h/Mpc; give a table "
                         "of all of them",
                         o->table, first, last, waves[0], waves[1]);
  if (!isnan(o->cosmology.sigma8) && (first > spheres[0] || last < spheres[1]))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' has k from %.6g to %.6g h/Mpc, and sigma8 needs %g to %g h/Mpc; leave out --sigma8 or give "
                         "a longer table",
                         o->table, first, last, spheres[0], spheres[1]);
  return MFFT_SUCCESS;
}

mfft_status mfft_spectrum_load(const mfft_spectrum_options *o, double redshift, const mfft_mesh *mesh,
                               mfft_spectrum *spectrum) {
  mfft_spectrum_table table = {0};
  *spectrum = (mfft_spectrum){0};
  if (!o->table) {
    mfft_spectrum_init(spectrum, &o->cosmology, redshift);
    return MFFT_SUCCESS;
  }
  mfft_status status = mfft_app_agree(mfft_app_rank() == 0 ? mfft_spectrum_read(o->table, &table) : MFFT_SUCCESS);
  if (status == MFFT_SUCCESS) status = share_table(&table);
  if (status == MFFT_SUCCESS) status = check_range(o, mesh, &table);
  if (status == MFFT_SUCCESS) {
    mfft_spectrum_init_table(spectrum, &table, o->made, &o->cosmology, redshift);
    mfft_app_print("%s: %" PRId64 " rows, k from %.4g to %.4g h/Mpc at redshift %g; sigma8 at redshift 0 is %.5g\n",
                   o->table, table.count, mfft_spectrum_table_first(&table), mfft_spectrum_table_last(&table), o->made,
                   mfft_spectrum_sigma(spectrum, 8) / mfft_growth(&o->cosmology, redshift));
  } else {
    mfft_spectrum_table_free(&table);
  }
  return status;
}

void mfft_spectrum_free(mfft_spectrum *spectrum) { mfft_spectrum_table_free(&spectrum->table); }
