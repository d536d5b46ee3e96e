/* progress.h: one line with the progress of long work, on a terminal only.
 *
 * Nothing is written without a terminal, so that batch logs have no such lines.  Ranks under mpirun do not have its terminal
 * as their stderr; they write to the terminal that controls the job, as long as mpirun runs in its foreground. */
#ifndef MFFT_APPS_PROGRESS_H
#define MFFT_APPS_PROGRESS_H

#include <stdint.h>

/* 1: show progress on stderr as plain lines, terminal or not (an option such as --progress).  0, the start: terminals only.
 */
void mfft_progress_force(int force);

/* Begins a piece of work, replacing the one before: "solving", of `total` steps (0: unknown, only the words are shown). */
void mfft_progress_start(const char *what, int64_t total);

/* The same, of steps that move so many bytes in all, which are shown with the share of them that is done. */
void mfft_progress_start_bytes(const char *what, int64_t total, double bytes);

/* Gives the work that has begun with an unknown number of steps its number, and returns 1; 0 if the number is known, or no
 * work has begun: then the caller reports no steps. */
int mfft_progress_count(int64_t total);

/* `done` steps of the total are done.  Cheap: it writes at most five times a second. */
void mfft_progress_step(int64_t done);

/* Erases the line, before other output or at the end. */
void mfft_progress_clear(void);
void mfft_progress_end(void);

#endif
