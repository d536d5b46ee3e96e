/* cache.c: see cache.h. */
#include "local/cuda/runtime/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/env.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "local/cuda/runtime/cache_limit.h"
#include "local/cuda/runtime/sources.h"

mfft_status mfft_cache_key(const mfft_compile_options *options, int arch, int compiler, char key[MFFT_KEY_BYTES]) {
  size_t used = (size_t)snprintf(key, MFFT_KEY_BYTES, "mergefft %d sources %s sm_%d nvrtc %d %s", MFFT_VERSION,
                                 mfft_kernel_files_hash, arch, compiler, options->file);
  for (int i = 0; i < options->count && used < MFFT_KEY_BYTES; i++)
    used += (size_t)snprintf(key + used, MFFT_KEY_BYTES - used, " %s", options->text[i]);
  if (used >= MFFT_KEY_BYTES)
    return mfft_fail(MFFT_ERR_INTERNAL, "cuda: the key of a kernel is longer than %d bytes", MFFT_KEY_BYTES);
  return MFFT_SUCCESS;
}

const char *mfft_cache_folder(char *text, size_t size) {
  const char *chosen = mfft_env_string(MFFT_ENV_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int wrote = 0;
  if (chosen && *chosen)
    wrote = snprintf(text, size, "%s", chosen);
  else if (xdg && *xdg == '/') /* as its specification has it */
    wrote = snprintf(text, size, "%s/mergefft", xdg);
  else if (home && *home)
    wrote = snprintf(text, size, "%s/.cache/mergefft", home);
  if (wrote <= 0 || (size_t)wrote >= size) text[0] = '\0';
  return text;
}

static int file_of(const char *folder, const char *key, char *path, size_t size) {
  if (!*folder) return 0;
  int wrote = snprintf(path, size, "%s/%016llx.cubin", folder, (unsigned long long)mfft_text_hash(key, strlen(key)));
  return wrote > 0 && (size_t)wrote < size;
}

/* An entry is a file of this head, the key and the code. */
typedef struct entry_head {
  char magic[8];
  uint64_t key_bytes, code_bytes, checksum;
} entry_head;
static const char entry_magic[8] = "mfftcub1";
static const uint64_t largest_code = 64u << 20;

/* Returns the code in the bytes of a file, which the caller frees; NULL if the file has another key, is damaged or is too
 * short. */
static char *take_code(const char *bytes, size_t length, const char *key, size_t *code_bytes) {
  const size_t key_bytes = strlen(key), before = sizeof(entry_head) + key_bytes;
  entry_head head;
  if (length < before) return NULL;
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, entry_magic, 8) || head.key_bytes != key_bytes || memcmp(bytes + sizeof head, key, key_bytes) ||
      head.code_bytes == 0 || head.code_bytes > length - before ||
      mfft_text_hash(bytes + before, head.code_bytes) != head.checksum)
    return NULL;
  char *code = malloc(head.code_bytes);
  if (!code) return NULL;
  memcpy(code, bytes + before, head.code_bytes);
  *code_bytes = head.code_bytes;
  return code;
}

int mfft_cache_read_in(const char *folder, const char *key, mfft_cubin *cubin) {
  char path[640], why[MFFT_WHY_BYTES], *bytes = NULL;
  size_t length = 0;
  if (!file_of(folder, key, path, sizeof path)) return 0;
  if (mfft_file_read(path, largest_code + sizeof(entry_head) + MFFT_KEY_BYTES, &bytes, &length, why)) return 0;
  char *code = take_code(bytes, length, key, &cubin->bytes);
  free(bytes);
  if (!code) return 0;
  cubin->data = code;
  cubin->from_disk = 1;
  return 1;
}

int mfft_cache_read(const char *key, mfft_cubin *cubin) {
  char folder[512], path[640];
  if (!mfft_cache_read_in(mfft_cache_folder(folder, sizeof folder), key, cubin)) return 0;
  if (file_of(folder, key, path, sizeof path)) mfft_cache_used(path);
  return 1;
}

/* Makes a folder and all folders above it, like mkdir -p. */
static void make_folders(const char *folder) {
  char part[640];
  snprintf(part, sizeof part, "%s", folder);
  for (char *c = part + 1; *c; c++) {
    if (*c != '/') continue;
    *c = '\0';
    mkdir(part, 0777);
    *c = '/';
  }
  mkdir(part, 0777);
}

int mfft_cache_write_in(const char *folder, const char *key, const mfft_cubin *cubin, char why[MFFT_WHY_BYTES]) {
  char path[640];
  entry_head head = {
      .key_bytes = strlen(key), .code_bytes = cubin->bytes, .checksum = mfft_text_hash(cubin->data, cubin->bytes)};
  const size_t length = sizeof head + head.key_bytes + head.code_bytes;
  snprintf(why, MFFT_WHY_BYTES, "no memory, or the name of the folder is too long");
  char *bytes = file_of(folder, key, path, sizeof path) ? malloc(length) : NULL;
  if (!bytes) return 1;
  memcpy(head.magic, entry_magic, 8);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + sizeof head, key, head.key_bytes);
  memcpy(bytes + sizeof head + head.key_bytes, cubin->data, cubin->bytes);
  const int failed = mfft_file_write(path, &mfft_kernel_kind, bytes, length, why) != 0;
  free(bytes);
  return failed;
}

void mfft_cache_write(const char *key, const mfft_cubin *cubin) {
  char folder[512], why[MFFT_WHY_BYTES];
  static int warned;
  if (!*mfft_cache_folder(folder, sizeof folder)) return;
  make_folders(folder);
  const int stored = !mfft_cache_write_in(folder, key, cubin, why);
  const double most = mfft_env_number(MFFT_ENV_CACHE_BYTES);
  if (stored && most > 0) mfft_cache_limit(folder, (int64_t)most);
  if (stored) return;
  if (!warned) mfft_log(MFFT_LOG_WARNING, "compiled kernels cannot be stored in %s: %s; set MFFT_CACHE_DIR", folder, why);
  warned = 1;
}
