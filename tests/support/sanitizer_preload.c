/* sanitizer_preload.c: a library that is preloaded under the address sanitizer, so that leaks of MPI are recognised and
 * suppressed.
 *
 * MPI unloads its plugins before the process ends, and their leaks would then have no symbols; dlclose therefore does
 * nothing here.  MPI makes strings with asprintf, whose frames in the C library end a backtrace; asprintf is therefore
 * defined here, and named in tests/support/lsan.supp.  mergefft itself calls neither. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define HERE __attribute__((visibility("default"))) int

HERE dlclose(void *handle);
HERE vasprintf(char **text, const char *format, va_list args);
HERE asprintf(char **text, const char *format, ...);
HERE __vasprintf_chk(char **text, int flag, const char *format, va_list args);
HERE __asprintf_chk(char **text, int flag, const char *format, ...);

int dlclose(void *handle) {
  (void)handle;
  return 0;
}

int vasprintf(char **text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (*text) vsnprintf(*text, (size_t)length + 1, format, again);
  va_end(again);
  return *text ? length : -1;
}

int asprintf(char **text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vasprintf(text, format, args);
  va_end(args);
  return length;
}

int __vasprintf_chk(char **text, int flag, const char *format, va_list args) {
  (void)flag;
  return vasprintf(text, format, args);
}

int __asprintf_chk(char **text, int flag, const char *format, ...) {
  va_list args;
  (void)flag;
  va_start(args, format);
  int length = vasprintf(text, format, args);
  va_end(args);
  return length;
}
