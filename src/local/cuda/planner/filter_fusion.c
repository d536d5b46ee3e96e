/* filter_fusion.c: see filter_fusion.h. */
#include "local/cuda/planner/filter_fusion.h"

#include "local/cuda/engines/table.h"

void mfft_filter_sort_loops(const mfft_filter_shape *shape, int batch_outside, int order[4]) {
  const int first = batch_outside ? 1 : 0; /* of the loops that are sorted; the batch is loop 0 */
  for (int i = 0; i < 4; i++) order[i] = i;
  for (int i = first + 1; i < 4; i++)
    for (int j = i; j > first; j--) {
      const int a = order[j - 1], b = order[j];
      if (shape->n[a] == 1 || (shape->n[b] != 1 && shape->stride[a] >= shape->stride[b])) break;
      order[j - 1] = b;
      order[j] = a;
    }
}

int64_t mfft_filter_table_of(const mfft_filter_shape *shape, int loop) { return loop ? shape->table[loop - 1] : -1; }

/* The pass that loads or stores the filtered array, and the distance of the elements of its lines there; NULL if its kernel
 * cannot multiply by a filter. */
static mfft_pass *meeting_pass(const mfft_fft_spec *spec, mfft_schedule *schedule, int64_t *stride) {
  if (!schedule->count) return NULL;
  const int input = spec->filtered != MFFT_FILTER_OUTPUT;
  mfft_pass *pass = &schedule->pass[input ? 0 : schedule->count - 1];
  const mfft_form form = input ? pass->kernel.in.form : pass->kernel.out.form;
  const int there = input ? pass->src == MFFT_AT_IN : pass->dst == MFFT_AT_OUT;
  const int complex = form == MFFT_FORM_COMPLEX || (form == MFFT_FORM_HALF_EVEN && !pass->kernel.bluestein.steps);
  *stride = input ? pass->args.in_stride : pass->args.out_stride;
  return there && complex && mfft_engine_of(&pass->kernel)->filters ? pass : NULL;
}

int mfft_filter_fuse(const mfft_fft_spec *spec, mfft_schedule *schedule) {
  const mfft_filter_shape *shape = &spec->filter;
  int64_t step;
  mfft_pass *pass = meeting_pass(spec, schedule, &step);
  if (!pass) return 0;
  mfft_pass_filter *filter = &pass->args.filter;
  int order[4]; /* [loop] */
  int64_t reach = 1;
  mfft_filter_sort_loops(shape, 0, order); /* an index is found by division from the farthest loop on, the batch or not */
  filter->axis = -1;
  for (int d = 0; d < 4; d++) {
    const int loop = order[d], one = shape->n[loop] == 1;
    /* A loop of one element is nowhere but at its first, whatever its distance. */
    filter->stride[d] = one ? UINT32_MAX : (unsigned long long)shape->stride[loop];
    filter->table[d] = mfft_filter_table_of(shape, loop);
    reach += (shape->n[loop] - 1) * shape->stride[loop];
    /* The pass runs along the farthest loop whose step it is a multiple of: loops are nested. */
    if (!one && loop && filter->axis < 0 && shape->stride[loop] <= step) filter->axis = d;
  }
  if (filter->axis < 0) return 0;
  filter->step = (unsigned)(step / shape->stride[order[filter->axis]]);
  filter->narrow = reach < UINT32_MAX;
  for (int d = 0; d < 4 && !filter->narrow; d++)
    if (shape->n[order[d]] == 1) filter->stride[d] = INT64_MAX;
  pass->kernel.filter.side = spec->filtered;
  pass->kernel.filter.unit = filter->step == 1;
  return 1;
}
