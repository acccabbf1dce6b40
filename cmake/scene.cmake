# Scenes: a library of its own on top of the core, so that a controller can embed the core alone.
find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_check_modules(SCENE_NEEDS IMPORTED_TARGET yaml-0.1 muparser expat)
endif()
if(NOT SCENE_NEEDS_FOUND)
    message(FATAL_ERROR "Scenes need pkg-config, libyaml, muparser and expat (Debian: pkg-config "
        "libyaml-dev libmuparser-dev libexpat1-dev); -D STI_SCENE=OFF builds the core alone.")
endif()

file(GLOB scene_sources CONFIGURE_DEPENDS scene/*.c)
add_library(stiction_scene_objects OBJECT ${scene_sources})
target_include_directories(stiction_scene_objects PRIVATE include src scene)
target_link_libraries(stiction_scene_objects PRIVATE PkgConfig::SCENE_NEEDS)

# These are private to the core, whose shared library does not show them: this one has its own.
add_library(stiction_scene SHARED $<TARGET_OBJECTS:stiction_scene_objects>
    src/base/arena.c src/algebra/symmetric3.c)
add_library(stiction_scene_static STATIC $<TARGET_OBJECTS:stiction_scene_objects>)
add_library(stiction::scene ALIAS stiction_scene)
add_library(stiction::scene_static ALIAS stiction_scene_static)
target_include_directories(stiction_scene PRIVATE src)
target_link_libraries(stiction_scene PUBLIC stiction PRIVATE PkgConfig::SCENE_NEEDS)
target_link_options(stiction_scene PRIVATE $<$<NOT:$<BOOL:${STI_SANITIZE}>>:LINKER:--no-undefined>)
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_scene_static
    PUBLIC stiction_static
    PRIVATE $<BUILD_INTERFACE:PkgConfig::SCENE_NEEDS>
            $<INSTALL_INTERFACE:yaml> $<INSTALL_INTERFACE:muparser>
            $<INSTALL_INTERFACE:expat>)

set_target_properties(stiction_scene_objects stiction_scene PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden)
set_target_properties(stiction_scene stiction_scene_static PROPERTIES
    OUTPUT_NAME stiction_scene
    LINKER_LANGUAGE C)
set_target_properties(stiction_scene PROPERTIES
    EXPORT_NAME scene
    VERSION ${PROJECT_VERSION}
    SOVERSION ${soversion}
    INSTALL_RPATH "\$ORIGIN") # the core stands beside it
set_target_properties(stiction_scene_static PROPERTIES EXPORT_NAME scene_static)
