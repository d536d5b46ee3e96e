/* library.c: see library.h. */
#include "local/cuda/runtime/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int mfft_library_open(const char *const *files, const mfft_library_symbol *symbols, int count, void *table, char *why,
                      size_t size) {
  void *library = NULL;
  snprintf(why, size, "no library");
  for (int i = 0; files[i] && !library; i++) {
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && i == 0) snprintf(why, size, "%s", dlerror());
  }
  if (!library) return 0;
  for (int i = 0; i < count; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address && !symbols[i].later) {
      snprintf(why, size, "%s has no %s: it is too old", files[0], symbols[i].name);
      return 0;
    }
    memcpy((char *)table + symbols[i].offset, &address, sizeof address);
  }
  return 1;
}
