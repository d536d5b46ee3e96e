/* filter.c: one launch multiplies an array by a filter. */
#include "local/cuda/ops/filter.h"

#include "local/cuda/runtime/load.h"

/* The loops of the shape from the farthest to the nearest neighbours; those of one element and the batch stay outside. */
static void sort_loops(const mfft_filter_shape *shape, int order[4] /* of shape->n */) {
  for (int i = 0; i < 4; i++) order[i] = i;
  for (int i = 2; i < 4; i++)
    for (int j = i; j > 1; j--) {
      const int a = order[j - 1], b = order[j];
      if (shape->n[a] == 1 || (shape->n[b] != 1 && shape->stride[a] >= shape->stride[b])) break;
      order[j - 1] = b;
      order[j] = a;
    }
}

static int64_t table_of(const mfft_filter_shape *shape, int loop) { return loop ? shape->table[loop - 1] : -1; }

/* The pass that meets the filtered array, and the distance of its elements there; NULL where its kernel cannot multiply. */
static mfft_pass *meeting_pass(const mfft_fft_spec *spec, mfft_schedule *schedule, int64_t *stride) {
  if (!schedule->count) return NULL;
  const int input = spec->filtered == MFFT_FILTER_INPUT;
  mfft_pass *pass = &schedule->pass[input ? 0 : schedule->count - 1];
  const mfft_form form = input ? pass->kernel.load : pass->kernel.store;
  const int there = input ? pass->src == MFFT_AT_IN : pass->dst == MFFT_AT_OUT;
  const int complex = form == MFFT_FORM_COMPLEX || form == MFFT_FORM_HALF_EVEN;
  *stride = input ? pass->args.in_stride : pass->args.out_stride;
  return there && complex && pass->kernel.engine == MFFT_ENGINE_BUTTERFLY ? pass : NULL;
}

int mfft_cuda_fuse_filter(const mfft_fft_spec *spec, mfft_schedule *schedule) {
  const mfft_filter_shape *shape = &spec->filter;
  int64_t step;
  mfft_pass *pass = meeting_pass(spec, schedule, &step);
  if (!pass) return 0;
  mfft_pass_filter *filter = &pass->args.filter;
  int order[4];
  int64_t reach = 1;
  sort_loops(shape, order);
  filter->axis = -1;
  for (int d = 0; d < 4; d++) {
    const int loop = order[d], one = shape->n[loop] == 1;
    /* A loop of one element is nowhere but at its first, whatever its distance. */
    filter->stride[d] = one ? UINT32_MAX : (unsigned long long)shape->stride[loop];
    filter->table[d] = table_of(shape, loop);
    reach += (shape->n[loop] - 1) * shape->stride[loop];
    /* The pass runs along the farthest loop whose step it is a multiple of: loops are nested. */
    if (!one && loop && filter->axis < 0 && shape->stride[loop] <= step) filter->axis = d;
  }
  if (filter->axis < 0) return 0;
  filter->step = (unsigned)(step / shape->stride[order[filter->axis]]);
  filter->narrow = reach < UINT32_MAX;
  for (int d = 0; d < 4 && !filter->narrow; d++)
    if (shape->n[order[d]] == 1) filter->stride[d] = INT64_MAX;
  pass->kernel.filter = spec->filtered;
  pass->kernel.filter_unit = filter->step == 1;
  return 1;
}

unsigned mfft_cuda_filter_args(const mfft_filter_shape *shape, const void *tables, const void *in, void *out,
                               mfft_filter_args *args) {
  int order[4];
  sort_loops(shape, order);
  *args = (mfft_filter_args){.in = in, .tables = tables, .out = out};
  for (int i = 0; i < 4; i++) {
    args->n[i] = (unsigned long long)shape->n[order[i]];
    args->stride[i] = shape->stride[order[i]];
    args->table[i] = table_of(shape, order[i]);
  }
  while (args->shift < 8 && 1ull << args->shift < args->n[3]) args->shift++;
  const unsigned long long rows = args->n[0] * args->n[1] * args->n[2], height = MFFT_FILTER_THREADS >> args->shift;
  const unsigned long long blocks = args->n[3] ? (rows + height - 1) / height : 0, most = 1 << 20;
  return (unsigned)(blocks < most ? blocks : most);
}

mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  const mfft_kernel kernel = mfft_plain_kernel(MFFT_ENGINE_FILTER, precision);
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(&here, &kernel, 0, &function));
  mfft_filter_args args;
  const unsigned blocks = mfft_cuda_filter_args(shape, tables, in, out, &args);
  if (!blocks) return MFFT_SUCCESS;
  return mfft_launch(here.driver, function, 0, blocks, 1, MFFT_FILTER_THREADS, 0, &args, stream, "launching a filter");
}
