# SPDX-License-Identifier: Apache-2.0
# Joins ES modules into one script that needs no loader, so that a page stays a single file:
#
#     cmake -DINPUTS=dom.js,text.js,page.js -DOUTPUT=page.js -P join.cmake
#
# Each module keeps a scope of its own, a function that returns what the module exports; imports find these by name, so
# the names of exports are unique. A module must stand behind those that it imports. Supported are `import { a, b } from
# "./file.js";` without renaming, `export const` and `export function`.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" inputs "${INPUTS}")
set(joined "")
set(names "")
set(script "\"use strict\";\n")
foreach(input ${inputs})
  get_filename_component(folder ${input} DIRECTORY)
  file(READ ${input} text)

  string(REGEX MATCHALL "from \"[^\"]+\"" imports "${text}")
  foreach(import ${imports})
    string(REGEX REPLACE "from \"([^\"]+)\"" "\\1" import "${import}")
    get_filename_component(import ${import} ABSOLUTE BASE_DIR ${folder})
    if(NOT import IN_LIST joined)
      message(FATAL_ERROR "${input} imports ${import}, which does not stand before it")
    endif()
  endforeach()
  list(APPEND joined ${input})

  string(REGEX MATCHALL "\nexport (const|function) [A-Za-z]+" exports "${text}")
  list(TRANSFORM exports REPLACE "^.* " "")
  foreach(name ${exports})
    if(name IN_LIST names)
      message(FATAL_ERROR "${input} exports ${name}, as a module before it does")
    endif()
  endforeach()
  list(APPEND names ${exports})

  string(REGEX REPLACE "\nimport [^;]*;" "" text "${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  list(JOIN exports ", " exports)
  string(APPEND script "const { ${exports} } = (() => {\n${text}return { ${exports} };\n})();\n")
endforeach()
file(WRITE ${OUTPUT} "${script}")
