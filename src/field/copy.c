/* copy.c: copies one dataset of any program into a file of mergefft's format, in a single process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "field/arguments.h"
#include "field/build.h"
#include "field/fetch.h"
#include "field/names.h"
#include "field/posix.h"
#include "field/store.h"
#include "field/verify.h"

enum { PIECE_BYTES = 1 << 24 }; /* values per part of the copy */

typedef struct copying {
  mfft_source source;
  uint64_t *stored; /* [source.slabs.count] the checksums of the source, or NULL */
  uint64_t *found;  /* [source.slabs.count] those of the values that were read, or NULL */
  mfft_fetch fetch;
  mfft_slabs slabs; /* of the copy */
  uint64_t *sums;   /* [slabs.count] of the copy */
  mfft_partial partial;
  mfft_file_extent extent;
  mfft_pool pool;
  void *buffer; /* [PIECE_BYTES] */
} copying;

static void end(copying *c) {
  mfft_partial_end(&c->partial);
  mfft_fetch_close(&c->fetch);
  mfft_pool_close(&c->pool);
  free(c->stored);
  free(c->found);
  free(c->sums);
  free(c->buffer);
}

static mfft_status allocate(copying *c) {
  c->slabs = mfft_slabs_choose(c->source.info.n);
  c->sums = calloc((size_t)c->slabs.count, sizeof *c->sums);
  c->buffer = malloc(PIECE_BYTES);
  if (c->stored) c->found = calloc((size_t)c->source.slabs.count, sizeof *c->found);
  if (c->sums && c->buffer && (c->found || !c->stored)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory to copy a dataset");
}

/* Removes the parts of a path that have no effect, so that the name is that of the same object in both files. */
static void plain_name(const char *name, char plain[MFFT_FIELD_NAME_BYTES]) {
  size_t used = 0;
  for (size_t length; (length = mfft_names_part(&name)) > 0; name += length) {
    if (used) plain[used++] = '/';
    memcpy(plain + used, name, length);
    used += length;
  }
  plain[used] = '\0';
}

static mfft_status build(copying *c, const char *copy) {
  const mfft_field_info *info = &c->source.info;
  char name[MFFT_FIELD_NAME_BYTES];
  const mfft_field_dataset dataset = {name, info->units};
  mfft_field_desc desc;
  int64_t bytes;
  const mfft_field_attribute known[] = {{"WindowOrder", info->window_order},
                                        {"Interlacing", info->interlacing},
                                        {"Centered", info->centered},
                                        {"ShotNoise", info->shot_noise},
                                        {"Omega_m", info->omega_m},
                                        {"Omega_Lambda", info->omega_lambda},
                                        {"HubbleParam", info->h}};
  enum { MOST = sizeof known / sizeof *known };
  mfft_field_attribute stated[MOST]; /* those that are not 0, which is unknown */
  plain_name(info->dataset, name);
  mfft_field_desc_init(&desc);
  desc.rank = info->rank;
  memcpy(desc.n, info->n, sizeof desc.n);
  desc.precision = info->precision;
  if (info->has_box_size) memcpy(desc.box_size, info->box_size, sizeof desc.box_size);
  desc.has_redshift = info->has_redshift;
  desc.redshift = info->redshift;
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  desc.attribute = stated;
  for (int i = 0; i < MOST; i++)
    if (known[i].value != 0) stated[desc.attribute_count++] = known[i];
  return mfft_build_partial(copy, &desc, &c->slabs, &c->partial, &c->extent, &bytes);
}

static mfft_status move(copying *c, mfft_field_progress *progress, void *context) {
  const mfft_field_info *info = &c->source.info;
  const mfft_store store = {.fd = c->partial.fd,
                            .path = c->partial.name,
                            .pool = &c->pool,
                            .n = info->n,
                            .stored = info->precision,
                            .slabs = c->slabs,
                            .offset = c->extent.offset};
  const mfft_box whole = mfft_box_whole(info->n);
  const int64_t all = mfft_box_count(&whole);
  const mfft_pieces pieces = mfft_pieces_of(&whole, PIECE_BYTES / c->source.element_bytes);
  mfft_fetch_job in = {.fetch = &c->fetch, .memory = info->precision, .data = c->buffer, .sums = c->found};
  mfft_store_job out = {.store = store, .memory = info->precision, .data = c->buffer, .sums = c->sums};
  int64_t done = 0;
  for (int64_t i = 0; i < pieces.all; i++) {
    in.box = out.box = mfft_pieces_get(&pieces, i);
    if (progress) progress(context, done, all);
    MFFT_TRY(mfft_fetch_box(&in));
    MFFT_TRY(mfft_store_box(&out));
    done += mfft_box_count(&in.box);
  }
  if (progress) progress(context, done, all);
  if (c->found) MFFT_TRY(mfft_verify_sums(&c->fetch, c->found, c->stored, NULL));
  return mfft_store_sums(store.fd, store.path, c->extent.sums_offset, c->sums, c->slabs.count);
}

mfft_status mfft_field_copy(const char *path, const char *dataset, const char *copy, mfft_field_progress *progress,
                            void *context, mfft_field_info *info) {
  copying c = {.fetch = {.fd = -1, .file = -1, .object = -1}, .partial = {.fd = -1}};
  mfft_posix_signals signals;
  mfft_status status;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(done, mfft_field_check_path(path));
  MFFT_GOTO(done, mfft_field_check_path(copy));
  if (info) MFFT_GOTO(done, mfft_field_check_info(info));
  MFFT_GOTO(done, mfft_source_look(path, dataset, &c.source, &c.stored));
  MFFT_GOTO(done, mfft_pool_open(mfft_pool_threads_alone(), &c.pool));
  MFFT_GOTO(done, mfft_fetch_open(&c.source, path, &c.pool, &c.fetch));
  MFFT_GOTO(done, allocate(&c));
  MFFT_GOTO(done, build(&c, copy));
  MFFT_GOTO(done, move(&c, progress, context));
  MFFT_GOTO(done, mfft_partial_rename(&c.partial));
  if (info) mfft_field_give_info(&c.source.info, info);
done:
  end(&c);
  mfft_posix_restore(&signals);
  return status;
}
