/* untrusted_child.h: the process that copies a dataset for untrusted.c, which starts it with the arguments
 * "mergefft", MFFT_UNTRUSTED_CHILD, path, dataset or "", path of the copy, bytes of memory. */
#ifndef MFFT_APPS_UNTRUSTED_CHILD_H
#define MFFT_APPS_UNTRUSTED_CHILD_H

#define MFFT_UNTRUSTED_CHILD "untrusted-copy" /* no command of a user's: --help does not know it */

/* Copies where the arguments ask for it, and ends the process; else returns. */
void mfft_untrusted_child(int argc, char **argv);

#endif
