/* poisson.c: `mergefft poisson` solves laplacian(phi) = c field on the box of a file. */
#include <stddef.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "io/prefetch.h"
#include "io/threads.h"
#include "poisson/job.h"

static int run_job(void *context) { return mfft_poisson_job_run(context); }

/* Solves for field i, unless its result exists and --skip-existing is given. */
static int run_field(mfft_poisson_job *j, int i, mfft_fields_counts *counts) {
  const mfft_poisson_values *v = j->v;
  char *output = mfft_fields_name(v->output, v->input[i]);
  int code = mfft_app_failed(output ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the name of a file"));
  if (!code && v->skip_existing && mfft_fields_exists(output))
    counts->skipped++;
  else if (!code) {
    j->input = v->input[i];
    j->output = output;
    j->number = i;
    j->next = i + 1 < MFFT_FIELDS_MOST ? v->input[i + 1] : NULL;
    j->begun = 0;
    code = mfft_untrusted_run(&v->untrusted, j->input, v->dataset, output, run_job, j);
    if (!j->begun) mfft_fields_count_result(counts, j->input, code);
  }
  free(output);
  return code;
}

static int run(void *given) {
  const mfft_poisson_values *v = given;
  mfft_poisson_job j = {.v = v, .several = v->input[1] != NULL};
  int code = mfft_poisson_options_check(&mfft_command_poisson, v);
  if (code != MFFT_EXIT_OK) return code;
  mfft_timing_begin(&v->timing, "poisson", !v->dry_run);
  mfft_progress_force(v->progress);
  if (mfft_app_failed(mfft_threads_begin(&v->sweep))) return MFFT_EXIT_FAILED;
  if (mfft_app_failed(mfft_plan_begin_wisdom(v->wisdom))) return MFFT_EXIT_FAILED;
  mfft_fields_counts counts = {.fields = mfft_fields_count(v->input)};
  j.counts = &counts;
  for (int i = 0; i < counts.fields && !j.stopped && !mfft_fields_stop(&counts, v->stop_file, i); i++) {
    mfft_fields_name_messages("poisson", v->input[i], j.several);
    if (run_field(&j, i, &counts)) code = MFFT_EXIT_FAILED;
  }
  mfft_poisson_complete(&j);
  if (counts.failed) code = MFFT_EXIT_FAILED;
  mfft_app_begin("poisson");
  mfft_fields_report(&counts, v->dry_run ? "can be solved" : "solved");
  if (v->wisdom && counts.done && mfft_app_failed(mfft_wisdom_save(MPI_COMM_WORLD, v->wisdom))) code = MFFT_EXIT_FAILED;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_prefetch_stop();
  mfft_poisson_job_destroy(&j);
  mfft_threads_end();
  return code;
}

const mfft_command mfft_command_poisson = {
    .name = "poisson",
    .summary = "solve laplacian(phi) = c field on a box, periodic, between walls or open",
    .operands = "IN.h5...",
    .min_operands = 1,
    .max_operands = MFFT_FIELDS_MOST,
    .operands_offset = offsetof(mfft_poisson_values, input),
    .description =
        "Reads a field, removes its mean, transforms it, multiplies by the Green function and transforms back; with "
        "--gradient each component of the force is one more transform of the same spectrum, with walls and open axes too. "
        "The k = 0 mode is zero, and so are the Nyquist modes of gradients. The mesh and the box need not be cubes.\n"
        "\n"
        "With --boundary walls replace periodic images: values are at the centres of cells, and the walls are the faces "
        "of the box, half a cell beyond the first and the last centre. If phi is 0 on a wall, any source has a solution, "
        "and a contrast keeps its mean. Walls go with single and double precision, on CPUs and GPUs.\n"
        "\n"
        "With --boundary open there is no mass outside the box: phi is the convolution of the unchanged field with -1 / "
        "(4 pi r), and the force that with the gradient of 1 / (4 pi r), on a mesh of twice the cells along each axis. The "
        "residual is not measured.\n"
        "\n"
        "The residual |laplacian(phi) - rhs| / |rhs| is measured without a Fourier transform, in real space and over every "
        "cell, by random projections of the discrete or spectral operator, within a factor of two. The residual that "
        "rounding of phi explains is printed beside it; a solution with a much larger residual is not written.\n"
        "\n"
        "Memory of a rank, in local arrays of the chosen precision: 3 (field, spectrum, workspace), 4 with a gradient, "
        "which preserves the spectrum for all outputs; each open axis doubles the spectrum, and a gradient then takes one "
        "spectrum and a kernel for each of these axes more; --precision half adds the field in single precision on the "
        "host. "
        "With a GPU the arrays are in its memory, and the host has two buffers of --part.\n"
        "\n"
        "Several fields are solved one after another with one plan; while one is solved, the next is read into the page "
        "cache of the system, and while that is read, the results of the first are brought to disk and verified; only "
        "then it is reported. A field that fails is reported, and the others are solved.\n"
        "\n"
        "  mpirun -n 2 mergefft poisson delta.h5 -o phi.h5\n"
        "  mpirun -n 2 mergefft poisson density-*.h5 -o 'phi-{}.h5' --skip-existing\n"
        "  mergefft poisson ic.hdf5 -d DM_delta -L 100 --gradient spectral -p double -o force.h5\n"
        "  mergefft poisson delta.h5 -o phi.h5 --units cosmo --omega-m 0.31 --scale-factor 1 --timing times.json",
    .options = mfft_poisson_options_table,
    .values_bytes = sizeof(mfft_poisson_values),
    .run = run,
};
