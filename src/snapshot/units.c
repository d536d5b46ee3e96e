/* units.c: see units.h. */
#include "snapshot/units.h"

#include <math.h>
#include <string.h>

#include "field/attribute.h"

/* Reads one number of a group; `missing` if it is not there. */
static mfft_status number_or(const char *path, hid_t group, const char *name, double missing, double *value) {
  double list[3] = {0};
  *value = missing;
  if (group < 0) return MFFT_SUCCESS;
  const int count = mfft_attribute_numbers(group, name, list);
  if (count < 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s: attribute %s cannot be read; copy the file again from its source", path, name);
  if (count >= 1 && isfinite(list[0])) *value = list[0]; /* SWIFT stores lists of one number */
  return MFFT_SUCCESS;
}

static mfft_status number(const char *path, hid_t group, const char *name, double *value) {
  return number_or(path, group, name, 0, value);
}

/* The quotient of two units, rounded to a power of ten if it is one within the digits of a constant. */
static double in_terms_of(double unit, double other, double tolerance) {
  const double ratio = unit / other;
  if (!(ratio > 0 && isfinite(ratio))) return 0;
  const double power = pow(10, rint(log10(ratio)));
  return fabs(ratio / power - 1) < tolerance ? power : ratio;
}

static void set_units(mfft_snapshot_info *info, double length_cm, double mass_g, double velocity_cm_s, double h,
                      double growth) {
  info->length_mpc_h = in_terms_of(length_cm, MFFT_SNAP_MPC_CM, 1e-6) * h;
  info->mass_1e10_msun_h = in_terms_of(mass_g, MFFT_SNAP_1E10_MSUN_G, 1e-3) * h;
  info->velocity_km_s = in_terms_of(velocity_cm_s, MFFT_SNAP_KM_CM, 1e-6) * growth;
}

/* Reads the units of GADGET: lengths and masses are in units over h, velocities are divided by sqrt(a). */
static mfft_status gadget_units(const char *path, hid_t group, mfft_snapshot_info *info, int *found) {
  double length, mass, velocity;
  MFFT_TRY(number(path, group, "UnitLength_in_cm", &length));
  MFFT_TRY(number(path, group, "UnitMass_in_g", &mass));
  MFFT_TRY(number(path, group, "UnitVelocity_in_cm_per_s", &velocity));
  *found = length > 0;
  /* Without expansion Time is not a scale factor, Redshift is 0, and velocities are not divided. */
  const int comoving = info->time > 0 && !(info->redshift == 0 && fabs(info->time - 1) > 1e-4);
  if (*found) set_units(info, length, mass, velocity, 1, comoving ? sqrt(info->time) : 1);
  return MFFT_SUCCESS;
}

/* Reads the units of SWIFT: there are no factors of h, and velocities are peculiar. */
static mfft_status swift_units(const char *path, hid_t units, mfft_snapshot_info *info) {
  double length, mass, time;
  MFFT_TRY(number(path, units, "Unit length in cgs (U_L)", &length));
  MFFT_TRY(number(path, units, "Unit mass in cgs (U_M)", &mass));
  MFFT_TRY(number(path, units, "Unit time in cgs (U_t)", &time));
  if (length > 0 && time > 0) set_units(info, length, mass, length / time, info->h, 1);
  return MFFT_SUCCESS;
}

/* Reads the cosmology by its names in a group, which differ in /Cosmology of SWIFT.  Without a density of dark energy the
 * universe is flat. */
static mfft_status look_cosmology(const char *path, hid_t group, const char *const name[3], mfft_snapshot_info *info) {
  double m, lambda, h;
  if (info->has_cosmology || group < 0) return MFFT_SUCCESS;
  MFFT_TRY(number(path, group, name[0], &m));
  MFFT_TRY(number_or(path, group, name[1], 1 - m, &lambda));
  MFFT_TRY(number(path, group, name[2], &h));
  if (!(m > 0 && h > 0)) return MFFT_SUCCESS;
  info->has_cosmology = 1;
  info->omega_m = m;
  info->omega_lambda = lambda;
  info->h = h;
  return MFFT_SUCCESS;
}

mfft_status mfft_snap_units(const char *path, hid_t header, hid_t parameters, hid_t units, hid_t cosmology,
                            mfft_snapshot_info *info) {
  static const char *const swift[3] = {"Omega_m", "Omega_lambda", "h"};
  static const char *const gadget[3] = {"Omega0", "OmegaLambda", "HubbleParam"};
  char code[16] = "";
  int found = 0;
  MFFT_TRY(look_cosmology(path, parameters, gadget, info));
  MFFT_TRY(look_cosmology(path, header, gadget, info));
  MFFT_TRY(look_cosmology(path, cosmology, swift, info));
  if (parameters >= 0) MFFT_TRY(gadget_units(path, parameters, info, &found));
  if (!found) MFFT_TRY(gadget_units(path, header, info, &found));
  if (found) return MFFT_SUCCESS;
  /* The header's attribute Code decides, since a group /Units of unknown origin may or may not have factors of h. */
  if (mfft_attribute_text(header, "Code", code, sizeof code) < 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s: attribute Code cannot be read; copy the file again from its source", path);
  return !strcmp(code, "SWIFT") && units >= 0 && info->has_cosmology ? swift_units(path, units, info) : MFFT_SUCCESS;
}
