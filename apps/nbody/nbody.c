/* nbody.c: `mergefft nbody`, a particle-mesh simulation of structure formation. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/commands.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "io/threads.h"
#include "mfft_inspect.h"
#include "nbody/run.h"
#include "nbody/stop.h"

static const char description[] =
    "Simulates the particles of a snapshot in an expanding universe: forces by a particle mesh (docs/particles.md), kicks "
    "and drifts in comoving coordinates; particles stay in memory for the whole run.\n"
    "\n"
    "Steps are kick-drift-kick with the factors of --kick: leapfrog, exact for constant momenta and forces (Quinn, Katz, "
    "Stadel, Lake 1997); fastpm, exact for the Zel'dovich approximation (Feng, Chu, Seljak, McDonald 2016); cola, which "
    "integrates the difference from LPT of second order (Tassev, Zaldarriaga, Eisenstein 2013) and needs initial conditions "
    "of `mergefft ic`; bullfrog, drift-kick-drift and of second order in LPT (Rampf, List, Hahn 2025).\n"
    "\n"
    "Each output is a snapshot in GADGET HDF5 (Mpc/h, 1e10 solar masses/h, velocities in km/s divided by sqrt(a)) with the "
    "particles in the order of the input, from which their identities are read again. --density and --power add the density "
    "contrast on the mesh and its power spectrum. PREFIX-energy.txt has the energies and the momentum of all steps.\n"
    "\n"
    "On CPUs, the default, results have the same bits for every number of ranks and threads, and after a restart; with "
    "--backend cuda after a restart on as many ranks. SIGUSR1, or a file PREFIX-stop, "
    "ends a run after the current step with a checkpoint, PREFIX-restart.hdf5, complete or absent, from which --restart "
    "resumes the run. The checkpoint is removed at the end of the run.\n"
    "\n"
    "  mergefft ic -n 128 -L 200 -z 49 -o ic.hdf5\n"
    "  mpirun -n 2 mergefft nbody ic.hdf5 -o run/web --steps 40 --outputs 1,0.5 --power --density\n"
    "  mpirun -n 2 mergefft nbody ic.hdf5 -o run/web --steps 40 --outputs 1,0.5 --power --density --restart";

/* ---- Options ---------------------------------------------------------------------------------------------------------- */

/* Checks what does not depend on the snapshot; the files of outputs do (outputs.c). */
static int check(const mfft_nbody_values *v) {
  enum { OWN = 3 };
  static const char *const words[OWN] = {"energy.txt", "settings.txt", "restart.hdf5"};
  static const mfft_file_kind *const kinds[OWN] = {&mfft_table_kind, &mfft_table_kind, &mfft_field_kind};
  const mfft_command *me = &mfft_command_nbody;
  char name[OWN][MFFT_NBODY_NAME_BYTES];
  mfft_target targets[OWN + MFFT_TIMING_TARGETS];
  if (v->no_snapshots && !v->density && !v->power)
    return mfft_cli_usage(
        me, "--no-snapshots without --density or --power gives no results; add one of them, or omit --no-snapshots");
  for (int i = 0; i < OWN; i++) {
    if (mfft_app_failed(mfft_nbody_name(v, words[i], name[i]))) return MFFT_EXIT_FAILED;
    targets[i] = (mfft_target){"--output", name[i], kinds[i]};
  }
  mfft_timing_targets(&v->timing, targets + OWN);
  return mfft_targets_check(me, &v->input, 1, targets, OWN + MFFT_TIMING_TARGETS);
}

static void print_start(const mfft_nbody *r) {
  const int64_t *n = r->mesh.n;
  int grid[2], chunks; /* {P, Q} */
  const char *transport;
  mfft_plan_grid(r->plan, grid);
  mfft_plan_transport(r->plan, &transport, &chunks);
  mfft_app_print("%s: %" PRId64 " particles of type %d in %g x %g x %g Mpc/h, Omega_m %g, Omega_Lambda %g\n", r->v->input,
                 r->all, r->type, r->mesh.length[0], r->mesh.length[1], r->mesh.length[2], r->background.omega_m,
                 r->background.omega_lambda);
  mfft_app_print("%s, %d steps from a = %.6g to %.6g; mesh %" PRId64 "x%" PRId64 "x%" PRId64 ", %s, %s precision\n",
                 r->stepping->name, r->schedule.steps, r->schedule.a[0], r->schedule.a[r->schedule.steps], n[0], n[1], n[2],
                 mfft_cli_choice_name(MFFT_ASSIGN_WORDS, r->v->assign), r->v->precision ? "single" : "double");
  mfft_app_print("%d rank%s, grid %dx%d, transport %s\n", mfft_app_ranks(), mfft_app_ranks() > 1 ? "s" : "", grid[0],
                 grid[1], transport);
  if (r->step > 0) mfft_app_print("resuming after step %d, at a = %.6g\n", r->step, r->schedule.a[r->step]);
}

/* ---- The steps ------------------------------------------------------------------------------------------------------- */

/* Prints "step 12/50  a 0.2345  z 3.264  0.81 s  left 0:00:31" and the drift of the energy. */
static void print_step(const mfft_nbody *r, double step_s, double mean_s) {
  const double a = r->schedule.a[r->step], left = mean_s * (r->schedule.steps - r->step);
  char energies[128] = "";
  if (r->energy.count) {
    const mfft_energy_row *row = &r->energy.row[r->energy.count - 1];
    snprintf(energies, sizeof energies, "  momentum %.1e  energy %+.1e", row->momentum, mfft_energy_drift(row));
  }
  mfft_app_print("step %d/%d  a %.6f  z %.3f  %.3g s  left %d:%02d:%02d%s\n", r->step, r->schedule.steps, a,
                 mfft_schedule_redshift(a), step_s, (int)(left / 3600), (int)fmod(left / 60, 60), (int)fmod(left, 60),
                 energies);
  if (mfft_app_rank() == 0) fflush(stdout);
}

/* Whether a checkpoint is due, by the clock of rank 0; *last: the time of the preceding one. */
static int checkpoint_due(const mfft_nbody *r, double *last) {
  const double now = mfft_app_time();
  int due = mfft_app_rank() == 0 && r->v->checkpoint > 0 && now - *last >= 60 * r->v->checkpoint;
  due = mfft_app_anywhere(due);
  if (due) *last = now;
  return due;
}

/* Writes the results of a step.  If that fails, as on a full disk, a checkpoint keeps the steps, and a restart writes the
 * results first. */
static mfft_status write_or_keep(mfft_nbody *r) {
  char why[512];
  const mfft_status status = mfft_app_agree(mfft_nbody_write(r));
  if (status == MFFT_SUCCESS) return status;
  snprintf(why, sizeof why, "%s", mfft_app_message());
  if (mfft_nbody_checkpoint(r) == MFFT_SUCCESS)
    return mfft_app_fail(status, "%s; '%s-restart.hdf5' has the run, and --restart goes on with this output", why,
                         r->v->output);
  return mfft_app_fail(status, "%s; and there is no checkpoint of this step: %s", why, mfft_app_message());
}

/* Writes results and checkpoints after a step; *stopped: a stop of the run has been requested. */
static mfft_status after_step(mfft_nbody *r, const char *stop_file, double *last_checkpoint, int *stopped) {
  mfft_status status = MFFT_SUCCESS;
  if (r->schedule.output[r->step]) status = write_or_keep(r);
  if (status != MFFT_SUCCESS || r->step == r->schedule.steps) return status;
  *stopped = mfft_stop_asked(stop_file);
  if (checkpoint_due(r, last_checkpoint) || *stopped) status = mfft_nbody_checkpoint(r);
  return status;
}

static mfft_status do_steps(mfft_nbody *r, int *stopped) {
  char stop_file[MFFT_NBODY_NAME_BYTES];
  const int first = r->step;
  mfft_status status = mfft_nbody_name(r->v, "stop", stop_file);
  double last_checkpoint = mfft_app_time(), spent = 0;
  /* At a restart, too: the run may have ended because this output could not be written. */
  if (status == MFFT_SUCCESS && r->schedule.output[first]) status = mfft_nbody_write(r);
  if (status == MFFT_SUCCESS) status = mfft_nbody_begin(r);
  while (status == MFFT_SUCCESS && !*stopped && r->step < r->schedule.steps) {
    const double begin = mfft_app_time();
    status = mfft_nbody_step(r);
    if (status != MFFT_SUCCESS) break;
    const double step_s = mfft_app_time() - begin;
    spent += step_s;
    print_step(r, step_s, spent / (r->step - first));
    status = after_step(r, stop_file, &last_checkpoint, stopped);
  }
  return status;
}

/* Divides the time of mfft_particles_force by the parts whose times plan and mesh have measured. */
static void book(const mfft_nbody *r) {
  double deposit, gather;
  mfft_plan_book_phases(r->plan);
  if (mfft_particle_mesh_seconds(r->particle_mesh, &deposit, &gather) == MFFT_SUCCESS) {
    mfft_phase_move(MFFT_PHASE_TRANSFORM, MFFT_PHASE_DEPOSIT, deposit);
    mfft_phase_move(MFFT_PHASE_TRANSFORM, MFFT_PHASE_GATHER, gather);
  }
}

static void describe(const mfft_nbody *r) {
  mfft_json *json = mfft_timing_json();
  mfft_json_string(json, "input", r->v->input);
  mfft_json_integer(json, "particles", r->all);
  mfft_json_integers(json, "n", r->mesh.n, 3);
  mfft_json_string(json, "kick", r->stepping->name);
  mfft_json_integer(json, "steps", r->schedule.steps);
  mfft_json_integer(json, "steps_done", r->step);
  mfft_json_number(json, "a", r->schedule.a[r->step]);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
}

static mfft_status finish(mfft_nbody *r, int stopped) {
  char energy[MFFT_NBODY_NAME_BYTES];
  book(r);
  describe(r);
  if (stopped) {
    mfft_app_print("stopped after step %d of %d, at a = %.6g; --restart resumes the run\n", r->step, r->schedule.steps,
                   r->schedule.a[r->step]);
    return MFFT_SUCCESS;
  }
  mfft_status status = mfft_nbody_name(r->v, "energy.txt", energy);
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = mfft_app_agree(mfft_energy_save(&r->energy, energy));
  if (status == MFFT_SUCCESS) mfft_nbody_remove_checkpoint(r);
  return status;
}

/* Opens the snapshot, and checks all that can be checked before any work: an exit code. */
static int prepare(mfft_nbody *r) {
  mfft_phase_enter(MFFT_PHASE_OPEN);
  mfft_status status = r->v->dry_run ? MFFT_SUCCESS : mfft_nbody_own(r);
  if (status == MFFT_SUCCESS) status = mfft_nbody_open(r);
  return mfft_app_failed(status) ? MFFT_EXIT_FAILED : mfft_nbody_check_outputs(&mfft_command_nbody, r);
}

/* Loads the particles and does all steps. */
static mfft_status simulate(mfft_nbody *r) {
  int stopped = 0;
  mfft_phase_enter(MFFT_PHASE_PLAN);
  mfft_status status = mfft_nbody_plan(r);
  if (r->v->dry_run) return status == MFFT_SUCCESS ? mfft_nbody_estimate(r) : status;
  mfft_phase_enter(MFFT_PHASE_READ);
  if (status == MFFT_SUCCESS) status = r->v->restart ? mfft_nbody_resume(r) : mfft_nbody_load(r);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_bodies_place(&r->bodies));
  if (status == MFFT_SUCCESS && !r->v->restart) status = mfft_nbody_settings_save(r);
  mfft_phase_enter(MFFT_PHASE_OTHER);
  if (status == MFFT_SUCCESS) print_start(r);
  if (status == MFFT_SUCCESS) mfft_nbody_compare_disk(r);
  if (status == MFFT_SUCCESS) status = do_steps(r, &stopped);
  mfft_phase_enter(MFFT_PHASE_REPORT);
  return status == MFFT_SUCCESS ? finish(r, stopped) : status;
}

static int run(void *values) {
  const mfft_nbody_values *v = values;
  mfft_nbody r = {.v = v};
  int code = check(v);
  if (code) return code;
  mfft_timing_begin(&v->timing, "nbody", !v->dry_run);
  if (mfft_app_failed(mfft_threads_begin(&v->sweep))) return MFFT_EXIT_FAILED;
  code = prepare(&r);
  if (code == MFFT_EXIT_OK && mfft_app_failed(simulate(&r))) code = MFFT_EXIT_FAILED;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_nbody_close(&r);
  mfft_threads_end();
  return code;
}

const mfft_command mfft_command_nbody = {
    .name = "nbody",
    .summary = "simulate the particles of a snapshot by a particle mesh",
    .operands = "SNAPSHOT",
    .min_operands = 1,
    .max_operands = 1,
    .operands_offset = offsetof(mfft_nbody_values, input),
    .description = description,
    .options = mfft_nbody_options_table,
    .values_bytes = sizeof(mfft_nbody_values),
    .run = run,
    .start = mfft_stop_begin,
};
