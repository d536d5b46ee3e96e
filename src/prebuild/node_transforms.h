/* node_transforms.h: the local transforms of a plan on several GPUs of one node, found without them. */
#ifndef MFFT_PREBUILD_NODE_TRANSFORMS_H
#define MFFT_PREBUILD_NODE_TRANSFORMS_H

#include "local/backend.h"

/* Calls `made` with each transform of the first and of the last of `ranks` ranks, one GPU each, in both directions of the
 * plan of desc and options.  Ranks between these have boxes of the same lengths as the first.  Errors as mfft_predict.
 * Between begin, which starts MPI with this process alone (MFFT_ERR_MPI), and end.  A library without MPI has no such plans:
 * nothing is called (node_transforms_absent.c). */
mfft_status mfft_node_transforms_begin(void);
mfft_status mfft_node_transforms(const mfft_desc *desc, const mfft_options *options, int ranks,
                                 void (*made)(const mfft_fft_spec *spec));
void mfft_node_transforms_end(void);

#endif
