#!/bin/sh
# man-pages.sh COMMAND SOURCE FOLDER: writes the manual pages into the folder: one of each subcommand, made from its --help, and
# mergefft(1), made from docs/man/mergefft.1.in, the list of commands and docs/environment.md.  So pages and program agree.
set -eu
program=$1
source=$2
folder=$3
version=$("$program" --version | awk '{ print $2 }')

page() { # NAME SUMMARY
  "$program" "$1" --help | awk -v name="$1" -v summary="$2" -v version="$version" '
  # roff takes a backslash, a leading dot or quote, and a hyphen that is a minus, for its own.
  function quote(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.\x27]/) text = "\\&" text
    return text
  }
  function section(title) {
    if (literal) print ".EE"
    literal = 0
    print ".SH " title
  }
  BEGIN {
    printf ".TH MERGEFFT\\-%s 1 \"\" \"mergefft %s\" \"mergefft manual\"\n", toupper(name), version
    section("NAME")
    print "mergefft\\-" name " \\- " quote(summary)
  }
  part == "" && /^Usage: / {
    section("SYNOPSIS")
    sub(/^Usage: /, "")
    print ".B " quote($0)
    section("DESCRIPTION")
    part = "description"
    getline
    next
  }
  part == "description" && /^Options/ { section("OPTIONS"); part = "options"; next }
  part != "" && /^Exit status: / {
    section("EXIT STATUS")
    sub(/^Exit status: /, "")
    print quote($0)
    part = "end"
    next
  }
  part == "description" && /^ / {
    if (!literal) print ".PP\n.EX"
    literal = 1
    print quote($0)
    next
  }
  part == "description" {
    if (literal) print ".EE"
    literal = 0
    if (!NF) { gap = 1; next }
    if (gap) print ".PP"
    gap = 0
    print quote($0)
    next
  }
  part == "options" && !NF { next }
  # The name and argument of an option stand left of column 30, its help from there on, or on the next line.
  part == "options" && /^  (    )?-/ {
    head = substr($0, 1, 29)
    tail = substr($0, 31)
    if (substr($0, 29, 2) ~ /[^ ]/) { head = $0; tail = "" }
    sub(/^ +/, "", head)
    sub(/ +$/, "", head)
    print ".TP\n.B " quote(head)
    if (tail != "") print quote(tail)
    next
  }
  part == "options" { sub(/^ +/, ""); print quote($0); next }
  END {
    section("SEE ALSO")
    print ".BR mergefft (1)"
    if (part != "end") { print "the help of " name " has no end" > "/dev/stderr"; exit 1 }
  }'
}

commands() { "$program" --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on'; }

overview() {
  commands | awk -v version="$version" '
    FILENAME == "-" { name = $1; $1 = ""; list = list ".TP\n.BR mergefft\\-" name " (1)\n" substr($0, 2) "\n"; next }
    FILENAME ~ /environment.md$/ {
      if (!/^\| `MFFT_/) next
      gsub(/`/, "")
      split($0, cell, / *\| */)
      variables = variables ".TP\n.B " cell[2] "\n" cell[4] (cell[3] == "" ? "" : " [" cell[3] "]") "\n"
      next
    }
    /@COMMANDS@/ { printf "%s", list; next }
    /@ENVIRONMENT@/ { printf "%s", variables; next }
    { gsub(/@VERSION@/, version); print }
  ' - "$source/docs/environment.md" "$source/docs/man/mergefft.1.in"
}

mkdir -p "$folder"
commands | while read -r name summary; do
  page "$name" "$summary" >"$folder/mergefft-$name.1.new"
  mv "$folder/mergefft-$name.1.new" "$folder/mergefft-$name.1"
done
overview >"$folder/mergefft.1.new" # the last, as the one whose time says that all are there
mv "$folder/mergefft.1.new" "$folder/mergefft.1"
