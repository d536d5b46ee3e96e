/* report.h: output of a subcommand, and how all its ranks fail together.
 *
 * Subcommands are SPMD: every rank runs the same code and rank 0 prints.  Calls that may fail on some ranks only are
 * followed by mfft_app_failed, which is collective: either all ranks continue or all stop, and the first failing rank's
 * error message is printed once.
 *
 *     if (mfft_app_failed(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &plan))) goto fail;
 */
#ifndef MFFT_APPS_REPORT_H
#define MFFT_APPS_REPORT_H

#include <stdarg.h>

#include "mfft.h"

#if defined(__GNUC__)
#define MFFT_APP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MFFT_APP_PRINTF(fmt, args)
#endif

/* The subcommand's name, printed before messages; NULL: there is none.  Set by main. */
void mfft_app_begin(const char *command);

/* Rank and number of ranks of MPI_COMM_WORLD. */
int mfft_app_rank(void);
int mfft_app_ranks(void);

/* A failure that the command itself detects: stores "thing, value, remedy" for mfft_app_failed and returns `status`. */
mfft_status mfft_app_fail(mfft_status status, const char *format, ...) MFFT_APP_PRINTF(2, 3);

/* Collective.  1 on every rank where the status is a failure on any, after rank 0 has printed the error message of the first
 * such rank (of mfft_app_fail, or else of mfft_last_error) on one line of stderr; 0 where all succeeded. */
int mfft_app_failed(mfft_status status);

/* The error message of the last failure on this rank, if it is not one of the command's; it is cleared. */
const char *mfft_app_message(void);

/* Collective.  Passes a failure of one rank to all, so that none waits for it in a transform: the rank's own status, or
 * MFFT_ERR_STATE on ranks without one, and the error message of the first. */
mfft_status mfft_app_agree(mfft_status status);

/* Rank 0 only, others do nothing: a line of results on stdout, unless mfft_app_silence was called, since stdout is then a
 * JSON document; a remark on stderr, "mergefft NAME: words". */
void mfft_app_silence(void);
void mfft_app_print(const char *format, ...) MFFT_APP_PRINTF(1, 2);
void mfft_app_note(const char *format, ...) MFFT_APP_PRINTF(1, 2);

/* As vsnprintf, and escaped (mfft_escape) but for the line breaks of the format: texts of files and of the command line
 * cannot forge lines or steer a terminal.  At most 4095 bytes.  All of the functions above format by it. */
void mfft_app_format(char *out, size_t size, const char *format, va_list args) MFFT_APP_PRINTF(3, 0);

/* mfft_alloc that never returns NULL for success and counts elements; not collective.  Free with mfft_free. */
mfft_status mfft_app_alloc(int64_t count, size_t element_bytes, const char *what, void **pointer);

/* Seconds of a monotonic clock; and the largest of a value over the ranks, collective. */
double mfft_app_time(void);
double mfft_app_slowest(double seconds);

#endif
