/* env.h: the environment variables of mergefft.  One table gives name, default and help; `mergefft info` prints it and
 * docs/environment.md repeats it (a test compares). */
#ifndef MFFT_BASE_ENV_H
#define MFFT_BASE_ENV_H

/* X(id, name, default, help) */
#define MFFT_ENV_LIST(X)                                                                                                   \
  X(BACKEND, "MFFT_BACKEND", "", "backend of plans that name none: cuda, fftw or ref")                                     \
  X(TRANSPORT, "MFFT_TRANSPORT", "", "transport of plans that name none; mergefft info lists them")                        \
  X(WATCHDOG_S, "MFFT_WATCHDOG_S", "1800",                                                                                 \
    "seconds that a rank may wait for another before the job is aborted; 0: no limit")                                     \
  X(NCCL_S, "MFFT_NCCL_S", "60", "seconds that NCCL may take to connect ranks or to pass a trial; 0: no limit")            \
  X(RUN_BYTES, "MFFT_RUN_BYTES", "0",                                                                                      \
    "least length of a contiguous run that is sent without packing; 0: 32768, in device memory 8388608")                   \
  X(CHUNK_BYTES, "MFFT_CHUNK_BYTES", "4194304",                                                                            \
    "size of a chunk of an exchange in host memory, if the plan chooses the chunks")                                       \
  X(COPY_BLOCKS, "MFFT_COPY_BLOCKS", "64",                                                                                 \
    "most thread blocks of a p2p copy on a GPU; fewer, in proportion, if part of the data goes to other nodes")            \
  X(COPY_LANES, "MFFT_COPY_LANES", "1",                                                                                    \
    "pairs of streams that the p2p copies of a plan share; 0: a pair for each transfer")                                   \
  X(OVERLAP_BYTES, "MFFT_OVERLAP_BYTES", "8589934592",                                                                     \
    "most memory that a plan on GPUs takes for more overlap: a second array for C2R, message buffers; 0: none")            \
  X(NODE_RANKS, "MFFT_NODE_RANKS", "0", "for tests: how many ranks of a host count as a node; 0: all")                     \
  X(TUNE_S, "MFFT_TUNE_S", "",                                                                                             \
    "seconds that timing candidates for one plan may take; default 5, or 60 with a patient effort")                        \
  X(CACHE_DIR, "MFFT_CACHE_DIR", "", "folder of compiled kernels; default $XDG_CACHE_HOME/mergefft or ~/.cache/mergefft")  \
  X(CACHE_BYTES, "MFFT_CACHE_BYTES", "536870912",                                                                          \
    "most disk space of compiled kernels; beyond it the least recently used are removed; 0: no limit")                     \
  X(PREBUILT_DIR, "MFFT_PREBUILT_DIR", "",                                                                                 \
    "folder of kernels that were compiled when the library was built; default mergefft/kernels beside the library")        \
  X(GRAPHS, "MFFT_GRAPHS", "1", "0: the kernels of a transform on a GPU are launched one by one, not as a CUDA graph")     \
  X(IO_THREADS, "MFFT_IO_THREADS", "0", "threads of a rank that read and write fields; 0: its share of the node's cores")  \
  X(CUFILE, "MFFT_CUFILE", "auto",                                                                                         \
    "GPUDirect Storage: auto, with nvidia-fs, where the file system has it; on, without; compat, by cuFile's copies; off") \
  X(FFTW, "MFFT_FFTW", "auto",                                                                                             \
    "programs written for FFTW-MPI: auto, CPUs or GPUs, which are expected to be faster; cpu; gpu; off: FFTW itself")      \
  X(FFTW_REPORT, "MFFT_FFTW_REPORT", "",                                                                                   \
    "file, or stderr, for a report of what the FFTW-MPI and PFFT plans of a program did and how long they took")           \
  X(FFTW_TRIAL, "MFFT_FFTW_TRIAL", "0",                                                                                    \
    "1: FFTW is timed once for each kind of plan that mergefft makes in its place, and the report compares")               \
  X(LOG, "MFFT_LOG", "1", "what goes to stderr: 0 nothing, 1 warnings, 2 plans as they are made")

typedef enum mfft_env {
#define MFFT_X(id, name, fallback, help) MFFT_ENV_##id,
  MFFT_ENV_LIST(MFFT_X)
#undef MFFT_X
      MFFT_ENV_COUNT
} mfft_env;

const char *mfft_env_name(mfft_env variable);
const char *mfft_env_default(mfft_env variable);
const char *mfft_env_help(mfft_env variable);

/* The value of the variable, or its default if it is unset or empty. mfft_env_number parses the value as a number; if it
 * is not a number from 0 to 1e18, the process warns once and uses the default. */
const char *mfft_env_string(mfft_env variable);
double mfft_env_number(mfft_env variable);

#endif
