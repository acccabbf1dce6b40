# Fits: parameters from measured logs, on top of studies (Sobol's points) and scenes. The search is that of cminpack.
find_package(PkgConfig REQUIRED)
pkg_check_modules(cminpack IMPORTED_TARGET cminpack)
if(NOT cminpack_FOUND)
    message(FATAL_ERROR "Fits need cminpack (Debian: libcminpack-dev); -D STI_SCENE=OFF builds the core alone.")
endif()

file(GLOB fit_sources CONFIGURE_DEPENDS fit/*.c)
sti_library(fit ${fit_sources})
target_include_directories(stiction_fit_objects PRIVATE fit)
target_include_directories(stiction_fit_objects SYSTEM PRIVATE ${cminpack_INCLUDE_DIRS})
target_compile_options(stiction_fit_objects PRIVATE ${OpenMP_C_FLAGS})
foreach(library stiction_fit stiction_fit_static)
    target_link_libraries(${library} PRIVATE OpenMP::OpenMP_C)
endforeach()
target_link_libraries(stiction_fit PUBLIC stiction_scene
    PRIVATE stiction_study stiction_adaptive PkgConfig::cminpack)
target_link_libraries(stiction_fit_static PUBLIC stiction_scene_static
    PRIVATE stiction_study_static stiction_adaptive_static
            $<BUILD_INTERFACE:PkgConfig::cminpack>
            $<INSTALL_INTERFACE:cminpack>)
