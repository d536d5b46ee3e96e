# The files that `cmake --install` puts into the prefix: the library, its headers, the command, man pages, and the two ways to find the library:
# find_package(mergefft CONFIG) and pkg-config mergefft.
include(CMakePackageConfigHelpers)

set(headers mfft.h mfft_kind.h mfft_memory.h mfft_array.h mfft_spectrum.h mfft_convolution.h mfft_direct.h mfft_inspect.h)
if(MFFT_MPI)
  list(APPEND headers mfft_mpi.h mfft_motion.h mfft_particles.h mfft_predict.h)
endif()
if(MFFT_HDF5)
  list(APPEND headers mfft_field.h mfft_field_direct.h mfft_snapshot.h)
endif()
list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/include/)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS mergefft EXPORT mergefft
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mergefft)
install(EXPORT mergefft NAMESPACE mergefft:: FILE mergefft-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/mergefft-config.cmake.in ${PROJECT_BINARY_DIR}/mergefft-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mergefft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mergefft-config.cmake ${PROJECT_BINARY_DIR}/mergefft-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindFFTW3.cmake DESTINATION ${package_dir})

# pkg-config knows no MPI by one name on every system, so the flags of the MPI that was found are written down.
set(pc_cflags "")
set(pc_libs "")
if(MFFT_MPI)
  foreach(dir IN LISTS MPI_C_INCLUDE_DIRS)
    string(APPEND pc_cflags " -I${dir}")
  endforeach()
  list(JOIN MPI_C_LIBRARIES " " pc_libs)
endif()
set(pc_private ${HDF5_C_LIBRARIES} ${FFTW3_LIBRARIES})
if(MFFT_LONG_DOUBLE)
  list(APPEND pc_private ${FFTW3_LONG_DOUBLE_LIBRARIES})
endif()
list(APPEND pc_private -lpthread -lm)
list(JOIN pc_private " " pc_private)
if(BUILD_SHARED_LIBS)
  set(pc_libs_private "Libs.private: ${pc_private}")
else()
  set(pc_libs "${pc_libs} ${pc_private}")
  set(pc_libs_private "Libs.private:")
endif()
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/mergefft.pc.in ${PROJECT_BINARY_DIR}/mergefft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mergefft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(MFFT_MPI)
  install(TARGETS mergefft_command DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/apps/info/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/mergefft)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/mergefft USE_SOURCE_PERMISSIONS)

  # Manual pages come from the program itself, which therefore has to run here.
  set(man_dir ${PROJECT_BINARY_DIR}/man/man1)
  if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT ${man_dir}/mergefft.1
      COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
        sh ${CMAKE_CURRENT_LIST_DIR}/man-pages.sh $<TARGET_FILE:mergefft_command> ${PROJECT_SOURCE_DIR} ${man_dir}
      DEPENDS mergefft_command ${CMAKE_CURRENT_LIST_DIR}/man-pages.sh ${PROJECT_SOURCE_DIR}/docs/environment.md
        ${PROJECT_SOURCE_DIR}/docs/man/mergefft.1.in
      COMMENT "Writing the manual pages" VERBATIM)
    add_custom_target(man_pages ALL DEPENDS ${man_dir}/mergefft.1)
    # A build of the command alone has none, or old ones.
    install(CODE "
      set(program \"$<TARGET_FILE:mergefft_command>\")
      if(\"\${program}\" IS_NEWER_THAN \"${man_dir}/mergefft.1\") # or the page is not there
        message(STATUS \"Writing the manual pages\")
        execute_process(COMMAND \"${CMAKE_COMMAND}\" -E env ASAN_OPTIONS=detect_leaks=0
          sh \"${CMAKE_CURRENT_LIST_DIR}/man-pages.sh\" \"\${program}\" \"${PROJECT_SOURCE_DIR}\" \"${man_dir}\" RESULT_VARIABLE failed)
        if(failed)
          message(WARNING \"no manual pages are installed: \${program} does not run here\")
        endif()
      endif()")
    install(DIRECTORY ${man_dir} DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
  else()
    install(CODE "message(STATUS \"No manual pages are installed: the program that writes them cannot run here\")")
  endif()
endif()

# Programs to copy.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/mergefft)

# README.md, and all that it links to.
set(documents README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md)
list(TRANSFORM documents PREPEND ${PROJECT_SOURCE_DIR}/)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)

# Target "uninstall".
configure_file(${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake.in ${PROJECT_BINARY_DIR}/uninstall.cmake @ONLY)
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake
    COMMENT "Removing what was installed" VERBATIM)
endif()
