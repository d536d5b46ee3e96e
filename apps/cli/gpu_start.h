/* gpu_start.h: starts CUDA in the background. */
#ifndef MFFT_APPS_GPU_START_H
#define MFFT_APPS_GPU_START_H

/* Starts the GPU in the background if the command line names a command that transforms, and no backend of the host: before
 * options are parsed, which needs MPI.  Errors in options are reported later. */
void mfft_gpu_start(int argc, char **argv);

#endif
