# SPDX-License-Identifier: Apache-2.0
# `cpack` in the build folder makes a .tar.gz and a .deb. With TUNE_STATIC they need nothing but the C library.
install(FILES copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR TGZ)
find_program(TUNE_SHLIBDEPS dpkg-shlibdeps)
if(TUNE_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME tune)
set(CPACK_PACKAGE_VENDOR tune)
set(CPACK_PACKAGE_CONTACT "The developers of tune <maintainers@tune.invalid>")
set(CPACK_PACKAGE_FILE_NAME ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/finish_package.cmake)
set(CPACK_TUNE_VERSION ${PROJECT_VERSION})
set(CPACK_TUNE_STRIP ${CMAKE_STRIP})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tune compiles the configurations of a kernel template at run time, validates
and times them on the GPU at hand, and remembers the best in SQLite. Without a
GPU the same kernels run on a built-in CPU device, whose compiler is g++. The
library libtune loads the best configuration into a program of your own.")
get_target_property(interface tune_shared SOVERSION)
file(CONFIGURE OUTPUT debian/shlibs CONTENT "libtune @interface@ tune (>= @PROJECT_VERSION@)\n" @ONLY)
file(CONFIGURE OUTPUT debian/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/debian/shlibs ${CMAKE_CURRENT_BINARY_DIR}/debian/triggers
    ${CMAKE_CURRENT_SOURCE_DIR}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS g++)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, python3, python3-numpy, sqlite3")
include(CPack)
