/* progress.h: one line that tells what long work is at, on a terminal only.
 *
 * Nothing is written where there is no terminal, so batch logs stay quiet.  Ranks under mpirun do not see its terminal as
 * their stderr; they write to the terminal that controls the job, as long as mpirun runs in its foreground. */
#ifndef MFFT_APPS_PROGRESS_H
#define MFFT_APPS_PROGRESS_H

#include <stdint.h>

/* 1: show progress on stderr as plain lines, terminal or not (an option such as --progress).  0, the start: terminals only.
 */
void mfft_progress_force(int force);

/* Begins a piece of work, replacing the one before: "solving", of `total` steps (0: unknown, show the words alone). */
void mfft_progress_start(const char *what, int64_t total);

/* `done` steps of the total are done.  Cheap: it writes at most five times a second. */
void mfft_progress_step(int64_t done);

/* Wipes the line, before other output or for good. */
void mfft_progress_clear(void);
void mfft_progress_end(void);

#endif
