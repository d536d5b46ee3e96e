/* machine.h: the numbers of a machine as a text, for predictions (mfft_predict.h, docs/scaling.md).
 *
 *     mergefft machine 1
 *     title             NVIDIA DGX H200: eight H200 of 141 GB, NVLink 4, a 400 Gbit/s port a GPU
 *     memory            device
 *     memory_bandwidth  4179e9        # measured: docs/lab/one-gpu.md, copies
 *     passes strided    1024 1.06     # measured: ...
 *
 * A line is a key, its value, and after # where the number is from: a measurement or a data sheet, without which a number is
 * refused.  Lines that begin with # are remarks.  A text comes from a file, or is one of those that are built in. */
#ifndef MFFT_APPS_MACHINE_H
#define MFFT_APPS_MACHINE_H

#include <stdio.h>

#include "mfft_predict.h"

enum { MFFT_MACHINE_TITLE = 128 };

typedef struct mfft_machine_text {
  char title[MFFT_MACHINE_TITLE];
  mfft_machine machine;
} mfft_machine_text;

/* The machine of a name: built in, or else a file.  Not collective.  A failure, which names file and line, is stored with
 * mfft_app_fail. */
mfft_status mfft_machine_load(const char *name, mfft_machine_text *machine);

/* The same from a text; `name` is for messages.  The text is changed. */
mfft_status mfft_machine_parse(const char *name, char *text, mfft_machine_text *machine);

/* Writes the numbers that are not 0, all with the same source. */
void mfft_machine_write(FILE *out, const mfft_machine_text *machine, const char *source);

/* The machines that are built in, ended by a NULL name.  (machines.c, which CMake makes of apps/info/machines/NAME.txt) */
typedef struct mfft_machine_built_in {
  const char *name, *text;
} mfft_machine_built_in;
extern const mfft_machine_built_in mfft_machines[];

#endif
