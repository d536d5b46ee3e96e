/* keep_modules.c: preloaded under the address sanitizer.  MPI unloads its plugins before the process ends; what they leak
 * can then no longer be traced to them and suppressed.  So nothing is unloaded. */
__attribute__((visibility("default"))) int dlclose(void *handle);

int dlclose(void *handle) {
  (void)handle;
  return 0;
}
