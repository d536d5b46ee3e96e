// TEST
// TEST labels=emulated
// A device that is started in the background: known and unknown names, host backends, twice, and before the first call that
// needs it; a process may end at once.
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

int main(void) {
  CHECK_OK(mfft_backend_start("fftw"));
  CHECK_OK(mfft_backend_start("ref"));
  CHECK_FAILS(mfft_backend_start("abacus"), MFFT_ERR_ARG, "abacus");
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", "1", 1);
  CHECK_OK(mfft_backend_start(NULL));
  CHECK_OK(mfft_backend_start(NULL));
  if (mfft_backend_usable("cuda", NULL, 0)) {
    void *array = NULL;
    CHECK_OK(mfft_backend_start("cuda"));
    CHECK_OK(mfft_memory_alloc("cuda", 1000, &array));
    CHECK_OK(mfft_memory_free("cuda", array));
  }
  setenv("MFFT_BACKEND", "fftw", 1);
  CHECK_OK(mfft_backend_start(NULL));
  return test_end();
}
