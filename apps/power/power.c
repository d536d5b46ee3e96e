/* power.c: `mergefft power` measures the power spectrum of a field, or of the particles of a snapshot. */
#include <math.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/phases.h"
#include "io/prefetch.h"
#include "io/threads.h"
#include "power/job.h"

static const char description[] =
    "Measures the power spectrum P(k) = V / cells^2 <|F(k)|^2> of a field on a periodic mesh, F its unscaled transform, "
    "or of the particles of a snapshot, which are assigned to a mesh: in (Mpc/h)^3 for a box in Mpc/h. Boxes and meshes "
    "need not be cubes.\n"
    "\n"
    "The table has a row for every bin that contains modes: k (the mean of |k| over its modes), P, modes (their number, "
    "exact, k and -k both counted), and the shot noise if it is known. Lines that begin with # describe the measurement "
    "and mark the row from which on the error by window and aliasing may exceed 1 % of P. The mode k = 0 is never "
    "counted.\n"
    "\n"
    "Linear bins are centred on multiples of the fundamental wave number; a mode on the edge of two bins counts in the "
    "upper one.\n"
    "\n"
    "Compensation divides the power of each mode by the squared window of the mass assignment: sinc is the window "
    "itself, jing the sum over its aliases, which is right if the power near the Nyquist frequency is mostly shot noise "
    "(Jing 2005). Particles are assigned by TSC to two meshes half a cell apart, whose interlaced spectra lack the nearest "
    "images (--interlace).\n"
    "\n"
    "--poles adds multipoles such as P2 and P4 about the line of sight, in redshift space with --rsd. --cross measures the "
    "cross spectrum with another field or snapshot, and the spectra of both. --like uses the method of another program, "
    "such as GADGET-4 with its bins and foldings; docs/particles.md has the table.\n"
    "\n"
    "Several inputs are measured one after another with one plan. An input that fails is reported, and the others are "
    "measured.\n"
    "\n"
    "Examples:\n"
    "  mergefft power density-*.h5 -o 'pk-{}.txt'\n"
    "  mpirun -n 4 mergefft power snapshot_007 -n 512 --poles 0,2,4 --rsd -o pk.txt --json pk.json\n"
    "  mergefft power snapshot_007.hdf5 -n 256 --like gadget4\n"
    "  mergefft power snapshot_007.hdf5 --type 0 --cross delta-dm.h5\n"
    "  mergefft power snapshot.h5 -d /mesh/rho -L 500 --field density --assign cic --particles 16777216\n"
    "  mergefft power delta.h5 --spacing log --bins 30";

static int run_job(void *context) { return mfft_power_job_run(context); }

/* Measures input i, unless its table exists and --skip-existing is given. */
static int run_field(mfft_power_job *j, int i, mfft_fields_counts *counts) {
  const mfft_power_values *p = j->p;
  const char *input = p->input[i];
  enum { OUTPUT, JSON, HDF5, PLOT, FILES };
  const char *const pattern[FILES] = {p->output, p->json, p->hdf5, p->plot};
  char *name[FILES];
  int lacks = 0;
  for (int f = 0; f < FILES; f++) {
    name[f] = pattern[f] ? mfft_fields_name(pattern[f], input) : NULL;
    lacks |= pattern[f] && !name[f];
  }
  int code = mfft_app_failed(lacks ? mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the name of a file") : MFFT_SUCCESS);
  if (!code && p->skip_existing && mfft_fields_exists(name[OUTPUT]))
    counts->skipped++;
  else if (!code) {
    j->input = input;
    j->output = name[OUTPUT];
    j->json = name[JSON];
    j->hdf5 = name[HDF5];
    j->plot = name[PLOT];
    j->next = i + 1 < MFFT_FIELDS_MOST ? p->input[i + 1] : NULL;
    code = mfft_untrusted_run(&p->untrusted, input, p->dataset, name[OUTPUT] ? name[OUTPUT] : name[JSON], run_job, j);
    mfft_fields_count_result(counts, input, code);
  }
  for (int f = 0; f < FILES; f++) free(name[f]);
  return code;
}

static int run(void *values) {
  mfft_power_values *p = values;
  int code = mfft_power_options_check(&mfft_command_power, p);
  if (code) return code;
  mfft_power_job j = {.p = p, .several = p->input[1] != NULL};
  mfft_fields_counts counts = {.fields = mfft_fields_count(p->input)};
  mfft_timing_begin(&p->timing, "power", 0);
  if (mfft_app_failed(mfft_threads_begin(&p->sweep))) return MFFT_EXIT_FAILED;
  for (int i = 0; i < counts.fields && !mfft_fields_stop(&counts, p->stop_file, i); i++) {
    mfft_fields_name_messages("power", p->input[i], j.several);
    if (run_field(&j, i, &counts)) code = MFFT_EXIT_FAILED;
  }
  mfft_app_begin("power");
  mfft_fields_report(&counts, "measured");
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_prefetch_stop();
  mfft_mesh_plan_destroy(&j.plan);
  mfft_threads_end();
  return code;
}

const mfft_command mfft_command_power = {
    .name = "power",
    .summary = "measure the power spectrum of a field or a snapshot",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = MFFT_FIELDS_MOST,
    .operands_offset = offsetof(mfft_power_values, input),
    .description = description,
    .options = mfft_power_options_table,
    .values_bytes = sizeof(mfft_power_values),
    .run = run,
};
