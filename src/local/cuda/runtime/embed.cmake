# Writes the files of kernels/ as C strings, and a hash of all of them: cmake -DOUT=file -DFILES=a;b -P embed.cmake
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(APPEND all "${name} ${hex} ")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char text_${count}[] = {${bytes}0};\n")
  string(APPEND names "  \"${name}\",\n")
  string(APPEND texts "  text_${count},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(MD5 hash "${all}")
file(WRITE ${OUT} "/* made by embed.cmake */\n#include \"local/cuda/runtime/sources.h\"\n\n${arrays}\n"
  "const int mfft_kernel_file_count = ${count};\n"
  "const char *const mfft_kernel_file_names[] = {\n${names}};\n"
  "const char *const mfft_kernel_file_texts[] = {\n${texts}};\n"
  "const char mfft_kernel_files_hash[] = \"${hash}\";\n")
