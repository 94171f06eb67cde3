# SPDX-License-Identifier: Apache-2.0
# What cpack runs on the files of a package before it packs them: libtune.a without what only debuggers read, and in a
# .deb what Debian wants of one.
execute_process(COMMAND find ${CPACK_TEMPORARY_INSTALL_DIRECTORY} -name libtune.a -exec ${CPACK_TUNE_STRIP} --strip-unneeded {} +
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_tune ${share}/zsh/vendor-completions/_tune)
file(REMOVE_RECURSE ${share}/zsh/site-functions)

# `import tune`, by the python3 of Debian and Ubuntu
set(modules ${share}/../lib/python3/dist-packages)
file(MAKE_DIRECTORY ${modules})
file(CREATE_LINK ../../../share/tune/python/tune ${modules}/tune SYMBOLIC)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # $SOURCE_DATE_EPOCH's, if that is set
file(WRITE ${share}/doc/tune/changelog "tune (${CPACK_TUNE_VERSION}) unstable; urgency=medium

  * See .github/CHANGELOG.md beside this file.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${share}/man/man*/*)
execute_process(COMMAND gzip -9n ${share}/doc/tune/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)

# What it depends on, by dpkg-shlibdeps. (cpack's own way to ask asks `file` of each file first.)
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
file(WRITE ${root}.shlibdeps/debian/control "Source: tune\nPackage: tune\nArchitecture: any\n")
file(GLOB_RECURSE libraries ${root}/*/libtune.so.${CPACK_TUNE_VERSION})
execute_process(COMMAND dpkg-shlibdeps -O ${root}${CPACK_PACKAGING_INSTALL_PREFIX}/bin/tune ${libraries}
                WORKING_DIRECTORY ${root}.shlibdeps OUTPUT_VARIABLE depends ERROR_VARIABLE complaints COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "^shlibs:Depends=|\n$" "" CPACK_DEBIAN_PACKAGE_DEPENDS "${depends}")
file(REMOVE_RECURSE ${root}.shlibdeps)
