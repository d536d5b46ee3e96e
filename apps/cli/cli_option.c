/* cli_option.c: see cli_option.h. */
#include "cli/cli_option.h"

const mfft_cli_option *mfft_cli_option_at(const mfft_command *command, int i, size_t *base) {
  for (const mfft_cli_option *option = command->options; option->name; option++) {
    const mfft_cli_option *row = option->type == MFFT_CLI_TABLE ? option->table : option;
    if (base) *base = option->type == MFFT_CLI_TABLE ? option->offset : 0;
    for (; row->name; row++) {
      if (i-- == 0) return row;
      if (row == option) break;
    }
  }
  return NULL;
}
