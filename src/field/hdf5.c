/* hdf5.c: settings and errors of HDF5. */
#include "field/hdf5.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mfft_field.h"

static int met_external;

/* After damaged metadata HDF5 does not free all of its memory, and prints "infinite loop closing library" when the process
 * ends, which tells users nothing.  So once a call of HDF5 has failed, its printing is switched off just before HDF5 ends:
 * at exit, and, for an HDF5 with MPI-IO, in MPI_Finalize, where attributes of MPI_COMM_SELF are deleted last in, first out.
 */
static void stop_printing(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

static int stop_printing_mpi(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  stop_printing();
  return MPI_SUCCESS;
}

static void end_quietly(void) {
  static int at_exit, at_finalize;
  int begun = 0, ended = 0, key;
  if (!at_exit) at_exit = atexit(stop_printing) == 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (at_finalize || !begun || ended) return;
  at_finalize = 1;
  if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stop_printing_mpi, &key, NULL) != MPI_SUCCESS) return;
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
}

/* The function that HDF5 calls instead of printing, whenever one of its functions fails. */
static herr_t note_failure(hid_t stack, void *data) {
  (void)stack, (void)data;
  end_quietly();
  return 0;
}

void mfft_h5_enter(mfft_h5_settings *old) {
  memset(old, 0, sizeof *old);
  H5open();
  errno = 0; /* so that mfft_h5_fail recognises a lack of memory by it */
  H5Eget_auto2(H5E_DEFAULT, &old->print, &old->print_data);
  H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
  if (H5PLget_loading_state(&old->plugins) < 0) old->plugins = 0;
  H5PLset_loading_state(0);
  met_external = 0;
}

void mfft_h5_leave(const mfft_h5_settings *old) {
  H5Eclear2(H5E_DEFAULT);
  H5PLset_loading_state(old->plugins);
  H5Eset_auto2(H5E_DEFAULT, old->print, old->print_data);
}

/* The innermost error on HDF5's stack. */
typedef struct innermost {
  char words[256]; /* "" where there is none */
  int memory;      /* 1: there was none to be had */
} innermost;

static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *data) {
  innermost *reason = data;
  if (n != 0) return 0;
  snprintf(reason->words, sizeof reason->words, "%s", error->desc ? error->desc : "no reason given");
  reason->memory = error->maj_num == H5E_RESOURCE && (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC);
  return 0;
}

mfft_status mfft_h5_fail(mfft_status status, const char *format, ...) {
  char words[768];
  const int memory = errno == ENOMEM; /* HDF5 1.14 does not put failures of filters on its stack */
  innermost reason = {"", 0};
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason); /* the innermost error comes first */
  if ((memory || reason.memory) && status == MFFT_ERR_CORRUPT) status = MFFT_ERR_MEMORY;
  return reason.words[0] ? mfft_fail(status, "%s (HDF5: %s)", words, reason.words) : mfft_fail(status, "%s", words);
}

hid_t mfft_h5_file_access(int locking) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  H5Pset_fapl_sec2(access); /* for any value of HDF5_DRIVER */
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, (hbool_t)locking, 1);
#else
  (void)locking;
#endif
  return access;
}

static herr_t refuse_external(const char *parent_file, const char *parent_group, const char *child_file, const char *child,
                              unsigned *flags, hid_t access, void *data) {
  (void)parent_file, (void)parent_group, (void)child_file, (void)child, (void)flags, (void)access, (void)data;
  met_external = 1;
  return -1;
}

hid_t mfft_h5_link_access(void) {
  hid_t access = H5Pcreate(H5P_LINK_ACCESS);
  if (access >= 0) H5Pset_elink_cb(access, refuse_external, NULL);
  return access;
}

hid_t mfft_h5_dataset_access(void) {
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (access >= 0) H5Pset_elink_cb(access, refuse_external, NULL);
  return access;
}

int mfft_h5_met_external(void) {
  int met = met_external;
  met_external = 0;
  return met;
}

void mfft_h5_close(hid_t object) {
  if (object <= 0) return;
  switch (H5Iget_type(object)) {
    case H5I_FILE:
      H5Fclose(object);
      break;
    case H5I_GENPROP_LST:
      H5Pclose(object);
      break;
    case H5I_ATTR:
      H5Aclose(object);
      break;
    case H5I_DATASPACE:
      H5Sclose(object);
      break;
    case H5I_DATATYPE:
      H5Tclose(object);
      break;
    case H5I_DATASET:
    case H5I_GROUP:
      H5Oclose(object);
      break;
    default:
      break;
  }
}

const char *mfft_field_hdf5_version(void) {
  static char text[64];
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
#ifdef H5_HAVE_PARALLEL
  const char *flavour = "parallel";
#else
  const char *flavour = "serial";
#endif
  snprintf(text, sizeof text, "%u.%u.%u (%s build)", major, minor, release, flavour);
  return text;
}
