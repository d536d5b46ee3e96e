/* trigonometric.c: see trigonometric.h. */
#include "local/cuda/trigonometric.h"

#include <stdlib.h>
#include <string.h>

#include "base/trigonometric.h"
#include "local/cuda/kernels/args/trigonometric_args.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/line.h"
#include "local/cuda/planner/trigonometric_steps.h"

/* The transforms, kernels and tables of an axis of cosines or sines. */
typedef struct loaded {
  mfft_fft *dft[2];             /* DFT of a piece, and of a shorter last one */
  CUfunction around[2];         /* kernels before and after the DFT */
  mfft_trigonometric_args args; /* arguments of both; a launch sets arrays, first, lines and count */
  void *fine, *coarse;          /* tables of roots of unity in device memory */
} loaded;

typedef struct trigonometric_fft {
  mfft_fft base;
  const mfft_cuda_driver *driver;
  mfft_trigonometric_steps steps;
  mfft_fft *dfts;      /* transform of the other axes; NULL: none */
  loaded loaded[3];    /* [steps.axes] */
  size_t number_bytes; /* bytes of a real number of the arrays */
} trigonometric_fft;

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

static mfft_status upload(const mfft_table *table, void **device) {
  if (!table->bytes) return MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_alloc(table->bytes, device));
  return mfft_cuda_upload(*device, table->data, table->bytes);
}

static mfft_status load_roots(mfft_precision precision, const mfft_trigonometric_dft *dft, loaded *l) {
  mfft_status status = MFFT_SUCCESS;
  mfft_table fine = {0}, coarse = {0};
  MFFT_GOTO(done, mfft_trigonometric_roots(precision, dft, &fine, &coarse, &l->args.root_shift));
  MFFT_GOTO(done, upload(&fine, &l->fine));
  MFFT_GOTO(done, upload(&coarse, &l->coarse));
  l->args.fine = l->fine;
  l->args.coarse = l->coarse;
done:
  free(fine.data);
  free(coarse.data);
  return status;
}

static mfft_status load_axis(const mfft_cuda_current *current, mfft_precision precision, const mfft_trigonometric_axis *x,
                             loaded *l) {
  if (x->fused) return MFFT_SUCCESS;
  for (int stores = 0; stores < 2; stores++) {
    const mfft_service_kernel kernel = {.service = MFFT_SERVICE_TRIGONOMETRIC,
                                        .precision = precision,
                                        .kind = x->kind,
                                        .dft_type = x->dft.type,
                                        .stores = stores};
    MFFT_TRY(mfft_service_load(current, &kernel, &l->around[stores]));
  }
  mfft_trigonometric_args *args = &l->args;
  args->n = x->dim.n;
  args->element = x->by_line ? x->piece : 1;
  args->by_line = x->by_line;
  args->loops = x->loops;
  const int64_t inner = x->by_line ? x->piece : x->dft.in;
  while (args->shift < 8 && (int64_t)1 << args->shift < inner) args->shift++;
  if (x->by_line && args->shift > 5) args->shift = 5; /* the 32 threads of a warp access adjacent lines */
  for (int i = 0; i < x->loops; i++) args->n_loop[i] = (unsigned long long)x->loop[i].n;
  return load_roots(precision, &x->dft, l);
}

static void destroy(mfft_fft *fft) {
  trigonometric_fft *f = (trigonometric_fft *)fft;
  if (!f) return;
  if (f->dfts) f->dfts->backend->fft_destroy(f->dfts);
  for (int i = 0; i < f->steps.axes; i++) {
    loaded *l = &f->loaded[i];
    for (int d = 0; d < 2; d++)
      if (l->dft[d]) l->dft[d]->backend->fft_destroy(l->dft[d]);
    if (l->fine) mfft_cuda_free(l->fine);
    if (l->coarse) mfft_cuda_free(l->coarse);
  }
  free(f);
}

static void want_work(trigonometric_fft *f, size_t bytes) {
  if (bytes > f->base.work_bytes) f->base.work_bytes = bytes;
}

/* Creates the DFTs of all steps, and finds the size of the workspace. */
static mfft_status make_dfts(trigonometric_fft *f, const mfft_backend *dfts) {
  if (f->steps.has_dfts) {
    MFFT_TRY(dfts->fft_create(&f->steps.dfts, &f->dfts));
    want_work(f, f->dfts->work_bytes);
  }
  for (int i = 0; i < f->steps.axes; i++) {
    const mfft_trigonometric_axis *x = &f->steps.axis[i];
    for (int d = 0; d < 2; d++) {
      mfft_fft **dft = &f->loaded[i].dft[d];
      if (x->fused ? d : !x->spec[d].loop[0].n) continue;
      MFFT_TRY(dfts->fft_create(&x->spec[d], dft));
      want_work(f, x->area_bytes[0] + x->area_bytes[1] + (*dft)->work_bytes);
    }
  }
  return MFFT_SUCCESS;
}

static const mfft_backend table;

mfft_status mfft_cuda_trigonometric_create(const mfft_fft_spec *spec, const mfft_device_limits *limits,
                                           const mfft_backend *dfts, int runs, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  trigonometric_fft *f = calloc(1, sizeof *f);
  if (!f) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a transform (%zu bytes)", sizeof *f);
  f->base.backend = &table;
  f->number_bytes = mfft_real_bytes(spec->precision);
  MFFT_GOTO(fail, mfft_trigonometric_plan(spec, limits, &f->steps));
  MFFT_GOTO(fail, make_dfts(f, dfts));
  if (runs) {
    mfft_cuda_current current;
    MFFT_GOTO(fail, mfft_cuda_find_current(&current));
    f->driver = current.driver;
    for (int i = 0; i < f->steps.axes; i++)
      MFFT_GOTO(fail, load_axis(&current, spec->precision, &f->steps.axis[i], &f->loaded[i]));
  }
  *fft = &f->base;
  return MFFT_SUCCESS;
fail:
  destroy(&f->base);
  return status;
}

/* ---- Running --------------------------------------------------------------------------------------------------------- */

/* Launches the kernel before (stores 0) or after (1) the DFT of some lines. */
static mfft_status run_around(const trigonometric_fft *f, int axis, int stores, int64_t first, int64_t lines, const void *in,
                              void *out, void *stream) {
  const mfft_trigonometric_axis *x = &f->steps.axis[axis];
  const loaded *l = &f->loaded[axis];
  mfft_trigonometric_args args = l->args;
  args.in = in;
  args.out = out;
  args.first = first;
  args.lines = lines;
  args.stride = stores ? x->dim.os : x->dim.is;
  for (int i = 0; i < x->loops; i++) args.stride_loop[i] = stores ? x->loop[i].os : x->loop[i].is;
  args.count = stores ? x->dft.out : x->dft.in;
  args.line = x->by_line ? 1 : args.count;
  const int64_t width = (int64_t)1 << args.shift, height = MFFT_TRIGONOMETRIC_THREADS / width;
  const int64_t of_lines = x->by_line ? width : height, of_elements = x->by_line ? height : width;
  const int64_t blocks = (lines + of_lines - 1) / of_lines, most = 1 << 13; /* a thread loops over the rest */
  int64_t along = (args.count + 4 * of_elements - 1) / (4 * of_elements);
  if (along > most) along = most;
  return mfft_launch(f->driver, l->around[stores], 0, (unsigned)blocks, (unsigned)along, MFFT_TRIGONOMETRIC_THREADS, 0,
                     &args, stream, "launching the kernel before or after a DFT of cosines or sines");
}

static mfft_status run_axis(const trigonometric_fft *f, int axis, const void *in, void *out, void *work, void *stream) {
  const mfft_trigonometric_axis *x = &f->steps.axis[axis];
  const mfft_fft *whole = f->loaded[axis].dft[0];
  if (x->fused) return whole->backend->fft_execute(whole, in, out, work, stream);
  char *before = work, *behind = x->area_bytes[1] ? before + x->area_bytes[0] : before;
  void *scratch = before + x->area_bytes[0] + x->area_bytes[1];
  for (int64_t first = 0; first < x->lines; first += x->piece) {
    const int last = x->lines - first < x->piece;
    const int64_t lines = last ? x->lines - first : x->piece;
    const mfft_fft *dft = f->loaded[axis].dft[last];
    MFFT_TRY(run_around(f, axis, 0, first, lines, in, before, stream));
    MFFT_TRY(dft->backend->fft_execute(dft, before, behind, scratch, stream));
    MFFT_TRY(run_around(f, axis, 1, first, lines, behind, out, stream));
  }
  return MFFT_SUCCESS;
}

static mfft_status execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  const trigonometric_fft *f = (const trigonometric_fft *)fft;
  if (!f->driver) return mfft_fail(MFFT_ERR_STATE, "cuda: the plan is only an outline");
  if (f->dfts) MFFT_TRY(f->dfts->backend->fft_execute(f->dfts, in, out, work, stream));
  const mfft_trigonometric_steps *steps = &f->steps;
  for (int64_t p = 0; p < steps->parts; p++)
    for (int i = 0; i < steps->grouped; i++) {
      char *there = (char *)out + p * steps->out_step_bytes;
      const void *from = f->dfts || i ? there : (const char *)in + p * steps->in_step_bytes;
      MFFT_TRY(run_axis(f, i, from, there, work, stream));
    }
  for (int i = steps->grouped; i < steps->axes; i++) MFFT_TRY(run_axis(f, i, f->dfts || i ? out : in, out, work, stream));
  return MFFT_SUCCESS;
}

/* ---- Text ------------------------------------------------------------------------------------------------------------ */

/* Prints the passes of a DFT without the name of the backend, which the line of the whole transform begins with. */
static void print_dft(const mfft_fft *dft, mfft_line *line) {
  static const char name[] = "cuda: ";
  char text[512] = "";
  dft->backend->fft_print(dft, text, sizeof text);
  mfft_line_add(line, "%s", text + (strncmp(text, name, strlen(name)) ? 0 : strlen(name)));
}

static void print_axis(const trigonometric_fft *f, int axis, mfft_line *line) {
  const mfft_trigonometric_axis *x = &f->steps.axis[axis];
  const mfft_fft *dft = f->loaded[axis].dft[0];
  if (x->fused) {
    print_dft(dft, line);
    return;
  }
  mfft_line_add(line, "%s of %lld", mfft_trigonometric_of[x->kind].name, (long long)x->dim.n);
  if (!dft) return; /* there are no lines */
  const int64_t pieces = (x->lines + x->piece - 1) / x->piece;
  mfft_line_add(line, ", %lld piece%s of %lld lines: in, ", (long long)pieces, pieces == 1 ? "" : "s", (long long)x->piece);
  print_dft(dft, line);
  mfft_line_add(line, ", out");
}

static void print(const mfft_fft *fft, char *text, size_t size) {
  const trigonometric_fft *f = (const trigonometric_fft *)fft;
  mfft_line line = {.text = text, .size = size};
  if (size) text[0] = '\0';
  mfft_line_add(&line, "cuda: ");
  if (f->dfts) print_dft(f->dfts, &line);
  for (int i = 0; i < f->steps.axes; i++) {
    if (i || f->dfts) mfft_line_add(&line, ", then ");
    if (!i && f->steps.grouped) mfft_line_add(&line, "%lld parts of ", (long long)f->steps.parts);
    print_axis(f, i, &line);
  }
}

/* The table through which a plan runs, prints and destroys such a transform. */
static const mfft_backend table = {.name = "cuda", .fft_execute = execute, .fft_print = print, .fft_destroy = destroy};
