/* process.h: when this process and its launcher started, on one clock.
 *
 * The kernel has both (/proc/PID/stat), to 1/100 s.  If it does not report them, a process counts as started at its first
 * call. */
#ifndef MFFT_APPS_PROCESS_H
#define MFFT_APPS_PROCESS_H

/* Seconds of a monotonic clock, which needs no MPI. */
double mfft_process_now(void);

/* Processor seconds of the calling thread so far. */
double mfft_process_thread_s(void);

/* When this process started, on that clock; never later than the first call. */
double mfft_process_started(void);

/* The number of seconds before this process at which its launcher started, if the parent process is one (mpirun, mpiexec,
 * srun and the like); NAN otherwise, such as for the daemon of a launcher on another node. */
double mfft_process_launcher_s(void);

#endif
