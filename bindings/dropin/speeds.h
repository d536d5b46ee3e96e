/* speeds.h: measures the speeds by which a process chooses between CPUs and GPUs. */
#ifndef MFFT_DROPIN_SPEEDS_H
#define MFFT_DROPIN_SPEEDS_H

/* Speeds of the GPU of this process and of one of its cores.  Ranks measure at the same time, so that ranks which share a
 * link or a GPU find their part of its speed. */
typedef struct mfft_dropin_speeds {
  double link_bytes_per_s; /* copies of page-locked memory up and down, one after the other */
  double gpu_bytes_per_s;  /* memory of the GPU, read and written */
  double call_s;           /* seconds of one small upload, copy and download: the time of calls and of waiting for them */
  double cpu_flops;        /* of one thread in double precision, in a transform of 64^3 */
} mfft_dropin_speeds;

/* Measures at the first call.  NULL if a measurement fails.  There is a GPU. */
const mfft_dropin_speeds *mfft_dropin_measure_speeds(void);

#endif
