/* gravity.h: the constant of gravity in the units of cosmological simulations. */
#ifndef MFFT_APPS_GRAVITY_H
#define MFFT_APPS_GRAVITY_H

/* G in (Mpc/h) (km/s)^2 / (1e10 Msun/h), of the constants that GADGET-4 has for cm, g and s. */
#define MFFT_GRAVITY (6.6738e-8 * 1.989e43 / 3.085678e24 / 1e10)

#endif
