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

# tune_unite(tune_search united SOURCE...): what to compile in place of these sources. With TUNE_UNITE it is files that include
# a dozen of them each, whose names do not clash, as compilers spend most of their time on starting and on headers. A
# function main then has the name of its source before it, as lexer_test_main.
function(tune_unite target united)
  if(NOT TUNE_UNITE OR NOT ARGN)
    set(${united} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  execute_process(COMMAND awk -v limit=12 -v root=${PROJECT_SOURCE_DIR} -f ${PROJECT_SOURCE_DIR}/.cmake/unite.awk ${sources}
                  OUTPUT_VARIABLE grouped COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" grouped "${grouped}")
  set(groups "")
  foreach(line IN LISTS grouped)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words group source)
    list(APPEND groups ${group})
    cmake_path(GET source STEM stem)
    string(APPEND content_${group} "#define main ${stem}_main\n#include \"${source}\"\n#undef main\n")
    foreach(macro IN LISTS words)
      string(APPEND content_${group} "#undef ${macro}\n")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  set(files "")
  foreach(group IN LISTS groups)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${group}.c)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content_${group}}" @ONLY)
    list(APPEND files ${file})
  endforeach()
  set(${united} ${files} PARENT_SCOPE)
endfunction()

# tune_module(lang SOURCES lexer.c ... LINKS tune_error tune::xxhash)
function(tune_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  tune_unite(tune_${name} sources ${ARG_SOURCES})
  add_library(tune_${name} STATIC ${sources})
  target_link_libraries(tune_${name} PUBLIC tune_flags ${ARG_LINKS})
  if(TUNE_SANITIZE AND name MATCHES "^(engine|search|simulate|space)$") # where tests compute for longer than optimising takes
    target_compile_options(tune_${name} PRIVATE -O1)
  endif()
  # libFuzzer learns from branches everywhere, and from comparisons in what reads texts: calls at each would take most of the
  # time of what computes.
  if(TUNE_FUZZ AND name MATCHES "^(engine|evaluation|measure|search|select|simulate|space)$")
    target_compile_options(tune_${name} PRIVATE -fsanitize-coverage=inline-8bit-counters,pc-table)
  elseif(TUNE_FUZZ)
    target_compile_options(tune_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# tune_embed(device tune_cuda_words cpu/cuda_words.hpp tune_kernel_abi cpu/kernel_abi.h): embeds each file into a module as
#     extern const char tune_cuda_words[]; extern const size_t tune_cuda_words_size;
# followed by a NUL that the size does not count.
function(tune_embed module first)
  set(words ${first} ${ARGN})
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${first}.S)
  set(content "")
  while(words)
    list(POP_FRONT words symbol file)
    get_filename_component(path ${file} ABSOLUTE)
    set_property(SOURCE ${assembly} TARGET_DIRECTORY tune_${module} APPEND PROPERTY OBJECT_DEPENDS ${path})
    string(CONFIGURE [[
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
]] embedded @ONLY)
    string(APPEND content "${embedded}")
  endwhile()
  string(APPEND content [[
#ifdef __CET__ /* data fits every protection of control flow: or the linker would take it off the program */
    .section .note.gnu.property,"a"
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
#endif
    .section .note.GNU-stack,"",%progbits
]])
  file(CONFIGURE OUTPUT ${assembly} CONTENT "${content}" @ONLY)
  target_sources(tune_${module} PRIVATE ${assembly})
endfunction()
