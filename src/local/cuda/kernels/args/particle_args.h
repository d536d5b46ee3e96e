/* particle_args.h: arguments of the kernels that sort particles by tiles, deposit them on a mesh and gather fields there. */
#ifndef MFFT_KERNEL_PARTICLE_ARGS_H
#define MFFT_KERNEL_PARTICLE_ARGS_H

/* Particles on a mesh (local/particles.h).  Particles are sorted by tiles of 2^LOG own cells.  A block processes an item: at
 * most MFFT_PARTICLE_ITEM particles of one tile, so that tiles with many particles are shared by several blocks. */
enum {
  MFFT_PARTICLE_LOG_X = 3,
  MFFT_PARTICLE_LOG_Y = 3,
  MFFT_PARTICLE_LOG_Z = 5,
  MFFT_PARTICLE_THREADS = 256,
  MFFT_PARTICLE_SCAN_THREADS = 1024,
  MFFT_PARTICLE_SCAN_TILES = 4096, /* of a block in the scan */
  MFFT_SEQUENCE_TILES = 31,        /* of a warp, whose lanes find the first particle of one tile more */
  MFFT_PARTICLE_ITEM = 8192,
  MFFT_PARTICLE_CELLS = 1024, /* of a row, for a block that clears or converts sums */
  MFFT_GATHER_FIELDS = 3,     /* most fields of one launch */
  MFFT_PARTICLE_REACH = 2     /* cells on either side that a difference of four points reads */
};

/* Cells have indices relative to the first own cell.  A ghost cell is in the first rim whose axis it is beyond the own cells
 * of: rim 2a below, 2a + 1 above. */
typedef struct mfft_particle_cells {
  long long n[3], lo[3]; /* cells of the whole mesh; first own cell */
  int extent[3];         /* own cells */
  int tiles[3];
  long long stride[3]; /* elements of the own array */
  long long rim_start[6], rim_stride[6][3];
  double scale[3], shift; /* cells in a unit of length; position of mesh point 0 in cells */
} mfft_particle_cells;

/* Words that kernels change by atomics, all 0 at first. */
typedef struct mfft_particle_words {
  unsigned long long nonfinite, foreign; /* complement of the least index of such a particle or weight; 0: none */
  unsigned long long items;              /* of the sort */
  unsigned long long largest;            /* bits of the largest magnitude */
  unsigned long long total;              /* sum of integers modulo 2^64 */
  unsigned long long infinite;           /* number of cells */
  unsigned long long changes;            /* neighbours in a warp that are in different tiles */
  unsigned long long out_of_sequence;    /* not 0: the list is not in the sequence of the tiles */
} mfft_particle_words;

/* Sorted particles: records, or the list itself if it is in the sequence of the tiles. */
typedef struct mfft_sorted_particles {
  const unsigned *start, *item; /* as in mfft_particle_sort_args */
  const void *record;           /* NULL: the list is read */
  const void *position[3];
  long long stride;
  int type; /* mfft_position_type */
} mfft_sorted_particles;

typedef struct mfft_particle_sort_args {
  mfft_particle_cells cells;
  const void *position[3];
  long long stride;
  int type;                   /* mfft_position_type */
  unsigned count, tile_count; /* count: at most 2^30 */
  unsigned *tile_particles;   /* [tile_count] */
  unsigned *start;            /* [tile_count + 1] */
  unsigned *rank;             /* [count] index of a particle among those of its tile; the largest integer: refused */
  unsigned *item;             /* [items][2] tile; number of the item in the tile */
  unsigned item_count;        /* items for which there is memory */
  unsigned long long *bound;  /* [tiles[axis] + 1] for each axis: bits of the least position in or beyond a tile */
  void *record;               /* [count][4] of 4 or 8 bytes: position, index in the list */
  mfft_particle_words *words;
} mfft_particle_sort_args;

typedef struct mfft_deposit_args {
  mfft_particle_cells cells;
  mfft_sorted_particles from;
  const void *value; /* weight of the particle with index 0; NULL: all 1 */
  int value_double;
  long long value_stride;
  double to[2];                   /* factors from a weight to an integer */
  unsigned long long *own, *rims; /* NULL: shares of such cells are left out */
  long long own_start;            /* element of `own` that the first own cell has, or would have */
  int axis, lo, hi;               /* tiles that begin at own cells [lo, hi) of this axis are processed */
} mfft_deposit_args;

/* A deposit of particles that are not sorted. */
typedef struct mfft_direct_args {
  mfft_particle_cells cells;
  const void *position[3];
  long long stride;
  int type; /* mfft_position_type */
  unsigned count;
  const void *value; /* weights; NULL: all 1 */
  int value_double;
  long long value_stride;
  double to[2]; /* factors from a weight to an integer */
  unsigned long long *own, *rims;
  mfft_particle_words *words;
} mfft_direct_args;

typedef struct mfft_gather_args {
  mfft_particle_cells cells;
  mfft_sorted_particles from;
  const void *own[MFFT_GATHER_FIELDS], *rims[MFFT_GATHER_FIELDS];
  void *value[MFFT_GATHER_FIELDS];
  int value_double[MFFT_GATHER_FIELDS], add[MFFT_GATHER_FIELDS];
  long long value_stride[MFFT_GATHER_FIELDS];
  int axis[MFFT_GATHER_FIELDS]; /* of differences of the first field, of which `cells` has the rims; -1: the field itself */
  double factor[MFFT_GATHER_FIELDS];
} mfft_gather_args;

/* Sums of own cells, from the slowest axis in memory to the fastest.  Rows that follow each other without gaps are one. */
typedef struct mfft_sums_of_cells_args {
  long long n[3], stride[3];
  unsigned long long segments; /* of MFFT_PARTICLE_CELLS cells in a row; the last may be shorter */
  const unsigned long long *sums;
  void *out;
  long long mean;
  double from[2]; /* factors from an integer to a weight */
  int single, add;
  mfft_particle_words *words;
} mfft_sums_of_cells_args;

typedef struct mfft_weights_args {
  const void *value;
  int value_double;
  long long value_stride;
  unsigned long long count;
  double unit[2]; /* or the factors from a weight to an integer */
  mfft_particle_words *words;
} mfft_weights_args;

#endif
