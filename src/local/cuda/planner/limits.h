/* limits.h: the figures of a device that bound the size of blocks and the number of those that run at a time. */
#ifndef MFFT_CUDA_LIMITS_H
#define MFFT_CUDA_LIMITS_H

/* Memory is cached in lines of four sectors, which are read and written whole. */
enum { MFFT_SECTOR_BYTES = 32, MFFT_CACHE_LINE_BYTES = 128 };

typedef struct mfft_device_limits {
  int shared_bytes;             /* most shared memory of a block */
  int sm_shared_bytes;          /* shared memory of a multiprocessor */
  int threads;                  /* most threads of a block */
  int sm_threads, sm_registers; /* most threads, and 32-bit registers, of a multiprocessor */
  int arch;                     /* 80, 90, ... */
  int segment_bytes; /* bytes of adjacent lines that one access should cover: a cache line or more in memory, fewer for data
                        in the L2 cache */
  int cluster;       /* blocks of a cluster at most; 0 where the device has none */
  int sms;           /* multiprocessors */
  int part_bytes;    /* most bytes of a part of an array that stays in the L2 cache from pass to pass */
} mfft_device_limits;

extern const mfft_device_limits mfft_limits_sm90; /* used where there is no device */

/* Whether passes find their data in the L2 cache, where short segments are enough. */
static inline int mfft_in_cache(const mfft_device_limits *limits) { return limits->segment_bytes < MFFT_CACHE_LINE_BYTES; }

/* Blocks that keep all multiprocessors busy: two for each. */
static inline int mfft_busy_blocks(const mfft_device_limits *limits) { return 2 * limits->sms; }

#endif
