// option_values.cuh: names for the values of options of a pass that #if reads; they are those of enumerations in
// planner/kernel.h and local/fft_spec.h.
#pragma once

// PASS_LOAD, PASS_STORE: the form of a line in memory (mfft_form).
#define FORM_COMPLEX    0
#define FORM_REAL_PAIR  1
#define FORM_REAL       2
#define FORM_HALF_EVEN  3
#define FORM_HALF_ODD   4
#define FORM_LINE_PAIR  5
#define FORM_TWO_HALVES 6

// PASS_STAGED_IN, PASS_STAGED_OUT: the path of lines between device memory and registers (mfft_staging); 0: straight, 1: all
// threads of a block together.
#define STAGED_BY_SECTOR 2
#define STAGED_AS_ONE    3

// PASS_EXACT: the accuracy of packed half spectra and odd lines (mfft_exact); each level includes the preceding ones: all
// twiddles are loaded; numbers are rounded once (error_free.cuh); twiddles have two parts; the two radices are coprime and
// need no twiddles.
#define LOADED_TWIDDLES   1
#define ROUNDED_ONCE      2
#define TWO_PART_TWIDDLES 3
#define COPRIME_RADICES   4

// PASS_FILTER: the end of the pass that multiplies by the filter (mfft_filtered); 3: a convolution does between its
// transforms.
#define FILTER_OF_INPUT  1
#define FILTER_OF_OUTPUT 2

// PASS_CONVOLVED: the factors of the spectrum between a transform forward and one back (mfft_convolved); 0: those of
// Bluestein's algorithm.
#define CONVOLVED_BY_ARRAY     1
#define CONVOLVED_BY_CONJUGATE 2
#define CONVOLVED_BY_FILTER    3

// PASS_PADDED: bits: elements of a line that exist where it is loaded, or stored (mfft_padding).
#define PADDED_IN   1
#define CROPPED_OUT 2

// PASS_BLUESTEIN: bits: steps of Bluestein's algorithm (mfft_bluestein_step).
#define CHIRP_AT_LOAD  1
#define CHIRP_AT_STORE 2
#define WIDE_AT_LOAD   8
#define WIDE_AT_STORE  16
