# SPDX-License-Identifier: Apache-2.0
# Writes the Content-Security-Policy of a page:
#
#     cmake -DSCRIPTS=charts.js,page.js -DSTYLES=style.css -DOUTPUT=page.policy -P policy.cmake
#
# It permits the scripts and styles that the page is made of, by the SHA-256 of their text
# (https://www.w3.org/TR/CSP3/#match-element-to-source-list), data: images, and nothing else. Data in a script element of
# type application/json is no script.
cmake_minimum_required(VERSION 3.25)

# Base64 (RFC 4648) of a SHA-256 given as 64 hexadecimal digits: three digits are two characters, and the last is padding.
function(base64_of_hash hex result)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(APPEND hex "00")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING ${hex} ${at} 3 digits)
    math(EXPR high "0x${digits} >> 6")
    math(EXPR low "0x${digits} & 63")
    foreach(index ${high} ${low})
      string(SUBSTRING ${alphabet} ${index} 1 character)
      string(APPEND text ${character})
    endforeach()
  endforeach()
  string(SUBSTRING ${text} 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

function(sources_of files result)
  set(sources "")
  string(REPLACE "," ";" files "${files}")
  foreach(file ${files})
    file(SHA256 ${file} hash)
    base64_of_hash(${hash} base64)
    string(APPEND sources " 'sha256-${base64}'")
  endforeach()
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()

sources_of("${SCRIPTS}" scripts)
sources_of("${STYLES}" styles)
file(WRITE ${OUTPUT} "default-src 'none'; script-src${scripts}; style-src${styles}; img-src data:; base-uri 'none'; form-action 'none'")
