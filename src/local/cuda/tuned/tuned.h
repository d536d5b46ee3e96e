/* tuned.h: what was measured to be fast, one set of numbers for each architecture that was measured.
 *
 * Engines and planner ask here for choices that no cost model predicts.  Machine figures (multiprocessors, caches, shared
 * memory) are not here but in mfft_device_limits, which come from the device.
 *
 * A device whose architecture was not measured gets the rule: the choices of the one that was, wherever the figures of the
 * device itself allow them (a chain must fit its shared memory and leave no multiprocessor idle, a cluster must exist), and
 * parts of half its L2 cache. */
#ifndef MFFT_CUDA_TUNED_H
#define MFFT_CUDA_TUNED_H

#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

/* Where a pass finds its lines: in parts that stay in the L2 cache, in memory, or from one array in memory to another; or
 * anywhere, so few that each multiprocessor has two blocks of them at most. */
typedef enum mfft_reach {
  MFFT_REACH_ANY,
  MFFT_REACH_CACHE,
  MFFT_REACH_MEMORY,
  MFFT_REACH_ACROSS,
  MFFT_REACH_FEW
} mfft_reach;

/* The form of the lines that a chain loads and stores: complexes, a half spectrum at one end, or pairs of lines of cosines.
 */
typedef enum mfft_line_ends {
  MFFT_ENDS_COMPLEX,
  MFFT_ENDS_TO_HALF,
  MFFT_ENDS_FROM_HALF,
  MFFT_ENDS_TO_COSINES, /* pairs of lines of DCT-II or DST-II */
  MFFT_ENDS_FROM_COSINES
} mfft_line_ends;

/* A chain of register butterflies, and the lines for which it was the fastest. */
typedef struct mfft_tuned_chain {
  mfft_precision precision;
  mfft_line_ends ends;
  mfft_map map;
  mfft_reach reach;
  int twiddled; /* 1: also for lines with inter-pass twiddles, or stored by another map than they are loaded by; 2: for these
                   alone */
  mfft_chain chain;
  int prefetch;  /* blocks of each multiprocessor ahead whose lines are prefetched into the L2 cache; 0: none */
  int blocks;    /* most blocks of a multiprocessor; 0: as many as fit */
  int64_t whole; /* elements of the whole axis, of one or several passes, that the row is for; 0: any */
  int c2c_only;  /* 1: not for real transforms */
} mfft_tuned_chain;

/* The data of a resident tile (engines/tiles.h). */
typedef enum mfft_tile_kind {
  MFFT_TILE_LINE,   /* contiguous lines */
  MFFT_TILE_COLUMN, /* strided lines of a whole axis */
  MFFT_TILE_PART,   /* strided lines of a pass, one of several, of a long line */
  MFFT_TILE_PLANE
} mfft_tile_kind;

typedef struct mfft_tile_choice {
  int64_t bytes; /* bytes of a block's tile; 0: no resident tiles */
  int blocks;
  int double_buffered; /* 1: the next tile is loaded while this one is merged */
} mfft_tile_choice;

typedef struct mfft_tuned_tile {
  mfft_tile_kind kind;
  unsigned precisions; /* bit p: for precision p; half has tiles only where tensor cores are asked for */
  int64_t least, most; /* range of the length of the axis, or of the slow axis of a plane */
  int64_t fast;        /* length of the fast axis of a plane; else 0 */
  int far;             /* 1: only for data that comes from memory, not for parts that stay in the L2 cache */
  mfft_tile_choice tile;
} mfft_tuned_tile;

/* A cluster for two line transforms: those of a plane, those that make a long line, those of a long line from a half
 * spectrum to reals, or those of columns: of complexes, of cosines of types II and III, or of type IV. */
typedef enum mfft_pair_kind {
  MFFT_PAIR_LINE,
  MFFT_PAIR_PLANE,
  MFFT_PAIR_HALVES,
  MFFT_PAIR_COLUMNS,
  MFFT_PAIR_COSINES,
  MFFT_PAIR_COSINES_4
} mfft_pair_kind;

typedef struct mfft_cluster_choice {
  int cluster; /* blocks; 0: no cluster */
  int values;  /* elements that a thread holds; 0: any */
  int first;   /* length of the first chain of a long line; 0: any */
} mfft_cluster_choice;

typedef struct mfft_tuned_cluster {
  mfft_precision precision;
  mfft_pair_kind kind;
  int64_t least, most; /* range of the elements of a plane or a line */
  int64_t slow; /* length of the slow axis of a plane; 0: any plane of which no side is more than four times the other */
  mfft_cluster_choice choice;
  int few; /* 1: for so few transforms that one block for each would leave half of the multiprocessors idle; 0: for so many
              that clusters keep all of them busy */
} mfft_tuned_cluster;

/* A length of C2R lines whose error stays below cuFFT's only with slower arithmetic. */
typedef struct mfft_tuned_exact {
  mfft_precision precision;
  int n;
  mfft_exact exact;
} mfft_tuned_exact;

/* The cost model of a transform's time: bytes that a copy reads and writes in a second; the time of a pass within the L2
 * cache relative to one through memory; seconds of a launch; and the time of a pass relative to a copy of the same bytes, by
 * engine. */
typedef struct mfft_tuned_cost {
  double copy_speed, in_cache, launch_seconds;
  double half_segments; /* time of a pass whose blocks take half segments of strided lines, relative to whole ones */
  double convolution_instruction; /* time of an instruction for each element of a pass of a convolution of several passes,
                                     relative to that of reading or writing an element */
  double convolution_excess;      /* most elements of such a convolution, relative to the least number */
  double pass[MFFT_ENGINES];
} mfft_tuned_cost;

/* The cost of a chain (engines/chain.c) is its number of instructions, of which these are for one element, times factors for
 * chains that are slower than their instructions tell.  A factor's number is added to 1. */
typedef struct mfft_counted_cost {
  double exchange;       /* instructions of an exchange through shared memory and its twiddle */
  double root;           /* instructions of a root for a butterfly that takes pairs of lines or elements */
  double of_value;       /* factor, for each value of a thread beyond free_values */
  double of_value_roomy; /* the same where mfft_butterfly_is_roomy */
  double large;          /* factor of blocks of more than large_threads, whose loads overlap no other block's work */
  int free_values, large_threads;
} mfft_counted_cost;

/* When a transform runs in parts that stay in the L2 cache: from `worth` times the bytes of a part on. The target of a part
 * is `share` of the most bytes that may stay there, and it may have `least` to `most` times that; an array of a batch, or a
 * plane, that nothing divides may have `whole` times that.  pairs_stay:
 * 1: later passes of a transform whose output is pairs of reals leave what they have read in the cache.  slow_real_bytes:
 * least bytes of a number of a padded R2C of three axes whose slow axis comes first (planner/slow_reals.h). */
typedef struct mfft_tuned_parts {
  double share, worth, least, most, whole;
  int pairs_stay, slow_real_bytes;
} mfft_tuned_parts;

/* Lengths of the one pass of a long line that runs over the whole array (planner/long_lines.c).  in_clusters: in double.
 * Others: for real lines, whose packing has two lines in a block at a time: from `least` to `most`; at most `good` if the
 * rest of the line has more than `rest` elements, so that it takes more than two passes. */
typedef struct mfft_tuned_long_line {
  int64_t in_clusters, least, good, most, rest;
} mfft_tuned_long_line;

/* Rows of half spectra are not aligned to sectors of memory. Rows of by_sector_least[precision] to by_sector_most elements
 * are staged from whole sectors; rows of at most as_one_most elements are staged together, as one piece of memory. */
typedef struct mfft_tuned_rows {
  int by_sector_least[2], by_sector_most; /* [double, single] */
  int as_one_most;
} mfft_tuned_rows;

/* A transform is replayed as a CUDA graph if it has more launches than `launches`, or two at least and an array of fewer
 * than `bytes`.  For two launches in 16 bits that bound is bytes_of_sixteen, or bytes_on_tensor_cores. */
typedef struct mfft_tuned_replay {
  int64_t launches;
  double bytes, bytes_of_sixteen, bytes_on_tensor_cores;
} mfft_tuned_replay;

/* Segments of strided lines, which are whole cache lines otherwise.  If there would be fewer blocks than multiprocessors:
 * their least bytes, and the least length of 16-bit lines that may take half of that.  in_cache_bytes: least bytes in the L2
 * cache.  share_bytes: least bytes of segments that are stored to peers, which is faster than copying whole ones afterwards.
 * tensor_few: tensor cores keep whole segments where one of so many multiprocessors has a block.  half_bytes: least bytes
 * in memory of lines in 16 bits, and of complexes in single, that would else take two passes. */
typedef struct mfft_tuned_segments {
  int least_bytes, narrow_least, in_cache_bytes, share_bytes, tensor_few, half_bytes;
} mfft_tuned_segments;

/* A line of three passes in 16 bits whose first and last pass would have `outer` elements has `first` and `last` instead: of
 * strided lines, those of `last` take the least time for their bytes. */
typedef struct mfft_tuned_thirds {
  int64_t outer, first, last;
} mfft_tuned_thirds;

typedef struct mfft_tuned {
  const char *device; /* name of the device that was measured, with its article */
  const mfft_tuned_chain *chain;
  const mfft_tuned_tile *tile;
  const mfft_tuned_cluster *cluster;
  const mfft_tuned_exact *exact;
  int chains, tiles, clusters, exacts;
  mfft_tuned_cost cost;
  int wide_bytes, wide_tile_bytes; /* segments of wide_bytes are as fast as those of a cache line where a tile has at most
                                      wide_tile_bytes */
  int most_part_bytes;             /* most bytes of a part that stays in the L2 cache from pass to pass */
  mfft_tuned_parts parts;
  mfft_tuned_long_line long_line;
  mfft_tuned_rows rows;
  mfft_tuned_replay replay;
  mfft_tuned_segments segments;
  mfft_tuned_thirds sixteen_bit_thirds;
  int64_t resident_busy[2]; /* numerator, denominator of the least share of the blocks that fit the device for which there
                               must be resident tiles */
  int resident_registers;   /* registers of a thread of resident tiles */
  int64_t
      slow_single_most; /* the longest slow axis of a cube in single that is done from array to array, before the others */
  int64_t longest_convolution[MFFT_LONG_DOUBLE]; /* [mfft_precision] most elements of a convolution of a contiguous line in
                                                    one block; 0: as of other lines */
  int block_tile_bytes;         /* strided lines whose tile is no larger are done as well by a block as by a cluster */
  int64_t resident_least;       /* shorter contiguous lines in 16 bits gain nothing from resident tiles */
  int64_t resident_strided[2];  /* least and greatest length of strided lines in resident tiles */
  int64_t sixteen_tensor_below; /* shorter lines in 16 bits are slower by butterflies than on tensor cores */
} mfft_tuned;

/* The numbers for a device (devices.c). */
const mfft_tuned *mfft_tuned_for(const mfft_device_limits *limits);

/* Bytes of a part that stays in an L2 cache of so many bytes. */
int mfft_tuned_part_bytes(int arch, int cache_bytes);

extern const mfft_tuned mfft_tuned_h200;

#endif
