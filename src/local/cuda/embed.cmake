# Writes the files of kernels/ as C strings: cmake -DOUT=file -DFILES=a;b -P embed.cmake
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char text_${count}[] = {${bytes}0};\n")
  string(APPEND entries "  {\"${name}\", text_${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "/* made by embed.cmake */\n#include \"local/cuda/compile.h\"\n\n${arrays}\n"
  "const mfft_source mfft_sources[] = {\n${entries}  {0, 0}};\n")
