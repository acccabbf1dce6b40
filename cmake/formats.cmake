# Recording formats beside CSV: a library of its own on top of the core, because it needs HDF5.
find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_search_module(HDF5 IMPORTED_TARGET hdf5-serial hdf5)
endif()
if(NOT HDF5_FOUND)
    message(FATAL_ERROR "Recording formats need pkg-config and HDF5 (Debian: libhdf5-dev); "
        "-D STI_FORMATS=OFF omits them, and the program stiction with them.")
endif()

file(GLOB formats_sources CONFIGURE_DEPENDS src/formats/*.c)
sti_library(formats ${formats_sources})
target_link_libraries(stiction_formats_objects PRIVATE PkgConfig::HDF5)
target_link_libraries(stiction_formats PRIVATE PkgConfig::HDF5)
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_formats_static
    PRIVATE $<BUILD_INTERFACE:PkgConfig::HDF5> "$<INSTALL_INTERFACE:${HDF5_LINK_LIBRARIES}>")
