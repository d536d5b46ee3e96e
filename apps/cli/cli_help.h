/* cli_help.h: the pages of --help, and --version. */
#ifndef MFFT_APPS_CLI_HELP_H
#define MFFT_APPS_CLI_HELP_H

#include "cli/cli_option.h"

/* Prints the page of a command, or the list of commands, to stdout. */
void mfft_cli_help(const mfft_command *command);
void mfft_cli_overview(const mfft_command *const *commands, int count);
void mfft_cli_version(void);

#endif
