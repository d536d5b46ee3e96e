/* commands.h: the subcommands, in the order of `mergefft --help`.  Each is a `const mfft_command mfft_command_NAME` in
 * apps/NAME.c. */
#ifndef MFFT_APPS_COMMANDS_H
#define MFFT_APPS_COMMANDS_H

#include "cli/cli.h"

/* X(name); those that read or write fields need HDF5. */
#define MFFT_FIELD_COMMANDS(X) X(gen) X(ic) X(nbody) X(density) X(force) X(poisson) X(power) X(show)
#ifdef MFFT_HAVE_HDF5
#define MFFT_COMMANDS(X) MFFT_FIELD_COMMANDS(X) X(bench) X(scaling) X(run_fftw) X(trace) X(info)
#else
#define MFFT_COMMANDS(X) X(bench) X(scaling) X(run_fftw) X(trace) X(info)
#endif

#define MFFT_X(name) extern const mfft_command mfft_command_##name;
MFFT_COMMANDS(MFFT_X)
#undef MFFT_X

#endif
