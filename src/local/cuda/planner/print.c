/* print.c: see print.h. */
#include "local/cuda/planner/print.h"

#include <math.h>
#include <string.h>

#include "base/trigonometric.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/tuned/tuned.h"

/* Prints the lengths from which, and to which, a pass of Bluestein's algorithm pads and crops lines. */
static void print_bluestein(const mfft_pass *pass, mfft_line *line) {
  const int steps = pass->kernel.bluestein.steps, load = steps & MFFT_BLUESTEIN_LOAD, store = steps & MFFT_BLUESTEIN_STORE;
  const long long n = pass->bluestein.n;
  if (pass->kernel.real_pairs) mfft_line_add(line, " in pairs");
  if ((load && store) || steps & MFFT_BLUESTEIN_RADER) mfft_line_add(line, " for a length of %lld", n);
  if (load && !store) mfft_line_add(line, " padded from %lld", n);
  if (store && !load) mfft_line_add(line, " cropped to %lld", n);
}

/* Prints how many elements of the lines of a pass exist in the input, or are stored, if these are not all. */
static void print_padding(const mfft_pass *pass, mfft_line *line) {
  static const char *const words[] = {[MFFT_PADDED_IN] = " padded from",
                                      [MFFT_CROPPED_OUT] = " cropped to",
                                      [MFFT_PADDED_BOTH] = " padded from and cropped to"};
  const mfft_kernel *k = &pass->kernel;
  const mfft_form form = k->padded == MFFT_PADDED_IN ? k->in.form : k->out.form;
  if (k->padded)
    mfft_line_add(line, "%s %u%s", words[k->padded], pass->args.given, form == MFFT_FORM_COMPLEX ? "" : " reals");
}

static void print_pass(const mfft_pass *pass, mfft_line *line) {
  const mfft_kernel *k = &pass->kernel;
  const mfft_engine *engine = mfft_engine_of(k);
  if (k->trigonometric) mfft_line_add(line, "%s by ", mfft_trigonometric_of[k->trigonometric].name);
  mfft_line_add(line, "%s%d", engine->name, k->chain.n);
  if (engine->add_packing) return; /* a packing pass merges nothing */
  mfft_line_radices(line, &k->chain);
  const char *how = k->in.staging || k->out.staging ? " staged" : k->tile.double_buffered ? " double-buffered" : "";
  mfft_line_add(line, "; %d x %d%s%s%s)", k->chain.lines, k->chain.threads, k->in.map == MFFT_MAP_LINE ? " strided" : "",
                k->twiddle.loop || k->cluster.twiddled ? " twiddled" : "", how);
  if (k->scatter.shares) mfft_line_add(line, " into %d shares", k->scatter.shares);
  if (k->in.half_width || k->out.half_width) mfft_line_add(line, " of half the width");
  print_bluestein(pass, line);
  print_padding(pass, line);
  if (k->ends) mfft_line_add(line, " with ends in the workspace");
  if (engine->print) engine->print(k, line);
}

static void print_schedule(const mfft_schedule *schedule, mfft_line *line) {
  for (int i = 0; i < schedule->count; i++) {
    if (i) mfft_line_add(line, " + ");
    print_pass(&schedule->pass[i], line);
  }
}

void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size) {
  mfft_line line = {.text = text, .size = size};
  if (size) text[0] = '\0';
  print_schedule(schedule, &line);
}

/* Bytes that a pass moves, relative to one that reads the input and writes the output: padded lines are longer, and as wide
 * as the arithmetic. */
static double widening(const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  if (!k->bluestein.steps) return 1;
  const double wide =
      (double)pass->bluestein.m / (double)pass->bluestein.n * value_bytes(k->precision) / complex_bytes(k->precision);
  return 0.5 * ((k->bluestein.steps & MFFT_BLUESTEIN_WIDE_IN ? wide : 1) +
                (k->bluestein.steps & MFFT_BLUESTEIN_WIDE_OUT ? wide : 1));
}

/* The passes, bytes and seconds of all phases together. */
typedef struct estimate {
  int passes;
  double bytes, seconds;
  double whole_bytes; /* with all zeros */
} estimate;

static estimate estimate_of(const mfft_phases *phases, const mfft_tuned_cost *cost) {
  estimate e = {0};
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    const int in_parts = mfft_in_parts(p);
    for (int k = 0; k < p->schedule.count && p->rows < 2; k++) {
      const mfft_pass *pass = &p->schedule.pass[k];
      const double whole = p->bytes * widening(pass), bytes = whole * p->share * pass->share,
                   time = bytes * cost->pass[pass->kernel.engine] / cost->copy_speed;
      e.seconds += in_parts && k > 0 ? cost->in_cache * time : time;
      e.bytes += bytes;
      e.whole_bytes += whole;
      e.passes += 1;
    }
  }
  e.seconds = fmax(e.seconds, cost->launch_seconds * (double)phases->launches);
  return e;
}

void mfft_phases_print(const mfft_phases *phases, char *text, size_t size) {
  mfft_line line = {.text = text, .size = size};
  mfft_line_add(&line, "cuda: ");
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    const int64_t parts = p->parts[0] * p->parts[1];
    if (p->rows == 2) continue; /* as the phases before it, for outputs of less alignment */
    if (i) mfft_line_add(&line, ", then ");
    if (parts > 1) mfft_line_add(&line, "%lld parts of ", (long long)parts);
    print_schedule(&p->schedule, &line);
  }
  const mfft_tuned *tuned = phases->tuned;
  const estimate e = estimate_of(phases, &tuned->cost);
  mfft_line_add(&line, "; %d pass%s, %.3g MB", e.passes, e.passes == 1 ? "" : "es", 1e-6 * e.bytes);
  if (e.bytes < e.whole_bytes) mfft_line_add(&line, " (%.3g MB with zeros)", 1e-6 * e.whole_bytes);
  mfft_line_add(&line, ", about %.3g ms on %s", 1e3 * e.seconds, tuned->device);
}
