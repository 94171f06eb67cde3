# SPDX-License-Identifier: Apache-2.0
# The libraries that tune needs, each as a target tune::<name>. TUNE_STATIC links their archives.

function(tune_dependency name header library)
  if(TUNE_STATIC AND NOT name STREQUAL "cmocka")
    set(names lib${library}.a)
  else()
    set(names ${library})
  endif()
  find_path(TUNE_${name}_INCLUDE ${header})
  find_library(TUNE_${name}_LIBRARY NAMES ${names})
  if(NOT TUNE_${name}_INCLUDE OR NOT TUNE_${name}_LIBRARY)
    message(FATAL_ERROR "${header} or lib${library} is missing: run tuner/setup --test, or install the development package of lib${library}")
  endif()
  add_library(tune::${name} UNKNOWN IMPORTED)
  set_target_properties(tune::${name} PROPERTIES IMPORTED_LOCATION ${TUNE_${name}_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${TUNE_${name}_INCLUDE})
endfunction()

find_package(Threads REQUIRED)
tune_dependency(sqlite sqlite3.h sqlite3)
tune_dependency(jansson jansson.h jansson)
tune_dependency(xxhash xxhash.h xxhash)
tune_dependency(zstd zstd.h zstd)
tune_dependency(zlib zlib.h z)
if(TUNE_STATIC)
  set_property(TARGET tune::sqlite PROPERTY INTERFACE_LINK_LIBRARIES m ${CMAKE_DL_LIBS} Threads::Threads)
endif()

# NVRTC is opened at run time (tuner/device/cuda/library.c looks in the same places); the build only reports whether it is
# there.
find_file(nvrtc NAMES libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so NO_CACHE NO_DEFAULT_PATH
          PATHS ENV CUDA_HOME ENV CUDA_PATH ENV LD_LIBRARY_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64
                /usr/local/cuda
          PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib)
if(nvrtc)
  message(STATUS "CUDA run-time compiler: ${nvrtc}")
else()
  message(STATUS "CUDA run-time compiler (NVRTC): not found; until a CUDA Toolkit is installed, only the CPU device is available")
endif()
