/* device.h: deposit and gather of a mesh whose plan is on a device.
 *
 * The device has the host's algorithm (local/particles.h): particles are sorted by tiles, and the shares of a tile are added
 * in fast memory, as the same integers.  All functions are called between mfft_pm_enter and mfft_pm_leave. */
#ifndef MFFT_PARTICLES_DEVICE_H
#define MFFT_PARTICLES_DEVICE_H

#include "particles/mesh.h"

/* MFFT_ERR_ARG, with its name, for an array that the device cannot access. */
mfft_status mfft_pm_device_check(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                 int fields);

/* Fails for a particle of the caller's that the device has refused: fetches its position and asks the host why. */
mfft_status mfft_pm_device_refuse(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t i);

/* Memory for sorting as many particles at a time as scratch_bytes allow. */
mfft_status mfft_pm_device_reserve(mfft_particle_mesh mesh, const mfft_particles *particles);

/* As mfft_pm_bins_sort. */
mfft_status mfft_pm_device_sort(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first);

/* deposit: adds the weights of the sorted particles, multiplied by two factors and rounded to integers, to the sums of a
 * field.  gather: reads fields at the particles. */
mfft_status mfft_pm_device_deposit(mfft_particle_mesh mesh, const mfft_particle_field *field, const double to[2],
                                   const mfft_pm_arrays *sums);
mfft_status mfft_pm_device_gather(mfft_particle_mesh mesh, const mfft_particle_field *field, const mfft_pm_arrays *cells,
                                  int fields);

/* Whether a deposit sorts, as is faster, or as what comes after it wants.  deposit_direct: without a sort, adds as many
 * particles from `first` on as one launch takes to the sums of a field; bins.count says how many. */
int mfft_pm_device_sorts(mfft_particle_mesh mesh);
mfft_status mfft_pm_device_deposit_direct(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first,
                                          const mfft_particle_field *field, const double to[2], const mfft_pm_arrays *sums);

/* Clears the sums of a field: own cells, in the caller's array if `in_place`, and rims. */
mfft_status mfft_pm_device_clear(mfft_particle_mesh mesh, const mfft_pm_arrays *sums, int in_place);

/* The largest magnitude and the sum of the weights, from which scale.c finds their scale.  bad: index of the first weight
 * that is not finite, then in *weight, or -1. */
mfft_status mfft_pm_device_largest(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count, double *largest,
                                   int64_t *bad, double *weight);
mfft_status mfft_pm_device_magnitudes(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                      const double unit[2], int64_t *total);

/* The total of the sums of own cells modulo 2^64; and the conversion of those in some planes of the slowest axis in memory,
 * *infinite: the results that are not finite. */
mfft_status mfft_pm_device_total(mfft_particle_mesh mesh, const mfft_pm_arrays *sums, int64_t *total);
mfft_status mfft_pm_device_store(mfft_particle_mesh mesh, const mfft_particle_field *field, const double from[2],
                                 const mfft_pm_arrays *sums, const int64_t planes[2], int64_t mean, int64_t *infinite);

#endif
