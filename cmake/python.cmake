# The extension module of the Python package, into build/python/stiction, where the package's own files stand beside it:
# PYTHONPATH=build/python python3 -c 'import stiction'. Static libraries of ours, one binary for Python 3.11 and later.
find_program(STI_PYTHON_PROGRAM NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH) # Debian's, whatever else is there
find_program(STI_PYTHON_PROGRAM NAMES python3)
if(NOT STI_PYTHON_INCLUDE)
    execute_process(COMMAND ${STI_PYTHON_PROGRAM} -c "import sysconfig; print(sysconfig.get_path('include'))"
        OUTPUT_VARIABLE python_include OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(STI_PYTHON_INCLUDE ${python_include} CACHE PATH "Where Python.h is")
endif()
if(NOT EXISTS ${STI_PYTHON_INCLUDE}/Python.h)
    message(FATAL_ERROR "The Python package needs Python.h (Debian: python3-dev); -D STI_PYTHON=OFF omits it.")
endif()

find_package(Threads REQUIRED)
file(GLOB native_sources CONFIGURE_DEPENDS python/native/*.c)
add_library(stiction_python MODULE ${native_sources})
target_include_directories(stiction_python SYSTEM PRIVATE ${STI_PYTHON_INCLUDE})
target_compile_definitions(stiction_python PRIVATE Py_LIMITED_API=0x030B0000)
# Slots of types hold functions as void *, and the head of every object is cast: Python's own interface.
target_compile_options(stiction_python PRIVATE -Wno-pedantic)
target_link_libraries(stiction_python PRIVATE stiction_fit_static stiction_study_static stiction_adaptive_static Threads::Threads)
# Other modules in the same process may bring libraries of the same names: nothing of ours is seen or taken over.
target_link_options(stiction_python PRIVATE LINKER:--exclude-libs,ALL LINKER:-Bsymbolic)
set_target_properties(stiction_python PROPERTIES
    PREFIX ""
    OUTPUT_NAME _core
    SUFFIX .abi3.so
    C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/stiction)

# Methods of Plan, from the schema that the reader's tables give.
set(kinds ${PROJECT_BINARY_DIR}/python/stiction/_kinds.py)
add_custom_command(OUTPUT ${kinds}
    COMMAND ${STI_PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/python/tools/make_kinds.py ${PROJECT_SOURCE_DIR}/docs/scene.schema.json ${kinds}
    DEPENDS ${PROJECT_SOURCE_DIR}/python/tools/make_kinds.py ${PROJECT_SOURCE_DIR}/docs/scene.schema.json
    VERBATIM)

file(GLOB package_files CONFIGURE_DEPENDS
    python/stiction/*.py python/stiction/*.pyi python/stiction/py.typed)
add_custom_target(stiction_python_package ALL
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${package_files} ${PROJECT_BINARY_DIR}/python/stiction
    DEPENDS stiction_python ${kinds}
    VERBATIM)
