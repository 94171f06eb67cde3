# SPDX-License-Identifier: Apache-2.0
# One static library per folder, so that the link graph is the README's drawing of the house: arrows point down, no
# cycles.

add_library(tune_flags INTERFACE)
target_include_directories(tune_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(tune_flags INTERFACE _GNU_SOURCE TUNE_VERSION="${PROJECT_VERSION}")
target_compile_options(tune_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion>)
if(TUNE_SANITIZE)
  target_compile_options(tune_flags INTERFACE -fsanitize=${TUNE_SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(tune_flags INTERFACE -fsanitize=${TUNE_SANITIZE})
  target_compile_definitions(tune_flags INTERFACE TUNE_SANITIZED) # see tuner/workers/confinement.c
endif()
include(.cmake/hardening.cmake)
set(CMAKE_C_VISIBILITY_PRESET hidden) # libtune.so exports what tuner/library/libtune.map lists

# tune_module(lang SOURCES lexer.c ... LINKS tune_error tune::xxhash)
function(tune_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(tune_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(tune_${name} PUBLIC tune_flags ${ARG_LINKS})
  if(TUNE_FUZZ)
    target_compile_options(tune_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# tune_embed(device tune_cpu_runtime cpu/cuda_words.hpp): embeds a file into a module as
#     extern const char tune_cpu_runtime[]; extern const size_t tune_cpu_runtime_size;
# followed by a NUL that the size does not count.
function(tune_embed module symbol file)
  get_filename_component(path ${file} ABSOLUTE)
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(CONFIGURE OUTPUT ${assembly} CONTENT [[
    .section .rodata
    .global @symbol@
    .hidden @symbol@
    .global @symbol@_size
    .hidden @symbol@_size
    .balign 16
@symbol@:
    .incbin "@path@"
1:  .byte 0
    .balign 8
@symbol@_size:
    .quad 1b - @symbol@
#ifdef __CET__ /* data fits every protection of control flow: or the linker would take it off the program */
    .section .note.gnu.property,"a"
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
#endif
    .section .note.GNU-stack,"",%progbits
]] @ONLY)
  set_property(SOURCE ${assembly} TARGET_DIRECTORY tune_${module} APPEND PROPERTY OBJECT_DEPENDS ${path})
  target_sources(tune_${module} PRIVATE ${assembly})
endfunction()
