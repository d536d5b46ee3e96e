/* escape.c: makes texts from outside (names in files, paths, units) safe to print.  In a terminal or a log a control
 * character moves the cursor, a line break forges a line, and a Unicode direction mark reverses the text that is shown. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mfft.h"
#include "mfft_inspect.h"

enum { MOST_SHOWN = 16 }; /* bytes of one printed character with its terminating zero, at most "\u00000000" */

/* Invisible code points beyond ASCII that change how the text around them is shown, ascending. */
static const struct {
  uint32_t first, last;
} hidden[] = {{0x80, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f}, {0x2028, 0x202e},
              {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

static int is_hidden(uint32_t point) {
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (point >= hidden[i].first && point <= hidden[i].last) return 1;
  return 0;
}

/* Number of bytes of the UTF-8 character at `text`, and its code point.  Returns 0 if the bytes are not valid UTF-8;
 * overlong forms, surrogates and values beyond Unicode are not. */
static int character(const unsigned char *text, uint32_t *point) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}; /* [bytes - 1] */
  for (int bytes = 1; bytes <= 4; bytes++) {
    if ((text[0] & forms[bytes - 1].mask) != forms[bytes - 1].lead) continue;
    uint32_t value = text[0] & (unsigned char)~forms[bytes - 1].mask;
    for (int i = 1; i < bytes; i++) {
      if ((text[i] & 0xc0) != 0x80) return 0; /* the terminating zero fails this test too */
      value = value << 6 | (text[i] & 0x3f);
    }
    *point = value;
    return value >= forms[bytes - 1].least && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff) ? bytes : 0;
  }
  return 0;
}

/* Prints one character, or one byte that is not part of a valid character.  Returns the number of bytes consumed. */
static int show(const unsigned char *text, char shown[MOST_SHOWN]) {
  static const char named[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr"; /* the control characters that C has escapes for */
  uint32_t point = 0;
  int bytes = character(text, &point);
  const char *name = point ? strchr(named, point < 0x80 ? (int)point : 0) : NULL;
  if (name && *name)
    snprintf(shown, MOST_SHOWN, "\\%c", letters[name - named]);
  else if (bytes == 0 || point < 0x20 || point == 0x7f)
    snprintf(shown, MOST_SHOWN, "\\x%02x", text[0]);
  else if (is_hidden(point))
    snprintf(shown, MOST_SHOWN, "\\u%04x", (unsigned)point);
  else
    snprintf(shown, MOST_SHOWN, "%.*s", bytes, (const char *)text);
  return bytes ? bytes : 1;
}

size_t mfft_escape(const char *text, char *out, size_t size) {
  const unsigned char *at = (const unsigned char *)(text ? text : "");
  size_t whole = 0, written = 0;
  while (*at) {
    char shown[MOST_SHOWN];
    at += show(at, shown);
    const size_t length = strlen(shown);
    if (written == whole && written + length < size) {
      memcpy(out + written, shown, length);
      written += length;
    }
    whole += length;
  }
  if (size) out[written] = '\0';
  return whole;
}
