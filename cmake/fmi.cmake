# FMUs: a shared object that stands alone (core and scene reader inside, no libyaml, no expat), and the export that
# puts it beside a scene. The export carries the shared object with it, so that the program runs from where it is put.
file(GLOB_RECURSE fmu_sources CONFIGURE_DEPENDS fmi/fmu/*.c fmi/plain/*.c fmi/fmi2/*.c fmi/fmi3/*.c)
add_library(stiction_fmu MODULE ${fmu_sources})
target_include_directories(stiction_fmu PRIVATE include src scene fmi)
# Readers of fmi/plain come first and take the place of those that need libraries: archives give only what is missing.
target_link_libraries(stiction_fmu PRIVATE stiction_scene_static stiction_static ${CMAKE_DL_LIBS})
target_link_options(stiction_fmu PRIVATE LINKER:--as-needed LINKER:--version-script=${PROJECT_SOURCE_DIR}/fmi/fmu.map
    LINKER:-Bsymbolic $<$<NOT:$<BOOL:${STI_SANITIZE}>>:LINKER:--no-undefined> $<$<CONFIG:Release>:-s>)
set_target_properties(stiction_fmu PROPERTIES
    PREFIX "" OUTPUT_NAME stiction_fmu SUFFIX .so
    C_VISIBILITY_PRESET hidden
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/fmi/fmu.map)

file(GLOB_RECURSE export_sources CONFIGURE_DEPENDS fmi/export/*.c fmi/import/*.c)
set(fmu_binary ${PROJECT_BINARY_DIR}/stiction_fmu.so)
set(fmu_packed ${PROJECT_BINARY_DIR}/fmu_sources.txt)
file(GLOB_RECURSE packed_files CONFIGURE_DEPENDS src/*.[ch] scene/*.[ch] include/stiction/*.h fmi/*.[ch])
add_custom_command(OUTPUT ${fmu_packed}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUT=${fmu_packed} -P ${PROJECT_SOURCE_DIR}/cmake/pack_sources.cmake
    DEPENDS ${packed_files} ${PROJECT_SOURCE_DIR}/cmake/pack_sources.cmake
    COMMENT "Packing the sources of FMUs"
    VERBATIM)
configure_file(cmake/fmu_binary.c.in ${PROJECT_BINARY_DIR}/fmu_binary.c @ONLY)
set_source_files_properties(${PROJECT_BINARY_DIR}/fmu_binary.c PROPERTIES OBJECT_DEPENDS "${fmu_binary};${fmu_packed}")
add_library(stiction_fmi_static STATIC ${export_sources} fmi/fmu/variables.c fmi/fmu/description.c
    ${PROJECT_BINARY_DIR}/fmu_binary.c ${fmu_packed})
add_dependencies(stiction_fmi_static stiction_fmu)
target_include_directories(stiction_fmi_static PRIVATE include src scene fmi INTERFACE fmi)
target_link_libraries(stiction_fmi_static PUBLIC stiction_scene_static ${CMAKE_DL_LIBS})
set_target_properties(stiction_fmi_static PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
