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
add_library(stiction_formats_objects OBJECT ${formats_sources})
add_library(stiction_formats SHARED $<TARGET_OBJECTS:stiction_formats_objects>)
add_library(stiction_formats_static STATIC $<TARGET_OBJECTS:stiction_formats_objects>)
add_library(stiction::formats ALIAS stiction_formats)
add_library(stiction::formats_static ALIAS stiction_formats_static)
target_include_directories(stiction_formats_objects PRIVATE include src)
target_link_libraries(stiction_formats_objects PRIVATE PkgConfig::HDF5)
target_link_libraries(stiction_formats PUBLIC stiction PRIVATE PkgConfig::HDF5)
target_link_options(stiction_formats PRIVATE $<$<NOT:$<BOOL:${STI_SANITIZE}>>:LINKER:--no-undefined>)
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_formats_static
    PUBLIC stiction_static
    PRIVATE $<BUILD_INTERFACE:PkgConfig::HDF5> "$<INSTALL_INTERFACE:${HDF5_LINK_LIBRARIES}>")
set_target_properties(stiction_formats_objects stiction_formats PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden)
set_target_properties(stiction_formats stiction_formats_static PROPERTIES
    OUTPUT_NAME stiction_formats
    LINKER_LANGUAGE C)
set_target_properties(stiction_formats PROPERTIES
    EXPORT_NAME formats
    VERSION ${PROJECT_VERSION}
    SOVERSION ${soversion}
    INSTALL_RPATH "\$ORIGIN")
set_target_properties(stiction_formats_static PROPERTIES EXPORT_NAME formats_static)
