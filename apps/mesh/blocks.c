/* blocks.c: see blocks.h. */
#include "mesh/blocks.h"

#include <string.h>

const mfft_cli_option mfft_blocks_options_table[] = {
    {"blocks", 0, MFFT_CLI_INT, 0, "N",
     .help = "several ranks, --gradient mesh: exchange a transform in so many parts, which needs memory for two of them and "
             "not for a second mesh; 0: at once; default: 8 on CPUs, 0 on GPUs",
     .max = 4096},
    {0}};

int mfft_blocks_choose(int64_t given, int on_mesh, const char *backend) {
  enum { BLOCKS = 8 };
  if (!on_mesh) return 0;
  if (given >= 0) return (int)given;
  return strcmp(backend, "cuda") != 0 ? BLOCKS : 0;
}
