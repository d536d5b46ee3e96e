/* signal_args.h: the argument of the kernel that raises flags of other processes and waits for its own. */
#ifndef MFFT_KERNEL_SIGNAL_ARGS_H
#define MFFT_KERNEL_SIGNAL_ARGS_H

/* An alarm in host memory, written by a kernel that has waited too long. */
typedef struct mfft_alarm {
  int level; /* 0: none; 1: longer than the notice; 2: longer than the limit */
  int peer;
  const char *what; /* copied from the arguments; a host pointer */
} mfft_alarm;

enum { MFFT_SIGNAL_FLAGS = 128 };

/* One use of an mfft_signal (local/device.h); a launch has at most MFFT_SIGNAL_FLAGS of its flags. */
typedef struct mfft_signal_args {
  unsigned long long *counter;                 /* uses of the signal so far, in the memory of this device */
  unsigned long long *flag[MFFT_SIGNAL_FLAGS]; /* [count] flags to raise, or to wait for */
  int peer[MFFT_SIGNAL_FLAGS];                 /* [count] rank of the peer of each flag */
  int count, last;                             /* last: 1: the last launch of this use, which increments the counter */
  unsigned long long limit_ns;                 /* longest wait before the job ends; 0: no limit */
  mfft_alarm *alarm;
  const unsigned long long *failed; /* failure flag in host memory; NULL: none */
  const char *what;                 /* what is waited for, for the alarm; a host pointer */
} mfft_signal_args;

#endif
