/* binary_format.c: one file of a GADGET snapshot in format 1 or 2: records, first the header of 256 bytes, then a block for
 * each column with all particles that have it, by type.  In format 2 a record of 8 bytes with a name of four letters
 * precedes each block.  Layout: the user guide of GADGET-2 (Springel 2005), sections 6.1 and 6.2. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "field/convert.h"
#include "snapshot/format.h"
#include "snapshot/records.h"

enum { TYPES = 6, HEADER_BYTES = 256, NAME_BYTES = 8 };

/* The particles that have a block. */
typedef enum holders { ALL, WITHOUT_MASS, GAS } holders;

/* The supported blocks, in the order of format 1, which has no names and only those blocks that are not `named`. */
static const struct {
  const char *letters, *column;
  int components, integer;
  holders who;
  int named; /* 1: only format 2 identifies it */
} blocks[] = {
    {"POS ", "Coordinates", 3, 0, ALL, 0},     {"VEL ", "Velocities", 3, 0, ALL, 0},
    {"ID  ", "ParticleIDs", 1, 1, ALL, 0},     {"MASS", "Masses", 1, 0, WITHOUT_MASS, 0},
    {"U   ", "InternalEnergy", 1, 0, GAS, 0},  {"RHO ", "Density", 1, 0, GAS, 0},
    {"HSML", "SmoothingLength", 1, 0, GAS, 0}, {"POT ", "Potential", 1, 0, ALL, 1},
    {"ACCE", "Acceleration", 3, 0, ALL, 1},
};
enum { BLOCKS = sizeof blocks / sizeof *blocks, BASIC_BLOCKS = 4 }; /* basic: from POS to MASS */

/* ---- The header ------------------------------------------------------------------------------------------------------- */

static uint32_t first_number(const unsigned char *start, int big) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) value |= (uint32_t)start[big ? 3 - i : i] << 8 * i;
  return value;
}

static int begins(const mfft_snap_start *start, uint32_t mark) {
  return start->count == sizeof start->byte &&
         (first_number(start->byte, 0) == mark || first_number(start->byte, 1) == mark);
}
static int is_format1(const mfft_snap_start *start) { return begins(start, HEADER_BYTES); }
static int is_format2(const mfft_snap_start *start) {
  return begins(start, NAME_BYTES) && !memcmp(start->byte + 4, "HEAD", 4);
}

/* Offsets in the record of the header. */
enum {
  HERE = 0,
  MASS = 24,
  TIME = 72,
  REDSHIFT = 80,
  TOTAL = 96,
  FILES = 124,
  BOX = 128,
  OMEGA_M = 136,
  OMEGA_LAMBDA = 144,
  HUBBLE = 152,
  HIGH = 168
};

static void parse(const mfft_records *r, const unsigned char *bytes, mfft_snap_header *header) {
  mfft_snapshot_info *info = &header->info;
  int64_t all = 0;
  info->types = TYPES;
  for (int type = 0; type < TYPES; type++) {
    header->here[type] = mfft_records_u32(r, bytes + HERE + 4 * type);
    info->count[type] =
        (int64_t)mfft_records_u32(r, bytes + HIGH + 4 * type) << 32 | mfft_records_u32(r, bytes + TOTAL + 4 * type);
    info->mass[type] = mfft_records_f64(r, bytes + MASS + 8 * type);
    header->masses[type] = info->mass[type] == 0 && header->here[type] > 0;
    all += info->count[type];
  }
  if (all == 0) memcpy(info->count, header->here, sizeof info->count); /* codes that write one file omit the totals */
  const uint32_t files = mfft_records_u32(r, bytes + FILES);
  info->files = files == 0 ? 1 : files <= INT_MAX ? (int)files : 0;
  info->time = mfft_records_f64(r, bytes + TIME);
  info->redshift = mfft_records_f64(r, bytes + REDSHIFT);
  for (int axis = 0; axis < 3; axis++) info->box_size[axis] = mfft_records_f64(r, bytes + BOX);
  info->omega_m = mfft_records_f64(r, bytes + OMEGA_M);
  info->omega_lambda = mfft_records_f64(r, bytes + OMEGA_LAMBDA);
  info->h = mfft_records_f64(r, bytes + HUBBLE);
  info->has_cosmology = info->omega_m > 0 && info->h > 0;
  info->big_endian = r->swapped != mfft_big_endian_machine();
}

/* Skips the record with the name of a block; letters: its first four bytes. */
static mfft_status take_name(mfft_records *r, unsigned char letters[4], int *there) {
  const int64_t length = NAME_BYTES;
  int64_t offset;
  int match;
  MFFT_TRY(mfft_records_next(r, "name", &length, 1, &offset, &match));
  *there = match == 0;
  return match == 0 ? mfft_records_read(r, letters, 4, offset) : MFFT_SUCCESS;
}

/* Opens the file in the byte order of its first marker and reads the header; closes it after a failure. */
static mfft_status open_records(const char *path, int format2, mfft_records *r, unsigned char bytes[HEADER_BYTES]) {
  const int64_t length = HEADER_BYTES;
  unsigned char letters[4];
  uint32_t mark;
  int64_t left, offset;
  int match, there;
  MFFT_TRY(mfft_records_open(path, 0, r));
  MFFT_TRY(mfft_records_mark(r, &mark, &left));
  r->swapped = mark != (uint32_t)(format2 ? NAME_BYTES : HEADER_BYTES);
  if (format2) MFFT_TRY(take_name(r, letters, &there));
  MFFT_TRY(mfft_records_next(r, "header", &length, 1, &offset, &match));
  if (match < 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "%s: the header is not a record of 256 bytes; convert the snapshot to GADGET's HDF5", path);
  return mfft_records_read(r, bytes, HEADER_BYTES, offset);
}

static mfft_status read_header(const char *path, int format2, mfft_snap_header *header) {
  mfft_records r;
  unsigned char bytes[HEADER_BYTES];
  memset(header, 0, sizeof *header);
  mfft_snapshot_info_init(&header->info);
  header->info.format = format2 ? MFFT_SNAPSHOT_GADGET2 : MFFT_SNAPSHOT_GADGET1;
  mfft_status status = open_records(path, format2, &r, bytes);
  if (status == MFFT_SUCCESS) parse(&r, bytes, header);
  mfft_records_close(&r);
  return status == MFFT_SUCCESS ? mfft_snap_check_header(path, header) : status;
}

/* ---- Columns ---------------------------------------------------------------------------------------------------------- */

/* The number of particles of a type in block b. */
static int64_t block_particles(const mfft_snap_header *header, int b, int type) {
  if (blocks[b].who == GAS && type != 0) return 0;
  return blocks[b].who == WITHOUT_MASS && !header->masses[type] ? 0 : header->here[type];
}

static int64_t held_before(const mfft_snap_header *header, int b, int type) {
  int64_t all = 0;
  for (int t = 0; t < type; t++) all += block_particles(header, b, t);
  return all;
}

/* The description of a block. */
typedef struct found_block {
  int64_t offset;
  int element_bytes; /* 0: the file does not have the block */
} found_block;

/* Reads the next record as block b. */
static mfft_status take_block(mfft_records *r, const mfft_snap_header *header, int b, found_block *found) {
  const int64_t values = held_before(header, b, TYPES) * blocks[b].components, length[2] = {4 * values, 8 * values};
  int match;
  *found = (found_block){0};
  if (values == 0) return MFFT_SUCCESS;
  MFFT_TRY(mfft_records_next(r, blocks[b].letters, length, 2, &found->offset, &match));
  if (match >= 0) found->element_bytes = match ? 8 : 4;
  return MFFT_SUCCESS;
}

static mfft_status fail_length(const mfft_records *r, int b) {
  uint32_t mark;
  int64_t left;
  MFFT_TRY(mfft_records_mark(r, &mark, &left));
  if (left < 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s ends before block %s; copy it again from its source", r->path, blocks[b].letters);
  return mfft_fail(
      MFFT_ERR_CORRUPT,
      "%s: block %s has %" PRIu32
      " bytes according to its marker, which is not 4 or 8 for each number of the particles in the header; copy "
      "the file again",
      r->path, blocks[b].letters, mark);
}

/* Finds the blocks of format 1, where a block is identified by its length alone.  The first three blocks always exist, and
 * Masses if the header has types without a mass. */
static mfft_status scan_unnamed(mfft_records *r, const mfft_snap_header *header, found_block found[BLOCKS]) {
  for (int b = 0; b < BLOCKS && !blocks[b].named; b++) {
    MFFT_TRY(take_block(r, header, b, &found[b]));
    if (!found[b].element_bytes && held_before(header, b, TYPES) > 0) {
      if (blocks[b].who != GAS) return fail_length(r, b);
      break;
    }
  }
  return MFFT_SUCCESS;
}

/* Skips a block of an unknown name by its marker. */
static mfft_status pass_block(mfft_records *r, const unsigned char letters[4]) {
  uint32_t mark;
  int64_t left, length, offset;
  int match;
  char name[8] = "";
  memcpy(name, letters, 4);
  MFFT_TRY(mfft_records_mark(r, &mark, &left));
  length = mark;
  MFFT_TRY(mfft_records_next(r, name, &length, 1, &offset, &match));
  return match == 0 ? MFFT_SUCCESS
                    : mfft_fail(MFFT_ERR_CORRUPT, "%s ends before block %s; copy it again from its source", r->path, name);
}

static mfft_status scan_named(mfft_records *r, const mfft_snap_header *header, found_block found[BLOCKS]) {
  unsigned char letters[4];
  uint32_t mark;
  int64_t left;
  for (;;) {
    int there, b = 0;
    MFFT_TRY(mfft_records_mark(r, &mark, &left));
    if (left < 0) return MFFT_SUCCESS;
    MFFT_TRY(take_name(r, letters, &there));
    if (!there)
      return mfft_fail(MFFT_ERR_CORRUPT,
                       "%s: a block at byte %" PRId64 " has no name before it; copy the file again from its source", r->path,
                       r->at);
    while (b < BLOCKS && memcmp(blocks[b].letters, letters, 4) != 0) b++;
    if (b == BLOCKS || held_before(header, b, TYPES) == 0) {
      MFFT_TRY(pass_block(r, letters));
      continue;
    }
    MFFT_TRY(take_block(r, header, b, &found[b]));
    if (found[b].element_bytes) continue;
    if (b < BASIC_BLOCKS) return fail_length(r, b);
    MFFT_TRY(pass_block(r, letters)); /* programs give other blocks to other types too, and then it is unclear to which */
  }
}

static mfft_status scan(const char *path, const mfft_snap_header *header, found_block found[BLOCKS], int64_t *file_bytes) {
  const int format2 = header->info.format == MFFT_SNAPSHOT_GADGET2;
  mfft_records r;
  unsigned char bytes[HEADER_BYTES];
  memset(found, 0, BLOCKS * sizeof *found);
  mfft_status status = open_records(path, format2, &r, bytes);
  if (status == MFFT_SUCCESS) status = (format2 ? scan_named : scan_unnamed)(&r, header, found);
  *file_bytes = r.bytes;
  mfft_records_close(&r);
  return status;
}

static mfft_number_kind kind_of(int b) { return blocks[b].integer ? MFFT_NUMBER_UNSIGNED : MFFT_NUMBER_FLOAT; }

static mfft_status look_column(const char *path, const mfft_snap_header *header, int type, const char *name,
                               mfft_source *source, uint64_t **sums) {
  found_block found[BLOCKS];
  int64_t file_bytes;
  int b = 0;
  *sums = NULL;
  MFFT_TRY(scan(path, header, found, &file_bytes));
  while (b < BLOCKS && strcmp(blocks[b].column, name) != 0) b++;
  if (b == BLOCKS || !found[b].element_bytes || block_particles(header, b, type) == 0)
    return mfft_fail(MFFT_ERR_ARG, "%s: there is no column %s of particles of type %d; mfft_snapshot_columns lists them",
                     path, name, type);
  mfft_dataset data = {.rank = blocks[b].components > 1 ? 2 : 1,
                       .n = {block_particles(header, b, type), blocks[b].components, 1}};
  data.element_bytes = found[b].element_bytes;
  data.big_endian = header->info.big_endian;
  data.number = kind_of(b);
  data.offset = found[b].offset + held_before(header, b, type) * blocks[b].components * data.element_bytes;
  memset(source, 0, sizeof *source);
  source->kind = MFFT_DATASET_COLUMN;
  source->file_bytes = file_bytes;
  strcpy(source->info.dataset, name);
  mfft_source_keep(&data, source);
  return MFFT_SUCCESS;
}

static mfft_status list_columns(const char *path, const mfft_snap_header *header, int type, mfft_snapshot_column *column,
                                int most, int *count) {
  found_block found[BLOCKS];
  int64_t file_bytes;
  *count = 0;
  MFFT_TRY(scan(path, header, found, &file_bytes));
  for (int b = 0; b < BLOCKS; b++) {
    if (!found[b].element_bytes || block_particles(header, b, type) == 0) continue;
    if (*count < most) {
      column[*count] = (mfft_snapshot_column){.type = type, .components = blocks[b].components};
      column[*count].number = mfft_snap_number(kind_of(b), found[b].element_bytes);
      strcpy(column[*count].name, blocks[b].column);
    }
    ++*count;
  }
  return MFFT_SUCCESS;
}

static mfft_status read_header1(const char *path, mfft_snap_header *header) { return read_header(path, 0, header); }
static mfft_status read_header2(const char *path, mfft_snap_header *header) { return read_header(path, 1, header); }

const mfft_snap_format mfft_snap_gadget1 = {is_format1, read_header1, look_column, list_columns};
const mfft_snap_format mfft_snap_gadget2 = {is_format2, read_header2, look_column, list_columns};
