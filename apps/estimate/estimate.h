/* estimate.h: the memory, disk space and time of a command, estimated before it begins (--dry-run).
 *
 * A command fills in what it will read, write and hold, and the expected time of its work from that of a small job; this
 * file has the measurement of small files and the printed lines.  All is collective, and rank 0 prints. */
#ifndef MFFT_APPS_ESTIMATE_H
#define MFFT_APPS_ESTIMATE_H

#include "cli/plan_options.h"
#include "mfft_field.h"

/* The option --dry-run; its value is an int. */
extern const mfft_cli_option mfft_estimate_options_table[];

typedef struct mfft_estimate {
  const char *input;                  /* a file that is read; NULL: nothing is */
  const char *output;                 /* a file in the folder that is written to; NULL: no large file is */
  double read_bytes, write_bytes;     /* of all ranks */
  double host_bytes, device_bytes;    /* of this rank */
  double particle_bytes, ghost_bytes; /* of the host: particles and what sorts and moves them; ghost cells */
  double read_s, work_s, write_s;
} mfft_estimate;

/* The field that a job reads from the file `input`, and the precision in which it writes fields of that shape. */
typedef struct mfft_estimate_field {
  const mfft_field_info *info;
  mfft_precision stored;
} mfft_estimate_field;

/* "2 ranks, grid 2x1, backend fftw, transport p2p, single precision". */
void mfft_estimate_print_plan(mfft_plan plan, const char *backend, const char *precision);

/* Lines of the memory of the rank that needs most, of its parts where there are particles, and of the space on disk that is
 * needed and there. */
void mfft_estimate_print_needs(const mfft_estimate *estimate);

/* read_s and write_s by plain reads and writes of at most 64 MiB. */
mfft_status mfft_estimate_time_files(mfft_estimate *estimate);

/* read_s and write_s of a job of fields by reading some planes of its input, and writing as many to a file that is removed
 * again, as the job does: with checksums, verification and pages of memory that are touched for the first time. */
mfft_status mfft_estimate_time_field(mfft_estimate *estimate, const mfft_estimate_field *field);

/* "expected time: read 1 s, WORK 2 s, write 3 s". */
void mfft_estimate_print_times(const mfft_estimate *estimate, const char *work);

/* All three, for a command whose work_s is known. */
mfft_status mfft_estimate_print(mfft_estimate *estimate, const char *work);

#endif
