# Scenes: a library of its own on top of the core, so that a controller can embed the core alone.
find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_check_modules(SCENE_NEEDS IMPORTED_TARGET yaml-0.1 expat)
endif()
if(NOT SCENE_NEEDS_FOUND)
    message(FATAL_ERROR "Scenes need pkg-config, libyaml and expat (Debian: pkg-config "
        "libyaml-dev libexpat1-dev); -D STI_SCENE=OFF builds the core alone.")
endif()

file(GLOB_RECURSE scene_sources CONFIGURE_DEPENDS scene/*.c)
sti_library(scene ${scene_sources})
target_include_directories(stiction_scene_objects PRIVATE scene)
target_link_libraries(stiction_scene_objects PRIVATE PkgConfig::SCENE_NEEDS)
# These are private to the core, whose shared library does not show them: this one has its own.
target_sources(stiction_scene PRIVATE src/base/arena.c src/base/names.c src/algebra/symmetric3.c)
target_include_directories(stiction_scene PRIVATE src)
target_link_libraries(stiction_scene PRIVATE PkgConfig::SCENE_NEEDS)
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_scene_static
    PRIVATE $<BUILD_INTERFACE:PkgConfig::SCENE_NEEDS>
            $<INSTALL_INTERFACE:yaml>
            $<INSTALL_INTERFACE:expat>)
