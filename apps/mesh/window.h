/* window.h: the window that mass assignment leaves on a spectrum, which deconvolution divides by.
 *
 * Functions of one axis of n cells; that of a mode is the product over the axes.  Order p: 1 NGP, 2 CIC, 3 TSC, 4 PCS. */
#ifndef MFFT_APPS_WINDOW_H
#define MFFT_APPS_WINDOW_H

#include <stdint.h>

/* The window (sin(w/2) / (w/2))^p with w = 2 pi m / n (Hockney and Eastwood 1981), from 0 to 1, and 1 at m = 0.  m is taken
 * modulo n. */
double mfft_assignment_window(int order, int64_t m, int64_t n);

/* The divisor of a mode's power, a product of one function of each axis. */
typedef enum mfft_compensation {
  MFFT_COMPENSATE_SINC = 0,
  MFFT_COMPENSATE_JING = 1,
  MFFT_COMPENSATE_NONE = 2
} mfft_compensation;

/* The squared window of mass assignment of order p (1 NGP, 2 CIC, 3 TSC, 4 PCS) at wave number m of n cells.  sinc: the
 * window alone, sinc(pi m / n)^2p.  jing: the sum over its aliases, which is what white (shot) noise is multiplied by (Jing
 * 2005, equation 20).  Order 0 is no window. */
double mfft_window_power(mfft_compensation compensation, int order, int64_t m, int64_t n);

#endif
