# Each example is a program as a user would write it (public headers, shared library) and a test:
# it must exit with 0 and, where NAME.expected stands beside it, print exactly that.
file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
set(examples_dir ${PROJECT_BINARY_DIR}/examples)
file(MAKE_DIRECTORY ${examples_dir}/out)
foreach(source IN LISTS examples)
    cmake_path(GET source STEM name)
    file(STRINGS ${source} reads_scenes REGEX "<stiction/scene.h>")
    if(reads_scenes AND NOT STI_SCENE)
        continue()
    endif()
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE stiction)
    if(reads_scenes)
        target_link_libraries(example_${name} PRIVATE stiction_scene)
        configure_file(examples/${name}.yaml ${examples_dir}/${name}.yaml COPYONLY)
    endif()
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY ${examples_dir})
    add_test(NAME example/${name}
        COMMAND ${CMAKE_COMMAND}
            -D program=$<TARGET_FILE:example_${name}>
            -D expected=${PROJECT_SOURCE_DIR}/examples/${name}.expected
            -P ${PROJECT_SOURCE_DIR}/cmake/run_example.cmake
        WORKING_DIRECTORY ${examples_dir})
    set_tests_properties(example/${name} PROPERTIES LABELS example TIMEOUT 120)
endforeach()
