# SPDX-License-Identifier: Apache-2.0
# The library for other programs: libtune.so, its header, libtune.a, what pkg-config and find_package(tune) say of them.
include(CMakePackageConfigHelpers)

# All modules that a module links, itself included, and the libraries outside of the project that they need.
function(tune_links_of module modules_out libraries_out)
  set(modules)
  set(libraries)
  set(queue ${module})
  while(queue)
    list(POP_FRONT queue next)
    if(next IN_LIST modules OR next IN_LIST libraries OR next STREQUAL "tune_flags")
      continue()
    elseif(next MATCHES "^tune_")
      list(APPEND modules ${next})
      get_target_property(links ${next} LINK_LIBRARIES)
      list(APPEND queue ${links})
    else()
      list(APPEND libraries ${next})
    endif()
  endwhile()
  set(${modules_out} ${modules} PARENT_SCOPE)
  set(${libraries_out} ${libraries} PARENT_SCOPE)
endfunction()
tune_links_of(tune_library modules libraries)

# What links libtune.a beside it. With TUNE_STATIC it holds those libraries, too, but for libc's, and is position
# independent (tuner/library/static_jansson.c), so that it may go into a shared library.
set(private -lm -lpthread ${CMAKE_DL_LIBS})
list(TRANSFORM private REPLACE "^(dl)$" "-l\\1")
set(archives)
foreach(library ${libraries})
  if(library MATCHES "^tune::")
    get_target_property(file ${library} IMPORTED_LOCATION)
    if(TUNE_STATIC)
      if(library STREQUAL "tune::jansson") # as --wrap=stdin does, on which ld -r of binutils 2.40 crashes
        set(own ${CMAKE_CURRENT_BINARY_DIR}/libjansson.a)
        add_custom_command(OUTPUT ${own} DEPENDS ${file} VERBATIM
                           COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=__wrap_stdin ${file} ${own})
        set(file ${own})
      endif()
      list(APPEND archives ${file})
    else()
      get_filename_component(name ${file} NAME)
      string(REGEX REPLACE "^lib([^.]*).*" "-l\\1" flag ${name})
      list(APPEND private ${flag})
    endif()
  endif()
endforeach()

# libtune.a is one object whose other names are local, so that a program's own functions, and its own SQLite, do not
# meet those inside. A sanitizer's functions would have to be in the program.
if(NOT TUNE_SANITIZE AND NOT TUNE_FUZZ)
  set(map ${PROJECT_SOURCE_DIR}/tuner/library/libtune.map)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
  file(STRINGS ${map} exported REGEX "^ +tune_[a-z_]+;")
  list(TRANSFORM exported REPLACE "[ ;]" "")
  list(JOIN exported "\n" exported)
  file(CONFIGURE OUTPUT exported.txt CONTENT "@exported@\n")

  set(static ${CMAKE_CURRENT_BINARY_DIR}/libtune.a)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/libtune.o)
  list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  list(POP_FRONT files entry)
  add_custom_command(OUTPUT ${static}
    COMMAND ${CMAKE_LINKER} -r -o ${object} --whole-archive ${entry} --no-whole-archive --start-group ${files} ${archives} --end-group
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${CMAKE_CURRENT_BINARY_DIR}/exported.txt ${object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${static}
    COMMAND ${CMAKE_AR} rcs ${static} ${object}
    COMMAND ${CMAKE_COMMAND} -E rm ${object}
    DEPENDS ${modules} ${archives} ${CMAKE_CURRENT_BINARY_DIR}/exported.txt
    COMMENT "Merging libtune.a" VERBATIM)
  add_custom_target(tune_static ALL DEPENDS ${static})
  install(FILES ${static} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

install(TARGETS tune_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/tuner/library/tune.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

list(JOIN private " " private_flags)
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
configure_file(tune.pc.in tune.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tune.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

get_target_property(interface tune_shared SOVERSION)
set(packages ${CMAKE_INSTALL_LIBDIR}/cmake/tune)
configure_package_config_file(tuneConfig.cmake.in tuneConfig.cmake INSTALL_DESTINATION ${packages}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(tuneConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tuneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/tuneConfigVersion.cmake
        DESTINATION ${packages})
