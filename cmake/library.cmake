# sti_library(NAME SOURCES...): the libraries stiction_NAME and stiction_NAME_static on top of the core, compiled
# once for both. What they need beside it is linked by the caller.
function(sti_library name)
    set(library stiction_${name})
    add_library(${library}_objects OBJECT ${ARGN})
    add_library(${library} SHARED $<TARGET_OBJECTS:${library}_objects>)
    add_library(${library}_static STATIC $<TARGET_OBJECTS:${library}_objects>)
    add_library(stiction::${name} ALIAS ${library})
    add_library(stiction::${name}_static ALIAS ${library}_static)
    target_include_directories(${library}_objects PRIVATE include src)
    target_link_libraries(${library} PUBLIC stiction)
    target_link_libraries(${library}_static PUBLIC stiction_static)
    target_link_options(${library} PRIVATE $<$<NOT:$<BOOL:${STI_SANITIZE}>>:LINKER:--no-undefined>)
    set_target_properties(${library}_objects ${library} PROPERTIES
        POSITION_INDEPENDENT_CODE ON
        C_VISIBILITY_PRESET hidden)
    set_target_properties(${library} ${library}_static PROPERTIES
        OUTPUT_NAME ${library}
        LINKER_LANGUAGE C)
    set_target_properties(${library} PROPERTIES
        EXPORT_NAME ${name}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${soversion}
        INSTALL_RPATH "\$ORIGIN") # the core stands beside it
    set_target_properties(${library}_static PROPERTIES EXPORT_NAME ${name}_static)
endfunction()
