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
  MFFT_SLOPES_THREADS = 512, /* of a block that loads a potential */
  MFFT_PARTICLE_SCAN_THREADS = 1024,
  MFFT_PARTICLE_SCAN_TILES = 4096, /* tiles of a thread block of scan.cu */
  MFFT_SEQUENCE_TILES = 31,        /* tiles of a warp of sequence.cu, whose lanes find the first particle of one tile more */
  MFFT_PARTICLE_ITEM = 8192,
  MFFT_PARTICLE_CELLS = 1024, /* cells of a row that a thread block of cells.cu clears or converts at a time */
  MFFT_GATHER_FIELDS = 3,     /* most fields of one launch of gather.cu */
  MFFT_PARTICLE_REACH = 2     /* cells on either side that a difference of four points reads */
};

/* The part of a mesh that a rank has (mfft_particle_space in local/particles.h).  Cells have indices relative to the first
 * own cell.  A ghost cell is in the rim of the first axis a on which it lies outside of the own cells: rim 2a below them,
 * rim 2a + 1 above. */
typedef struct mfft_particle_cells {
  long long n[3], lo[3];                    /* cells of the whole mesh; first own cell */
  int extent[3];                            /* own cells along each axis */
  int tiles[3];                             /* tiles along each axis */
  long long stride[3];                      /* distances of neighbouring cells in the array of own cells, in elements */
  long long rim_start[6], rim_stride[6][3]; /* element of the first own cell in a rim, as if the rim had it; distances */
  double scale[3], shift;                   /* cells in a unit of length; position of mesh point 0 in cells */
} mfft_particle_cells;

/* Words that kernels change by atomics, all 0 at first. */
typedef struct mfft_particle_words {
  unsigned long long nonfinite;       /* complement of the least index of a position or weight that is not finite; 0: none */
  unsigned long long foreign;         /* complement of the least index of a particle outside of the own cells; 0: none */
  unsigned long long items;           /* number of items of the sort */
  unsigned long long largest;         /* bits of the largest magnitude of the weights */
  unsigned long long total;           /* sum of the integers of weights modulo 2^64 */
  unsigned long long infinite;        /* number of cells whose sum is not finite in the precision of the mesh */
  unsigned long long changes;         /* neighbours in a warp that are in different tiles */
  unsigned long long out_of_sequence; /* not 0: the list is not in the sequence of the tiles */
} mfft_particle_words;

/* Sorted particles: records, or the list itself if it is in the sequence of the tiles. */
typedef struct mfft_sorted_particles {
  const unsigned *start, *item; /* as in mfft_particle_sort_args */
  const void *record;           /* as in mfft_particle_sort_args; NULL: the list is read */
  const void *position[3];      /* [axis][count][stride] of the list: coordinate of particle i at i stride */
  long long stride;
  int type; /* mfft_position_type */
} mfft_sorted_particles;

typedef struct mfft_particle_sort_args {
  mfft_particle_cells cells;
  const void *position[3]; /* [axis][count][stride] */
  long long stride;
  int type;                   /* mfft_position_type */
  unsigned count, tile_count; /* particles, at most 2^30; tiles */
  unsigned *tile_particles;   /* [tile_count] */
  unsigned *start;            /* [tile_count + 1] */
  unsigned *rank;             /* [count] index of a particle among those of its tile; the largest integer: refused */
  unsigned *item;             /* [items][2] tile, and number of the item in the tile */
  unsigned item_count;        /* items for which there is memory */
  unsigned long long *bound;  /* [tiles[axis] + 1] for each axis: bits of the least position in or beyond a tile */
  void *record;               /* [count][4] of 4 or 8 bytes: position, index in the list */
  mfft_particle_words *words;
} mfft_particle_sort_args;

typedef struct mfft_deposit_args {
  mfft_particle_cells cells;
  mfft_sorted_particles from;
  const void *value; /* [count][value_stride] weights, by the index in the list; NULL: all 1 */
  int value_double;  /* 1: weights are doubles; 0: floats */
  long long value_stride;
  double to[2];                   /* factors by which a weight becomes an integer (particles/scale.h) */
  unsigned long long *own, *rims; /* sums of own cells, and of ghost cells; NULL: shares of such cells are left out */
  long long own_start;            /* element of `own` that the first own cell has, or would have */
  int axis, lo, hi;               /* tiles that begin at own cells [lo, hi) of this axis are processed */
} mfft_deposit_args;

/* A deposit of particles that are not sorted. */
typedef struct mfft_direct_args {
  mfft_particle_cells cells;
  const void *position[3]; /* [axis][count][stride] */
  long long stride;
  int type; /* mfft_position_type */
  unsigned count;
  const void *value; /* as in mfft_deposit_args, like the next members */
  int value_double;
  long long value_stride;
  double to[2];
  unsigned long long *own, *rims;
  mfft_particle_words *words;
} mfft_direct_args;

typedef struct mfft_gather_args {
  mfft_particle_cells cells;
  mfft_sorted_particles from;
  const void *own[MFFT_GATHER_FIELDS];        /* [field] own cells of each field, with the strides of `cells` */
  const void *rims[MFFT_GATHER_FIELDS];       /* [field] its ghost cells */
  void *value[MFFT_GATHER_FIELDS];            /* [field][count][value_stride] results, by the index in the list */
  int value_double[MFFT_GATHER_FIELDS];       /* [field] 1: results are doubles; 0: floats */
  int add[MFFT_GATHER_FIELDS];                /* [field] 1: results are added to the numbers of `value` */
  long long value_stride[MFFT_GATHER_FIELDS]; /* [field] */
  /* With PARTICLE_SLOPES all fields are made of field 0: differences along an axis times a factor, or, for axis -1, field 0
   * itself. */
  int axis[MFFT_GATHER_FIELDS];      /* [field] */
  double factor[MFFT_GATHER_FIELDS]; /* [field] */
} mfft_gather_args;

/* Sums of own cells.  Axes go from the slowest in memory to the fastest, and rows that follow each other without gaps are
 * one row. */
typedef struct mfft_sums_of_cells_args {
  long long n[3], stride[3];      /* cells along each axis; their distances in elements */
  unsigned long long segments;    /* segments of a row, of MFFT_PARTICLE_CELLS cells; the last may be shorter */
  const unsigned long long *sums; /* [n], strides as above */
  void *out;                      /* [n], strides as above: zeros, or numbers of the mesh */
  long long mean;                 /* integer that is subtracted from each sum */
  double from[2];                 /* factors by which an integer becomes a weight */
  int single, add;                /* 1: numbers of the mesh are floats; they are added to those of `out` */
  mfft_particle_words *words;
} mfft_sums_of_cells_args;

typedef struct mfft_weights_args {
  const void *value; /* [count][value_stride] */
  int value_double;  /* 1: weights are doubles; 0: floats */
  long long value_stride;
  unsigned long long count;
  double unit[2]; /* factors by which weights are multiplied before they are rounded to integers */
  mfft_particle_words *words;
} mfft_weights_args;

#endif
