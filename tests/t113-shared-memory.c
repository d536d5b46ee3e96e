// TEST
/* Memory that ranks of a host share: both ends see one another's bytes; it is zeroed, and stays while it is open anywhere; a
 * handle of memory that is gone is refused, even where its numbers mean other memory by now. */
#include "check.h"
#include "local/device.h"

enum { BYTES = 100000 };

int main(void) {
  const mfft_device *d = &mfft_device_host;
  mfft_handle handle, later;
  void *here = NULL, *there = NULL, *other = NULL;
  CHECK_OK(d->shared_alloc(BYTES, &here, &handle));
  CHECK_OK(d->shared_open(&handle, &there));
  if (!here || !there) return test_end();
  unsigned char *a = here, *b = there;
  int zeros = 0;
  for (int i = 0; i < BYTES; i++) zeros += a[i] == 0 && b[i] == 0;
  CHECK(zeros == BYTES && a != b, "%d zeros", zeros);
  a[5] = 1, b[BYTES - 1] = 2;
  CHECK(b[5] == 1 && a[BYTES - 1] == 2, "%d %d", b[5], a[BYTES - 1]);
  d->shared_free(here);
  CHECK(b[5] == 1 && b[BYTES - 1] == 2, "what is open went with its maker");

  CHECK_OK(d->shared_alloc(BYTES, &other, &later)); /* a new file takes the lowest number that is free */
  void *wrong = NULL;
  CHECK_FAILS(d->shared_open(&handle, &wrong), MFFT_ERR_UNSUPPORTED, "use another transport than p2p");
  CHECK(!wrong, "a failed call set its output");
  d->shared_close(there);
  d->shared_close(NULL);
  d->shared_free(NULL);
  d->shared_free(other);
  return test_end();
}
