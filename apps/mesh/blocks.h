/* blocks.h: the option --blocks of commands that compute forces with the gradient on the mesh. */
#ifndef MFFT_APPS_MESH_BLOCKS_H
#define MFFT_APPS_MESH_BLOCKS_H

#include "cli/cli.h"

/* The option --blocks, whose value is an int64_t. */
extern const mfft_cli_option mfft_blocks_options_table[];

/* The parts into which several ranks divide a transform in place (mfft_particle_mesh_desc.blocks), as given or by default;
 * 0: the plan transforms.  on_mesh: 1 for MFFT_GREEN_GRADIENT_MESH; others have no blocks. */
int mfft_blocks_choose(int64_t given, int on_mesh, const char *backend);

#endif
