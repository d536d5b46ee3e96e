/* machine.c: see machine.h. */
#include "info/machine.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/cli.h"
#include "cli/report.h"

enum { MOST_BYTES = 1 << 16 };
static const char first_line[] = "mergefft machine 1";

/* A number that is a field of its own. */
typedef struct key {
  const char *name;
  size_t offset;
  double min, max;
} key;

#define AT(field) offsetof(mfft_machine, field)
static const key keys[] = {{"memory_bytes", AT(memory_bytes), 1e6, 1e15},
                           {"memory_bandwidth", AT(memory_bandwidth), 1e6, 1e15},
                           {"copy_bandwidth", AT(copy_bandwidth), 1e6, 1e15},
                           {"flops_double", AT(flops[0]), 1e6, 1e17},
                           {"flops_single", AT(flops[1]), 1e6, 1e17},
                           {"real_rows", AT(real_rows), 0.5, 4},
                           {"scatter", AT(scatter), 0.5, 4},
                           {"stage_s", AT(stage_s), 0, 1},
                           {"near_bandwidth", AT(near_bandwidth), 1e3, 1e15},
                           {"near_message_s", AT(near_message_s), 0, 1},
                           {"near_memory", AT(near_memory), 0.1, 100},
                           {"near_latency_s", AT(near_latency_s), 0, 1},
                           {"far_bandwidth", AT(far_bandwidth), 1e3, 1e15},
                           {"node_bandwidth", AT(node_bandwidth), 1e3, 1e15},
                           {"far_message_s", AT(far_message_s), 0, 1},
                           {"far_latency_s", AT(far_latency_s), 0, 1},
                           {"far_share", AT(far_share), 0.01, 1}};
#undef AT
enum { KEYS = sizeof keys / sizeof *keys };

/* A choice between two words: the field is the index of the one given. */
typedef struct choice {
  const char *name, *words, *remedy;
  size_t offset;
  int measured; /* 1: a line of it needs a source */
} choice;

static const choice choices[] = {{"memory", "device|host", "write host or device", offsetof(mfft_machine, host_memory), 0},
                                 {"far_overlaps", "0|1", "write 0 or 1", offsetof(mfft_machine, far_overlaps), 1}};
enum { CHOICES = sizeof choices / sizeof *choices, MEMORY = 0 };

static double *field_of(mfft_machine *machine, const key *k) { return (double *)(void *)((char *)machine + k->offset); }

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

typedef struct reader {
  const char *name;
  int line;
  mfft_machine_text *out;
  unsigned seen;       /* bit k: keys[k] */
  unsigned has_choice; /* bit c: choices[c] */
} reader;

static mfft_status wrong(const reader *r, const char *what, const char *value, const char *remedy) {
  return mfft_app_fail(MFFT_ERR_ARG, "machine '%s', line %d: %s '%s'; %s", r->name, r->line, what, value, remedy);
}

static char *trim(char *text) {
  text += strspn(text, " \t\r");
  size_t length = strlen(text);
  while (length && strchr(" \t\r", text[length - 1])) text[--length] = 0;
  return text;
}

/* Cuts the first word off; the rest of the text. */
static char *next_word(char **text) {
  char *word = *text + strspn(*text, " \t");
  char *end = word + strcspn(word, " \t");
  *text = *end ? end + 1 : end;
  *end = 0;
  return word;
}

static mfft_status read_number(const reader *r, const char *what, const char *text, double min, double max, double *value) {
  char why[MFFT_CLI_WHY_BYTES];
  if (mfft_cli_read_real(text, min, max, value, why) == 0) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "machine '%s', line %d: %s is '%s', which %s", r->name, r->line, what, text, why);
}

/* passes contiguous|strided N PASSES */
static mfft_status read_passes(const reader *r, char *rest) {
  mfft_machine *m = &r->out->machine;
  const char *list = next_word(&rest), *length = next_word(&rest), *passes = trim(rest);
  const int strided = strcmp(list, "strided") == 0;
  double n, value;
  if (!strided && strcmp(list, "contiguous") != 0)
    return wrong(r, "passes of", list, "write passes contiguous, or passes strided, a length and a number");
  int *count = strided ? &m->strided_count : &m->contiguous_count;
  mfft_machine_pass *pass = strided ? m->strided : m->contiguous;
  mfft_status status = read_number(r, "the length", length, 1, 1e12, &n);
  if (status == MFFT_SUCCESS) status = read_number(r, "passes", passes, 0.01, 1000, &value);
  if (status != MFFT_SUCCESS) return status;
  if (*count == MFFT_MACHINE_PASSES) return wrong(r, "one length too many,", length, "give at most 16 in a list");
  if (*count && (double)pass[*count - 1].n >= n) return wrong(r, "length", length, "give lengths in ascending order");
  pass[(*count)++] = (mfft_machine_pass){(int64_t)n, value};
  return MFFT_SUCCESS;
}

/* Notes that a line of the bit has been read; one before is an error. */
static mfft_status note_line(reader *r, unsigned *lines, int bit, const char *name) {
  if (*lines >> bit & 1) return wrong(r, "a second", name, "keep one of the lines");
  *lines |= 1u << bit;
  return MFFT_SUCCESS;
}

static mfft_status read_choice(reader *r, int c, const char *value) {
  const int index = mfft_cli_choice(choices[c].words, value);
  if (index < 0) return wrong(r, choices[c].name, value, choices[c].remedy);
  memcpy((char *)&r->out->machine + choices[c].offset, &index, sizeof index);
  return note_line(r, &r->has_choice, c, choices[c].name);
}

static mfft_status read_key(reader *r, int k, const char *value) {
  const mfft_status status = note_line(r, &r->seen, k, keys[k].name);
  if (status != MFFT_SUCCESS) return status;
  return read_number(r, keys[k].name, value, keys[k].min, keys[k].max, field_of(&r->out->machine, &keys[k]));
}

/* The index of the choice of that name; -1: there is none. */
static int find_choice(const char *name) {
  int c = CHOICES - 1;
  while (c >= 0 && strcmp(name, choices[c].name) != 0) c--;
  return c;
}

static mfft_status read_value(reader *r, const char *name, char *rest) {
  if (!strcmp(name, "passes")) return read_passes(r, rest);
  const int c = find_choice(name);
  if (c >= 0) return read_choice(r, c, trim(rest));
  for (int k = 0; k < KEYS; k++)
    if (!strcmp(name, keys[k].name)) return read_key(r, k, trim(rest));
  return wrong(r, "unknown key", name, "docs/scaling.md has the keys");
}

static mfft_status read_line(reader *r, char *line) {
  char *source = strchr(line, '#');
  if (source) *source++ = 0;
  char *rest = trim(line);
  if (!*rest) return MFFT_SUCCESS;
  const char *name = next_word(&rest);
  if (!strcmp(name, "title")) {
    snprintf(r->out->title, sizeof r->out->title, "%s", trim(rest));
    return MFFT_SUCCESS;
  }
  const int c = find_choice(name), measured = c < 0 || choices[c].measured;
  if (measured && (!source || !*trim(source)))
    return wrong(r, "no source of", name, "write after # where the number is from");
  return read_value(r, name, rest);
}

/* The cheapest machine that a rank can have: a bandwidth of memory. */
static mfft_status check_whole(const reader *r) {
  const mfft_machine *m = &r->out->machine;
  const char *missing = !(r->has_choice >> MEMORY & 1) ? "memory" : !(m->memory_bandwidth > 0) ? "memory_bandwidth" : NULL;
  if (!missing && m->host_memory && !(m->flops[0] > 0)) missing = "flops_double";
  if (!missing) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "machine '%s' has no line %s; docs/scaling.md has the keys", r->name, missing);
}

mfft_status mfft_machine_parse(const char *name, char *text, mfft_machine_text *machine) {
  reader r = {.name = name, .out = machine};
  mfft_status status = MFFT_SUCCESS;
  memset(machine, 0, sizeof *machine);
  mfft_machine_init(&machine->machine);
  for (char *line = text, *next; line && status == MFFT_SUCCESS; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    r.line++;
    if (r.line > 1)
      status = read_line(&r, line);
    else if (strcmp(trim(line), first_line))
      status = wrong(&r, "no machine begins with", line, "give a file that begins with 'mergefft machine 1'");
  }
  return status == MFFT_SUCCESS ? check_whole(&r) : status;
}

static const char *built_in(const char *name) {
  for (int i = 0; mfft_machines[i].name; i++)
    if (!strcmp(mfft_machines[i].name, name)) return mfft_machines[i].text;
  return NULL;
}

mfft_status mfft_machine_load(const char *name, mfft_machine_text *machine) {
  char why[MFFT_WHY_BYTES], known[512] = "", *text = NULL;
  const char *inside = built_in(name);
  size_t length;
  if (inside) {
    text = malloc(strlen(inside) + 1);
    if (!text) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for machine '%s'", name);
    strcpy(text, inside);
  } else if (mfft_file_read(name, MOST_BYTES, &text, &length, why)) {
    for (int i = 0; mfft_machines[i].name; i++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", mfft_machines[i].name);
    return mfft_app_fail(MFFT_ERR_IO, "machine '%s' is none of %s, and no file: %s", name, known, why);
  }
  const mfft_status status = mfft_machine_parse(name, text, machine);
  free(text);
  return status;
}

/* ---- Writing --------------------------------------------------------------------------------------------------------- */

static void write_passes(FILE *out, const char *list, const mfft_machine_pass *pass, int count, const char *source) {
  for (int i = 0; i < count; i++)
    fprintf(out, "passes %-10s %lld %.3g  # %s\n", list, (long long)pass[i].n, pass[i].passes, source);
}

void mfft_machine_write(FILE *out, const mfft_machine_text *text, const char *source) {
  mfft_machine m = text->machine;
  fprintf(out, "%s\ntitle             %s\nmemory            %s\n", first_line, text->title,
          m.host_memory ? "host" : "device");
  for (int k = 0; k < KEYS; k++)
    if (*field_of(&m, &keys[k]) > 0) fprintf(out, "%-17s %.4g  # %s\n", keys[k].name, *field_of(&m, &keys[k]), source);
  if (m.host_memory) fprintf(out, "far_overlaps      %d  # %s\n", m.far_overlaps, source);
  write_passes(out, "contiguous", m.contiguous, m.contiguous_count, source);
  write_passes(out, "strided", m.strided, m.strided_count, source);
}
