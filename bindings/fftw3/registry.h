/* registry.h: the plans that the program holds, by pointer.
 *
 * A plan is a pointer that may be ours, or FFTW's, made by this library or not.  The registry decides by the value of the
 * pointer alone, which is never dereferenced: a hash table of the plans that were returned to the program.  Lookup takes no
 * lock, since every execute of the program, and every local transform of the backend, does one. */
#ifndef MFFT_DROPIN_REGISTRY_H
#define MFFT_DROPIN_REGISTRY_H

/* Registers `record` for a plan, until it is removed; 0 without memory. */
int mfft_dropin_register(const void *plan, void *record);

/* The record of a plan, or NULL for a plan that is not registered. */
void *mfft_dropin_find(const void *plan);

/* Removes a plan; returns its record, or NULL. */
void *mfft_dropin_unregister(const void *plan);

#endif
