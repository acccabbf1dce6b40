# Programs that measure; never tests. The static library, as an embedded controller would link it.
file(GLOB benches CONFIGURE_DEPENDS bench/*.c)
if(NOT TARGET stiction_study_static)
    list(FILTER benches EXCLUDE REGEX "/bench_study\\.c$")
endif()
foreach(source IN LISTS benches)
    cmake_path(GET source STEM name)
    add_executable(bench_${name} ${source})
    target_link_libraries(bench_${name} PRIVATE stiction_static)
    # Private headers, and the random problems of the tests.
    target_include_directories(bench_${name} PRIVATE src tests)
    set_target_properties(bench_${name} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endforeach()
# The cases of the comparison with other simulators, as stiction runs them there.
target_sources(bench_bench_cut PRIVATE bench/peers/stiction/machines.c)
if(TARGET bench_bench_study)
    target_link_libraries(bench_bench_study PRIVATE stiction_study_static)
    find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
    find_library(MUJOCO_LIBRARY mujoco)
    if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY) # to measure beside; nothing else needs it
        target_compile_definitions(bench_bench_study PRIVATE STI_MUJOCO)
        target_include_directories(bench_bench_study SYSTEM PRIVATE ${MUJOCO_INCLUDE})
        target_link_libraries(bench_bench_study PRIVATE ${MUJOCO_LIBRARY})
    endif()
endif()
