# SPDX-License-Identifier: Apache-2.0
# The libraries that tune stands on, each as a target tune::<name>. With TUNE_STATIC their archives are linked.

function(tune_dependency name header library)
  if(TUNE_STATIC AND NOT name STREQUAL "cmocka")
    set(names lib${library}.a)
  else()
    set(names ${library})
  endif()
  find_path(TUNE_${name}_INCLUDE ${header})
  find_library(TUNE_${name}_LIBRARY NAMES ${names})
  if(NOT TUNE_${name}_INCLUDE OR NOT TUNE_${name}_LIBRARY)
    message(FATAL_ERROR "${header} or lib${library} is missing: run tuner/setup --test, or install lib${library}'s development package")
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

# Opened at run time (tuner/device/cuda/library.c looks in the same places), so the build does without it; it only says
# what to expect.
find_file(nvrtc NAMES libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so NO_CACHE NO_DEFAULT_PATH
          PATHS ENV CUDA_HOME ENV CUDA_PATH ENV LD_LIBRARY_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64
                /usr/local/cuda
          PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib)
if(nvrtc)
  message(STATUS "CUDA's run-time compiler: ${nvrtc}")
else()
  message(STATUS "No CUDA Toolkit was found (NVRTC library): until one is installed, the CPU device is what there is")
endif()
