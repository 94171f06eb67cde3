# SPDX-License-Identifier: Apache-2.0
# What makes memory errors of the program itself harder to exploit, as far as compiler and linker know it.
# tests/program/hardening.test.mjs reads the built program.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(TUNE_SANITIZE OR TUNE_FUZZ)
  set(CMAKE_C_LINK_OPTIONS_PIE -no-pie) # relocating the sanitizers' tables is much of a process's start
endif()

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "TUNE_HAS${flag}" known)
  check_c_compiler_flag("-Werror ${flag}" ${known})
  if(${known})
    target_compile_options(tune_flags INTERFACE $<$<COMPILE_LANGUAGE:C,ASM>:${flag}>)
  endif()
endforeach()

foreach(flag relro now noexecstack)
  check_linker_flag(C LINKER:-z,${flag} TUNE_LINKS_${flag})
  if(TUNE_LINKS_${flag})
    target_link_options(tune_flags INTERFACE LINKER:-z,${flag})
  endif()
endforeach()

# It needs optimisation, and the sanitizers do its work. The distribution's own level, if there is one, gives way.
if(NOT TUNE_SANITIZE AND NOT TUNE_FUZZ)
  target_compile_options(tune_flags INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:C>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>)
endif()
