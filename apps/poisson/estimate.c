/* estimate.c: see estimate.h.
 *
 * Times are those of a small job, measured now and scaled: a solve of a cube of 64 cells (256 on a GPU) a side with the same
 * options and ranks, scaled by N log N, and plain reads and writes of at most 64 MiB, scaled by bytes.  Reads may come from
 * the page cache; writes are flushed to disk.  The estimate is right within a factor of about two on an idle machine, and
 * too short if the network is slower for the large messages of the job than for the small ones of the measurement. */
#include "poisson/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/process.h"
#include "cli/room.h"
#include "io/plain.h"
#include "io/rows.h"

enum { PROBE_BYTES = 64 << 20, PROBE_CELLS = 64, PROBE_DEVICE_CELLS = 256 };

typedef struct estimate {
  double read_s, solve_s, write_s;
  int64_t read_bytes, write_bytes; /* sums over all ranks */
} estimate;

static int outputs_of(const mfft_poisson_job *j) { return j->v->gradient == MFFT_GRADIENT_NONE ? 1 : MFFT_POISSON_OUTPUTS; }

static double cells_of(const mfft_poisson_job *j) { return mfft_mesh_cells(&j->mesh); }

static void count_bytes(const mfft_poisson_job *j, estimate *e) {
  const mfft_precision asked = j->v->precision < 0 ? j->info.precision : (mfft_precision)j->v->precision;
  const double stored = asked == MFFT_DOUBLE ? 8 : 4;
  e->read_bytes = (int64_t)(cells_of(j) * (double)mfft_row_real_bytes(j->info.precision));
  e->write_bytes = (int64_t)(cells_of(j) * stored * outputs_of(j));
}

static mfft_status fill_probe(void *context, const mfft_box *part, void *data) {
  const mfft_precision precision = *(const mfft_precision *)context;
  const double value[2] = {1, -1};
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) mfft_row_store(precision, data, i, 1, &value[i % 2]);
  return MFFT_SUCCESS;
}

/* A solve on a small cube without reading and writing files. */
static mfft_status solve_probe(mfft_poisson *p, int outputs) {
  mfft_precision precision;
  mfft_swept *field = mfft_poisson_field(p, &precision);
  mfft_status status = mfft_app_agree(mfft_sweep(field, MFFT_SWEEP_WRITES, fill_probe, &precision));
  if (status == MFFT_SUCCESS) status = mfft_poisson_centre(p, 0, (double[]){0, 0}, precision);
  if (status == MFFT_SUCCESS) status = mfft_poisson_source(p);
  for (int output = 0; output < outputs && status == MFFT_SUCCESS; output++) status = mfft_poisson_output(p, output - 1);
  return status;
}

/* Estimates the seconds of the solve of the job from those of a cube; on a device, of a larger one. */
static mfft_status estimate_solve(const mfft_poisson_job *j, int side, double *seconds) {
  mfft_poisson_job small = *j;
  memset(&small.solver, 0, sizeof small.solver);
  const double cells = (double)side * side * side;
  for (int a = 0; a < 3; a++) small.mesh.n[a] = side;
  mfft_status status = mfft_poisson_make_solver(&small);
  if (status == MFFT_SUCCESS) {
    const double start = mfft_process_now();
    status = solve_probe(&small.solver, outputs_of(j));
    *seconds = mfft_app_slowest(mfft_process_now() - start) * (cells_of(j) * log2(cells_of(j))) / (cells * log2(cells));
  }
  const int again = status == MFFT_SUCCESS && small.solver.device && side < PROBE_DEVICE_CELLS;
  mfft_poisson_destroy(&small.solver);
  return again ? estimate_solve(j, PROBE_DEVICE_CELLS, seconds) : status;
}

static mfft_status measure(const mfft_poisson_job *j, estimate *e) {
  int64_t read = e->read_bytes < PROBE_BYTES ? e->read_bytes : PROBE_BYTES;
  const int64_t written = e->write_bytes < PROBE_BYTES ? e->write_bytes : PROBE_BYTES;
  mfft_status status = mfft_plain_read(mfft_untrusted_path(j->input), &read, &e->read_s);
  if (status == MFFT_SUCCESS) status = mfft_plain_write(j->output, written, &e->write_s);
  if (status == MFFT_SUCCESS) status = estimate_solve(j, PROBE_CELLS, &e->solve_s);
  if (read > 0) e->read_s *= (double)e->read_bytes / (double)read;
  if (written > 0) e->write_s *= (double)e->write_bytes / (double)written;
  return status;
}

/* ---- The report ------------------------------------------------------------------------------------------------------ */

static double gib(double bytes) { return bytes / 0x1p30; }

/* Prints the memory of the rank that needs most, and the sum over all ranks. */
static void print_memory(const char *where, double bytes) {
  double sum = bytes, most = mfft_app_slowest(bytes);
  mfft_app_reduce(&sum, 1, MPI_DOUBLE, MPI_SUM, "adding up memory");
  mfft_app_print("%s memory: up to %.3g GiB a rank, %.3g GiB in all ranks\n", where, gib(most), gib(sum));
}

static void print_layout(const mfft_poisson_job *j, const mfft_poisson *p) {
  const int64_t *n = j->mesh.n;
  int grid[2], chunks;
  const char *transport;
  mfft_plan_grid(p->plan, grid);
  mfft_plan_transport(p->plan, &transport, &chunks);
  mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 " -> %s, nothing is written\n", j->input, j->info.dataset, n[0],
                 n[1], n[2], j->output);
  mfft_app_print("%d rank%s, grid %dx%d, backend %s, transport %s, %s precision\n", mfft_app_ranks(),
                 mfft_app_ranks() > 1 ? "s" : "", grid[0], grid[1], p->real.backend, transport,
                 mfft_cli_choice_name(MFFT_POISSON_PRECISIONS, (int)p->precision));
}

static void print_disk(const mfft_poisson_job *j, const estimate *e) {
  const int64_t room = mfft_room_disk(j->output);
  mfft_app_print("disk: %.3g GiB to read, %.3g GiB to write", gib((double)e->read_bytes), gib((double)e->write_bytes));
  if (room >= 0) mfft_app_print(", %.3g GiB free%s", gib((double)room), room < e->write_bytes ? ": NOT ENOUGH" : "");
  mfft_app_print("\n");
}

mfft_status mfft_poisson_dry_run(const mfft_poisson_job *job) {
  mfft_poisson_job j = *job;
  estimate e = {0};
  memset(&j.solver, 0, sizeof j.solver);
  j.outline = 1;
  count_bytes(&j, &e);
  mfft_status status = mfft_poisson_make_solver(&j);
  if (status == MFFT_SUCCESS) {
    const mfft_poisson *p = &j.solver;
    const double host = (double)(p->device ? p->host_bytes : p->bytes);
    print_layout(&j, p);
    print_memory("host", host);
    if (p->device) print_memory("device", (double)(p->bytes - p->host_bytes));
    print_disk(&j, &e);
  }
  mfft_poisson_destroy(&j.solver);
  j.outline = 0;
  if (status == MFFT_SUCCESS) status = measure(&j, &e);
  if (status == MFFT_SUCCESS)
    mfft_app_print(
        "expected time: read %.2g s, solve %.2g s, write %.2g s (from small reads, writes and a small solve now)\n",
        e.read_s, e.solve_s, e.write_s);
  return status;
}

mfft_status mfft_poisson_foretell(const mfft_poisson_job *j) {
  /* Rates of a fast core and a fast disk: only a job of 10 s or more at these rates is worth the time of a measurement. */
  static const double cells_per_s = 1e8, bytes_per_s = 4e9, long_s = 10;
  estimate e = {0};
  count_bytes(j, &e);
  const double least = cells_of(j) * (1 + outputs_of(j)) / (cells_per_s * mfft_app_ranks()) +
                       (double)(e.read_bytes + e.write_bytes) / bytes_per_s;
  if (least < long_s) return MFFT_SUCCESS;
  const mfft_status status = measure(j, &e);
  const double seconds = e.read_s + e.solve_s + e.write_s;
  if (status == MFFT_SUCCESS && seconds > long_s)
    mfft_app_note("this will take about %.2g s: read %.2g s, solve %.2g s, write %.2g s; see --dry-run", seconds, e.read_s,
                  e.solve_s, e.write_s);
  return status;
}

mfft_status mfft_poisson_bound(const mfft_poisson_job *j) {
  estimate e = {0};
  count_bytes(j, &e);
  return mfft_timing_bound(mfft_untrusted_path(j->input), e.read_bytes, j->output, e.write_bytes);
}
