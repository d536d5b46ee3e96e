/* nvtx_injection.c: a tool as NVTX loads it (NVTX_INJECTION64_PATH): records the ranges that a process pushes and pops, one
 * per line, "+name" and "-", which nvtx_ranges() returns. */
#include <nvtx3/nvToolsExt.h>
#include <string.h>

#define SEEN __attribute__((visibility("default")))

enum { CAPACITY = 1 << 20 };
static char text[CAPACITY];
static size_t used;
static int depth;

static void add(const char *sign, const char *name) {
  size_t length = strlen(name);
  if (used + length + 3 > CAPACITY) return;
  memcpy(text + used, sign, 1);
  memcpy(text + used + 1, name, length);
  used += length + 1;
  text[used++] = '\n';
  text[used] = 0;
}

static int push(const char *name) {
  add("+", name);
  return depth++;
}

static int pop(void) {
  add("-", "");
  return --depth;
}

/* The lines recorded since the last call. */
SEEN const char *nvtx_ranges(void);
const char *nvtx_ranges(void) {
  static char lines[CAPACITY];
  memcpy(lines, text, used + 1);
  used = 0;
  text[0] = 0;
  return lines;
}

SEEN int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const NvtxExportTableCallbacks *callbacks = table_of(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable functions = NULL;
  unsigned count = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &count) ||
      count <= NVTX_CBID_CORE_RangePop)
    return 0;
  int (*const on_push)(const char *) = push;
  int (*const on_pop)(void) = pop;
  memcpy(functions[NVTX_CBID_CORE_RangePushA], &on_push, sizeof on_push);
  memcpy(functions[NVTX_CBID_CORE_RangePop], &on_pop, sizeof on_pop);
  return 1;
}
