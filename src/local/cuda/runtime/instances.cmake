# Compiles the kernels of instances.txt: cmake -DNVCC=nvcc -DFOLDER=src/local/cuda -DOUT=folder -P instances.cmake
# An error stops the build; registers and spills of each kernel go to OUT/instances.log.  Spills are also reported during the build;
# spills of a few words cost nothing measurable, so a warning begins at 64 bytes.
file(MAKE_DIRECTORY ${OUT})
file(STRINGS ${FOLDER}/runtime/instances.txt lines REGEX "^[^#]")
set(defaults PRECISION=1 N=256 R0=16 R1=16 R2=1 R3=1 R4=1 R5=1 R6=1 R7=1 MERGES=2 LINES=16 THREADS=16 SIGN=-1 MAP_IN=0 MAP_MID=0
  MAP_OUT=0 LOAD=0 STORE=0 STAGED_IN=0 STAGED_OUT=0 OUTER=0 OUTER_ALSO=0 OUTER_PART=0 MIRROR=0 SCALED=0 LOOPS=1 WIDE=0 UNIT_IN=1 UNIT_OUT=1 SPLIT=0 MIN_BLOCKS=1
  EXCHANGE_BYTES=65536 VECTOR=0 LAST_USE=0 TWO_AREAS=0 PERSISTENT=0 SHARES=0 ALIKE=0 WIRE=0 GAP=16 FETCH=0 EXACT=0 BLUESTEIN=0 BLUESTEIN_LOOP=0 FILTER=0 FILTER_UNIT=0 TRIGONOMETRIC=0 OPPOSITE=0 CONVOLVED=0 PADDED=0 GATHERS=0 CLUSTER=1
  COLUMNS=1 APART=0 BETWEEN=0 IN_STRIDE=0 OUT_STRIDE=0
  SECOND_N=256 SECOND_MERGES=2 SECOND_LINES=16 SECOND_THREADS=16 SECOND_R0=16 SECOND_R1=16 SECOND_R2=1 SECOND_R3=1 SECOND_R4=1
  SECOND_R5=1 SECOND_R6=1 SECOND_R7=1)
file(GLOB_RECURSE kernels ${FOLDER}/kernels/*)
set(includes "")
foreach(kernel IN LISTS kernels)
  cmake_path(GET kernel PARENT_PATH folder)
  list(APPEND includes -I${folder})
endforeach()
list(APPEND includes -I${FOLDER}/../../base) # arithmetic that the host has too
list(REMOVE_DUPLICATES includes)
set(log "")
foreach(line IN LISTS lines)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words name source arch)
  set(definitions "")
  foreach(word IN LISTS defaults words) # a later definition of the same name wins
    string(REGEX REPLACE "=.*" "" key ${word})
    string(REGEX REPLACE ".*=" "" value ${word})
    set(value_${key} ${value})
  endforeach()
  foreach(word IN LISTS defaults)
    string(REGEX REPLACE "=.*" "" key ${word})
    list(APPEND definitions -DPASS_${key}=${value_${key}})
  endforeach()
  foreach(key IN ITEMS COPY_BYTES SIGNAL_SENDS SIGNAL_NOTICE_S WIRE_DOUBLE WIRE_COMPONENTS WIRE_PACKS RESIZE_DOUBLE RESIZE_NARROWS FILTER_REAL
      TRIGONOMETRIC_KIND TRIGONOMETRIC_BY TRIGONOMETRIC_STORES
      PARTICLE_STEP PARTICLE_ORDER PARTICLE_LOW PARTICLE_HIGH PARTICLE_FIELDS PARTICLE_DOUBLE) # words of sources that are no passes
    if(DEFINED value_${key})
      list(APPEND definitions -D${key}=${value_${key}})
    endif()
  endforeach()
  set(file ${kernels})
  list(FILTER file INCLUDE REGEX "/${source}$")
  execute_process(COMMAND ${NVCC} -arch=sm_${arch} -std=c++17 -cubin -Xptxas -v ${includes} ${definitions} -o ${OUT}/${name}.cubin
    ${file} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "kernel ${name} (${source}, sm_${arch}) does not compile:\n${text}")
  endif()
  string(REGEX MATCH "Used ([0-9]+) registers" match "${text}")
  set(registers ${CMAKE_MATCH_1})
  string(REGEX MATCH "([0-9]+) bytes spill stores" match "${text}")
  set(spill ${CMAKE_MATCH_1})
  string(APPEND log "${name}: ${registers} registers, ${spill} bytes spilled\n")
  if(spill GREATER 64)
    message(WARNING "kernel ${name} spills ${spill} bytes")
  elseif(spill GREATER 0)
    message(STATUS "kernel ${name} spills ${spill} bytes")
  endif()
endforeach()
file(WRITE ${OUT}/instances.log "${log}")
