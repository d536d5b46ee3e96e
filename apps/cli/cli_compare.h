/* cli_compare.h: whether all ranks were started with the same command, options and environment. */
#ifndef MFFT_APPS_CLI_COMPARE_H
#define MFFT_APPS_CLI_COMPARE_H

#include "cli/cli.h"
#include "mfft.h"

/* Compares, over MPI_COMM_WORLD, the version of mergefft, what the command line asks for (a subcommand, "help", or in words
 * what is wrong with it), each parsed value of the subcommand (texts by content), its operands, and the environment
 * variables of the library but those that a rank may have for itself.  `command` NULL: none is to be run.  MFFT_ERR_MISMATCH
 * on every rank where one differs, with the library's message: "--amplitude differs between ranks: 2 on rank 1, 1 on ranks
 * 0, 3".  Collective; to be called before anything else that is, since ranks with different options make different calls. */
mfft_status mfft_cli_compare(const char *asked, const mfft_command *command, const void *values);

#endif
