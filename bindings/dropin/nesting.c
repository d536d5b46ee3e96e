/* nesting.c: see nesting.h. */
#include "nesting.h"

_Thread_local int mfft_dropin_inside;
