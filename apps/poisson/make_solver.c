/* make_solver.c: see make_solver.h. */
#include "poisson/make_solver.h"

#include <string.h>

mfft_precision mfft_poisson_precision(const mfft_poisson_job *j) {
  return j->v->precision < 0 ? j->info.precision : (mfft_precision)j->v->precision;
}

mfft_status mfft_poisson_make_solver(mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  mfft_poisson_options solver = {.greens = {.laplacian = v->greens,
                                            .gradient = v->gradient,
                                            .window_order = j->window_order,
                                            .deconvolve = (int)v->deconvolve,
                                            .asmth = v->asmth},
                                 .coefficient = j->coefficient,
                                 .open_kernel = v->open_kernel,
                                 .check = !v->no_check,
                                 .one_array = v->one_array,
                                 .outline = j->outline,
                                 .sweep = v->sweep};
  mfft_desc desc;
  mfft_options how;
  memcpy(solver.greens.n, j->mesh.n, sizeof j->mesh.n);
  memcpy(solver.greens.length, j->mesh.length, sizeof j->mesh.length);
  mfft_boundary_parse(v->boundary, solver.greens.boundary);
  if (mfft_boundary_open(solver.greens.boundary)) solver.check = 0; /* its Laplacian is no matrix on the mesh */
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  desc.precision = mfft_poisson_precision(j);
  how.effort = mfft_effort_of(v->effort, v->tune);
  how.chunks = (int)v->chunks;
  how.time_limit = v->time_limit;
  mfft_plan_options_apply(&v->plan, &how);
  return mfft_poisson_create(&solver, &desc, &how, &j->solver);
}
