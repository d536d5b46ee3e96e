/* cli_compare.h: whether all ranks were started with the same command, options and environment. */
#ifndef MFFT_APPS_CLI_COMPARE_H
#define MFFT_APPS_CLI_COMPARE_H

#include "cli/cli.h"
#include "mfft.h"

/* Compares, over MPI_COMM_WORLD, the version of mergefft, the request of the command line (a subcommand, "help", or its
 * error in words), each parsed value of the subcommand (texts by content), its operands, and the environment variables of
 * the library except those that may differ between ranks.  `command` NULL: none is to be run.  MFFT_ERR_MISMATCH on every
 * rank if one differs, with the library's message: "--amplitude differs between ranks: 2 on rank 1, 1 on ranks 0, 3".
 * Collective; to be called before any other collective call, since ranks with different options make different calls. */
mfft_status mfft_cli_compare(const char *asked, const mfft_command *command, const void *values);

#endif
