/* tables.c: see tables.h. */
#include "local/cuda/planner/tables.h"

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

void mfft_tables_place(mfft_pass *pass, const void *const address[MFFT_TABLES]) {
  pass->args.merge_table = address[MFFT_TABLE_MERGES];
  pass->args.second_table = address[MFFT_TABLE_SECOND];
  pass->args.matrices = address[MFFT_TABLE_MATRICES];
  pass->args.outer_fine = address[MFFT_TABLE_OUTER_FINE];
  pass->args.outer_coarse = address[MFFT_TABLE_OUTER_COARSE];
  pass->args.real_table = address[MFFT_TABLE_REAL];
  pass->args.trigonometric_table = address[MFFT_TABLE_TRIGONOMETRIC];
  pass->args.bluestein.chirp = address[MFFT_TABLE_CHIRP];
  pass->args.bluestein.spectrum = address[MFFT_TABLE_SPECTRUM];
  pass->args.bluestein.order = address[MFFT_TABLE_ORDER];
}

void mfft_tables_share(const mfft_pass *owner, mfft_pass *pass) {
  const void *const address[MFFT_TABLES] = {
      [MFFT_TABLE_MERGES] = owner->args.merge_table,
      [MFFT_TABLE_SECOND] = owner->args.second_table,
      [MFFT_TABLE_MATRICES] = owner->args.matrices,
      [MFFT_TABLE_OUTER_FINE] = owner->args.outer_fine,
      [MFFT_TABLE_OUTER_COARSE] = owner->args.outer_coarse,
      [MFFT_TABLE_REAL] = owner->args.real_table,
      [MFFT_TABLE_TRIGONOMETRIC] = owner->args.trigonometric_table,
      [MFFT_TABLE_CHIRP] = owner->args.bluestein.chirp,
      [MFFT_TABLE_SPECTRUM] = owner->args.bluestein.spectrum,
      [MFFT_TABLE_ORDER] = owner->args.bluestein.order,
  };
  mfft_tables_place(pass, address);
  pass->args.outer_shift = owner->args.outer_shift;
  pass->args.merge_angle = owner->args.merge_angle;
}
