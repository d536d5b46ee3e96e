/* results.c: see results.h. */
#include "poisson/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/phases.h"
#include "io/rows.h"

const char *const mfft_poisson_output_names[MFFT_POISSON_OUTPUTS] = {"phi", "force_x", "force_y", "force_z"};

mfft_status mfft_poisson_create_file(mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  int cosmo = v->units == MFFT_UNITS_COSMO;
  const char *force = cosmo ? "(km/s)^2/(Mpc/h)" : NULL;
  const mfft_field_dataset datasets[] = {{mfft_poisson_output_names[0], cosmo ? "(km/s)^2" : NULL},
                                         {mfft_poisson_output_names[1], force},
                                         {mfft_poisson_output_names[2], force},
                                         {mfft_poisson_output_names[3], force}};
  static const double laplacian_order[] = {
      [MFFT_LAPLACIAN_SPECTRAL] = 0, [MFFT_LAPLACIAN_FD2] = 2, [MFFT_LAPLACIAN_FD4] = 4};
  enum { ALWAYS = 7, MOST = 12 };
  mfft_field_attribute attributes[MOST] = {{"PoissonCoefficient", j->coefficient},
                                           {"TransformBits", 8.0 * (double)mfft_real_bytes(j->solver.precision)},
                                           {"LaplacianOrder", laplacian_order[v->greens]},
                                           {"GradientOrder", v->gradient == MFFT_GRADIENT_FD4 ? 4 : 0},
                                           {"WindowOrder", j->window_order},
                                           {"Deconvolved", (double)v->deconvolve},
                                           {"Asmth", v->asmth}};
  int count = ALWAYS;
  static const char *const boundary_name[] = {"BoundaryX", "BoundaryY", "BoundaryZ"};
  const mfft_boundary *boundary = j->solver.options.greens.boundary;
  for (int a = 0; a < 3 && !mfft_boundary_all_periodic(boundary); a++)
    attributes[count++] = (mfft_field_attribute){boundary_name[a], (double)boundary[a]};
  if (cosmo) attributes[count++] = (mfft_field_attribute){"Omega_m", j->omega_m};
  if (v->field == MFFT_FIELD_DENSITY) attributes[count++] = (mfft_field_attribute){"DensityMean", j->solver.mean};
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  memcpy(desc.n, j->mesh.n, sizeof desc.n);
  memcpy(desc.box_size, j->mesh.length, sizeof desc.box_size);
  mfft_poisson_field(&j->solver, &desc.precision);
  desc.has_redshift = j->info.has_redshift;
  desc.redshift = j->info.redshift;
  desc.dataset = datasets;
  desc.dataset_count = v->gradient == MFFT_GRADIENT_NONE ? 1 : MFFT_POISSON_OUTPUTS;
  desc.attribute = attributes;
  desc.attribute_count = count;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CREATE);
  const mfft_status status = mfft_field_create(MPI_COMM_WORLD, j->output, &desc, &j->file);
  mfft_phase_enter(before);
  return status;
}

void mfft_poisson_print(const mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  const mfft_poisson *p = &j->solver;
  const int64_t *n = j->mesh.n;
  const double *l = j->mesh.length;
  int grid[2], chunks; /* {P, Q} */
  const char *transport;
  mfft_plan_grid(p->plan, grid);
  mfft_plan_transport(p->plan, &transport, &chunks);
  mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 ", box %g x %g x %g, mean %.6g, rms%s %.6g\n", j->input,
                 j->info.dataset, n[0], n[1], n[2], l[0], l[1], l[2], p->mean, j->keeps_mean ? "" : " about it", p->rms);
  mfft_app_print("laplacian(phi) = %g %s", j->coefficient,
                 v->field == MFFT_FIELD_DENSITY ? "(field / mean - 1)"
                 : v->units == MFFT_UNITS_COSMO ? "field, taken as a density contrast"
                                                : "field");
  const mfft_boundary *boundary = p->options.greens.boundary;
  const int open = mfft_boundary_open(boundary);
  mfft_app_print(", %s", open ? mfft_cli_choice_name(MFFT_OPEN_KINDS, v->open_kernel)
                              : mfft_cli_choice_name(MFFT_GREEN_WORDS, v->greens));
  if (!mfft_boundary_all_periodic(boundary)) mfft_app_print(", boundary %s", v->boundary);
  mfft_app_print(", gradient %s", mfft_cli_choice_name(MFFT_GRADIENT_KINDS, v->gradient));
  if (v->deconvolve)
    mfft_app_print(", %s deconvolved %d x", mfft_cli_choice_name(MFFT_ASSIGN_WORDS, j->window_order - 1),
                   (int)v->deconvolve);
  if (v->asmth > 0) mfft_app_print(", long range beyond rs = %g", mfft_greens_split_scale(&p->options.greens));
  mfft_app_print("\n%d rank%s, grid %dx%d, backend %s, transport %s, %s precision, %.3g MiB a rank\n", mfft_app_ranks(),
                 mfft_app_ranks() > 1 ? "s" : "", grid[0], grid[1], p->real.backend, transport,
                 mfft_cli_choice_name("double|single|half", (int)p->precision), j->memory / 0x1p20);
  if (p->options.check)
    mfft_app_print("residual |laplacian(phi) - rhs| / |rhs| = %.3e (rounding explains up to %.1e)\n", j->check.residual,
                   j->check.explained);
  mfft_app_print("wrote %s: phi%s\n", j->output, v->gradient ? ", force_x, force_y, force_z" : "");
  fflush(stdout); /* the log of a job that is stopped in the next field tells of this one */
}

void mfft_poisson_describe(const mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  int grid[2], chunks; /* {P, Q} */
  const char *transport;
  mfft_plan_grid(j->solver.plan, grid);
  mfft_plan_transport(j->solver.plan, &transport, &chunks);
  int64_t wide_grid[2] = {grid[0], grid[1]}; /* {P, Q} */
  mfft_json *json = mfft_timing_json();
  mfft_json_string(json, "input", j->input);
  mfft_json_string(json, "dataset", j->info.dataset);
  mfft_json_string(json, "output", j->output);
  mfft_json_integers(json, "n", j->mesh.n, 3);
  mfft_json_numbers(json, "boxsize", j->mesh.length, 3);
  mfft_json_string(json, "field", mfft_cli_choice_name(MFFT_FIELD_KINDS, v->field));
  mfft_json_number(json, "coefficient", j->coefficient);
  mfft_json_string(json, "greens", mfft_cli_choice_name(MFFT_GREEN_WORDS, v->greens));
  mfft_json_string(json, "boundary", v->boundary);
  if (mfft_boundary_open(j->solver.options.greens.boundary))
    mfft_json_string(json, "open_kernel", mfft_cli_choice_name(MFFT_OPEN_KINDS, v->open_kernel));
  mfft_json_string(json, "gradient", mfft_cli_choice_name(MFFT_GRADIENT_KINDS, v->gradient));
  mfft_json_integer(json, "deconvolve", v->deconvolve);
  mfft_json_string(json, "assign", mfft_cli_choice_name(MFFT_ASSIGN_WORDS, j->window_order - 1));
  mfft_json_number(json, "asmth", v->asmth);
  mfft_json_string(json, "precision", mfft_cli_choice_name(MFFT_POISSON_PRECISIONS, (int)j->solver.precision));
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_integers(json, "grid", wide_grid, 2);
  mfft_json_string(json, "backend", j->solver.real.backend);
  mfft_json_string(json, "transport", transport);
  mfft_json_integer(json, "chunks", chunks);
  mfft_json_number(json, "mean", j->solver.mean);
  mfft_json_number(json, "rms", j->solver.rms);
  mfft_json_integer(json, "nonfinite", j->found.nonfinite);
  mfft_json_number(json, "residual", j->solver.options.check ? j->check.residual : NAN);
  mfft_json_number(json, "residual_explained", j->solver.options.check ? j->check.explained : NAN);
  mfft_json_number(json, "memory_bytes", j->memory);
  mfft_json_number(json, "copy_s", j->copy_s);
  mfft_json_number(json, "copy_overlap", j->overlap);
  if (j->copy_s > 0)
    mfft_timing_note("%s%scopies between host and device took %.4f s, %.0f %% of it during reading, checking and writing\n",
                     j->several ? j->input : "", j->several ? ": " : "", j->copy_s, 100 * j->overlap);
}
