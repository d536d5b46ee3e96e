/* exchange_desc.c: see exchange_desc.h. */
#include "dist/exchange_desc.h"

#include <inttypes.h>

#include "base/box.h"
#include "base/versioned.h"

static const mfft_versioned desc_versions = {
    "desc", "mfft_exchange_desc_init", sizeof(mfft_exchange_desc), sizeof(mfft_exchange_desc), NULL, 0};
static const mfft_versioned options_versions = {
    "options", "mfft_exchange_options_init", sizeof(mfft_exchange_options), sizeof(mfft_exchange_options), NULL, 0};

void mfft_exchange_desc_init_sized(mfft_exchange_desc *desc, size_t struct_size) {
  const mfft_exchange_desc defaults = {.element_bytes = 1, .batch = 1};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

void mfft_exchange_options_init_sized(mfft_exchange_options *options, size_t struct_size) {
  const mfft_exchange_options defaults = {0};
  mfft_versioned_init(options, struct_size, &defaults, sizeof defaults);
}

static mfft_status check_desc(const mfft_exchange_desc *given, mfft_exchange_desc *d) {
  MFFT_TRY(mfft_versioned_take(&desc_versions, given, d));
  if (d->element_bytes < 1 || d->element_bytes > 4096)
    return mfft_fail(MFFT_ERR_ARG, "desc.element_bytes is %" PRId64 "; use 1 to 4096", d->element_bytes);
  if (d->batch < 1) return mfft_fail(MFFT_ERR_ARG, "desc.batch is %" PRId64 "; use at least 1", d->batch);
  const int64_t most_bytes = INT64_C(1) << 58; /* sums over a few arrays then fit in 64 bits as well */
  if (d->batch > most_bytes / d->element_bytes)
    return mfft_fail(MFFT_ERR_ARG,
                     "desc.batch is %" PRId64 " elements of %" PRId64 " bytes, more than 2^58 bytes; use fewer", d->batch,
                     d->element_bytes);
  MFFT_TRY(mfft_box_check(&d->from, "desc.from"));
  MFFT_TRY(mfft_box_check(&d->to, "desc.to"));
  const int64_t most = most_bytes / d->element_bytes / d->batch;
  MFFT_TRY(mfft_box_check_count(&d->from, most, "desc.from"));
  return mfft_box_check_count(&d->to, most, "desc.to");
}

static mfft_status check_options(const mfft_exchange_options *given, mfft_exchange_options *o) {
  if (!given) {
    mfft_exchange_options_init(o);
    return MFFT_SUCCESS;
  }
  MFFT_TRY(mfft_versioned_take(&options_versions, given, o));
  if (o->chunks < 0) return mfft_fail(MFFT_ERR_ARG, "options.chunks is %d; use 0 to let the library choose", o->chunks);
  return MFFT_SUCCESS;
}

mfft_status mfft_exchange_take(const mfft_exchange_desc *given, const mfft_exchange_options *given_options,
                               mfft_exchange_desc *desc, mfft_exchange_options *options) {
  MFFT_TRY(check_desc(given, desc));
  return check_options(given_options, options);
}
