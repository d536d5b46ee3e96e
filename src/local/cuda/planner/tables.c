/* tables.c: see tables.h. */
#include "local/cuda/planner/tables.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/chirp.h"
#include "local/cuda/planner/trigonometric.h"

mfft_status mfft_tables_make(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  memset(table, 0, MFFT_TABLES * sizeof *table);
  MFFT_TRY(mfft_engine_of(&pass->kernel)->tables(pass, table));
  if (pass->kernel.trigonometric) MFFT_TRY(mfft_trigonometric_table(&pass->kernel, &table[MFFT_TABLE_TRIGONOMETRIC]));
  return pass->kernel.bluestein.steps ? mfft_table_bluestein(pass, table) : MFFT_SUCCESS;
}

void mfft_tables_free(mfft_table table[MFFT_TABLES]) {
  for (int i = 0; i < MFFT_TABLES; i++) free(table[i].data);
  memset(table, 0, MFFT_TABLES * sizeof *table);
}

/* [MFFT_TABLES] where the arguments of a pass have the address of each table. */
static const size_t address_offset[MFFT_TABLES] = {
    [MFFT_TABLE_MERGES] = offsetof(mfft_pass_args, merge_table),
    [MFFT_TABLE_SECOND] = offsetof(mfft_pass_args, second_table),
    [MFFT_TABLE_MATRICES] = offsetof(mfft_pass_args, matrices),
    [MFFT_TABLE_OUTER_FINE] = offsetof(mfft_pass_args, outer_fine),
    [MFFT_TABLE_OUTER_COARSE] = offsetof(mfft_pass_args, outer_coarse),
    [MFFT_TABLE_REAL] = offsetof(mfft_pass_args, real_table),
    [MFFT_TABLE_TRIGONOMETRIC] = offsetof(mfft_pass_args, trigonometric_table),
    [MFFT_TABLE_CHIRP] = offsetof(mfft_pass_args, bluestein.chirp),
    [MFFT_TABLE_SPECTRUM] = offsetof(mfft_pass_args, bluestein.spectrum),
    [MFFT_TABLE_ORDER] = offsetof(mfft_pass_args, bluestein.order),
};

void mfft_tables_place(mfft_pass *pass, const void *const address[MFFT_TABLES]) {
  for (int i = 0; i < MFFT_TABLES; i++) memcpy((char *)&pass->args + address_offset[i], &address[i], sizeof address[i]);
}

void mfft_tables_share(const mfft_pass *owner, mfft_pass *pass) {
  const void *address[MFFT_TABLES];
  for (int i = 0; i < MFFT_TABLES; i++)
    memcpy(&address[i], (const char *)&owner->args + address_offset[i], sizeof address[i]);
  mfft_tables_place(pass, address);
  pass->args.outer_shift = owner->args.outer_shift;
  pass->args.merge_angle = owner->args.merge_angle;
}
