/* node_transforms_absent.c: a library without MPI has no plans on several GPUs (node_transforms.h). */
#include "prebuild/node_transforms.h"

mfft_status mfft_node_transforms_begin(void) { return MFFT_SUCCESS; }

void mfft_node_transforms_end(void) {}

mfft_status mfft_node_transforms(const mfft_desc *desc, const mfft_options *options, int ranks,
                                 void (*made)(const mfft_fft_spec *spec)) {
  (void)desc, (void)options, (void)ranks, (void)made;
  return MFFT_SUCCESS;
}
