# Studies: many runs of a scene on all cores, on top of scenes and of error control, which they may use.
find_package(OpenMP COMPONENTS C)
if(NOT OpenMP_C_FOUND)
    message(FATAL_ERROR "Studies need OpenMP (Debian: libgomp1, with gcc; or libomp-dev, with clang); "
        "-D STI_SCENE=OFF builds the core alone.")
endif()

file(GLOB study_sources CONFIGURE_DEPENDS study/*.c)
sti_library(study ${study_sources})
target_include_directories(stiction_study_objects PRIVATE study)
target_compile_options(stiction_study_objects PRIVATE ${OpenMP_C_FLAGS})
foreach(library stiction_study stiction_study_static)
    target_link_libraries(${library} PRIVATE OpenMP::OpenMP_C)
endforeach()
target_link_libraries(stiction_study PUBLIC stiction_scene PRIVATE stiction_adaptive)
target_link_libraries(stiction_study_static PUBLIC stiction_scene_static PRIVATE stiction_adaptive_static)
