/* estimate.c: see estimate.h. */
#include "estimate/estimate.h"

#include "cli/available.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "io/plain.h"
#include "io/untrusted.h"

const mfft_cli_option mfft_estimate_options_table[] = {
    {"dry-run", 0, MFFT_CLI_FLAG, 0, NULL, .help = "say layout, memory, disk space and the expected time, and do nothing"},
    {0}};

static double gib(double bytes) { return bytes / 0x1p30; }

void mfft_estimate_print_plan(mfft_plan plan, const char *backend, const char *precision) {
  int grid[2], chunks; /* {P, Q} */
  const char *transport;
  mfft_plan_grid(plan, grid);
  mfft_plan_transport(plan, &transport, &chunks);
  mfft_app_print("%d rank%s, grid %dx%d, backend %s, transport %s, %s precision\n", mfft_app_ranks(),
                 mfft_app_ranks() > 1 ? "s" : "", grid[0], grid[1], backend, transport, precision);
}

static void print_memory(const char *where, double bytes) {
  double sum = bytes, most = mfft_app_slowest(bytes);
  mfft_app_reduce(&sum, 1, MPI_DOUBLE, MPI_SUM, "adding up memory");
  mfft_app_print("%s memory: up to %.3g GiB a rank, %.3g GiB of all ranks\n", where, gib(most), gib(sum));
}

/* Prints the memory for particles, for meshes (the rest) and for ghost cells, if there are particles. */
static void print_parts(const mfft_estimate *e) {
  double part[3] = {e->particle_bytes, e->host_bytes - e->particle_bytes - e->ghost_bytes, e->ghost_bytes};
  mfft_app_reduce(part, 3, MPI_DOUBLE, MPI_MAX, "comparing memory");
  if (part[0] > 0)
    mfft_app_print("of a rank: particles %.3g GiB, meshes %.3g GiB, ghost cells %.3g GiB\n", gib(part[0]), gib(part[1]),
                   gib(part[2]));
}

void mfft_estimate_print_needs(const mfft_estimate *e) {
  const int64_t available = e->output ? mfft_available_disk(e->output) : -1;
  print_memory("host", e->host_bytes);
  print_parts(e);
  if (mfft_app_slowest(e->device_bytes) > 0) print_memory("device", e->device_bytes);
  mfft_app_print("disk: %.3g GiB to read, %.3g GiB to write", gib(e->read_bytes), gib(e->write_bytes));
  if (available >= 0)
    mfft_app_print(", %.3g GiB free%s", gib((double)available), (double)available < e->write_bytes ? ": NOT ENOUGH" : "");
  mfft_app_print("\n");
}

mfft_status mfft_estimate_time_files(mfft_estimate *e) {
  enum { PROBE_BYTES = 64 << 20 };
  int64_t read = (int64_t)(e->read_bytes < PROBE_BYTES ? e->read_bytes : PROBE_BYTES);
  const int64_t written = (int64_t)(e->write_bytes < PROBE_BYTES ? e->write_bytes : PROBE_BYTES);
  mfft_status status = MFFT_SUCCESS;
  if (e->input && read > 0) {
    status = mfft_plain_read(mfft_untrusted_path(e->input), &read, &e->read_s);
    if (read > 0) e->read_s *= e->read_bytes / (double)read;
  }
  if (status == MFFT_SUCCESS && e->output && written > 0) {
    status = mfft_plain_write(e->output, written, &e->write_s);
    e->write_s *= e->write_bytes / (double)written;
  }
  return status;
}

void mfft_estimate_print_times(const mfft_estimate *e, const char *work) {
  mfft_app_print("expected time: read %.2g s, %s %.2g s, write %.2g s (from small reads, writes and a small %s now)\n",
                 e->read_s, work, e->work_s, e->write_s, work);
}

mfft_status mfft_estimate_print(mfft_estimate *e, const char *work) {
  mfft_estimate_print_needs(e);
  const mfft_status status = mfft_estimate_time_files(e);
  if (status == MFFT_SUCCESS) mfft_estimate_print_times(e, work);
  return status;
}
