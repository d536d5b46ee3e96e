/* registry.h: a hash table of the plans that were returned to the program, by pointer.
 *
 * A plan in the program is a pointer to an object of this library or of FFTW.  The registry distinguishes them by the value
 * of the pointer, without dereferencing it.  Lookup takes no lock, since every execute of the program, and every local
 * transform of the backend, does a lookup. */
#ifndef MFFT_DROPIN_REGISTRY_H
#define MFFT_DROPIN_REGISTRY_H

/* Registers `record` for a plan, until it is removed.  Returns 0 if memory is exhausted. */
int mfft_dropin_register(const void *plan, void *record);

/* The record of a plan, or NULL for a plan that is not registered. */
void *mfft_dropin_find(const void *plan);

/* Removes a plan; returns its record, or NULL. */
void *mfft_dropin_unregister(const void *plan);

#endif
