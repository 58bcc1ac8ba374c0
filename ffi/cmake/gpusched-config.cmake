# find_package(gpusched CONFIG) gives the targets
#   gpusched::gpusched   the static library; it needs nothing but memcpy and its kin
#   gpusched::shared     the shared library, where it is installed
#
# This file lies in PREFIX/share/gpusched/cmake and finds everything from there, so that PREFIX may be moved.

get_filename_component(_gpusched_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

function(_gpusched_import target kind)
  foreach(libdir IN ITEMS "lib/${CMAKE_LIBRARY_ARCHITECTURE}" lib lib64)
    set(name "${CMAKE_${kind}_LIBRARY_PREFIX}gpusched${CMAKE_${kind}_LIBRARY_SUFFIX}")
    set(library "${_gpusched_prefix}/${libdir}/${name}")
    if(EXISTS "${library}" AND NOT TARGET ${target})
      add_library(${target} ${kind} IMPORTED)
      set_target_properties(${target} PROPERTIES
        IMPORTED_LOCATION "${library}"
        INTERFACE_INCLUDE_DIRECTORIES "${_gpusched_prefix}/include")
    endif()
  endforeach()
endfunction()

_gpusched_import(gpusched::gpusched STATIC)
_gpusched_import(gpusched::shared SHARED)

if(NOT TARGET gpusched::gpusched)
  set(gpusched_FOUND FALSE)
  set(gpusched_NOT_FOUND_MESSAGE "There is no static library of gpusched in a library folder of ${_gpusched_prefix}.")
endif()
