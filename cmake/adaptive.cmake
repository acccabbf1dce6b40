# Integrators with error control: a library of its own on top of the core, because it needs SUNDIALS.
find_path(SUNDIALS_INCLUDE cvode/cvode.h)
set(SUNDIALS_LIBRARIES)
foreach(part arkode cvode nvecserial sunmatrixdense sunlinsoldense)
    find_library(SUNDIALS_${part} sundials_${part})
    list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${part}})
endforeach()
if(NOT SUNDIALS_INCLUDE OR "${SUNDIALS_LIBRARIES}" MATCHES NOTFOUND)
    message(FATAL_ERROR "Adaptive integration needs SUNDIALS (Debian: libsundials-dev); "
        "-D STI_ADAPTIVE=OFF omits it.")
endif()

file(GLOB adaptive_sources CONFIGURE_DEPENDS src/adaptive/*.c)
add_library(stiction_adaptive_objects OBJECT ${adaptive_sources})
add_library(stiction_adaptive SHARED $<TARGET_OBJECTS:stiction_adaptive_objects>)
add_library(stiction_adaptive_static STATIC $<TARGET_OBJECTS:stiction_adaptive_objects>)
add_library(stiction::adaptive ALIAS stiction_adaptive)
add_library(stiction::adaptive_static ALIAS stiction_adaptive_static)
target_include_directories(stiction_adaptive_objects PRIVATE include src)
target_include_directories(stiction_adaptive_objects SYSTEM PRIVATE ${SUNDIALS_INCLUDE})
target_link_libraries(stiction_adaptive PUBLIC stiction PRIVATE ${SUNDIALS_LIBRARIES})
target_link_options(stiction_adaptive PRIVATE $<$<NOT:$<BOOL:${STI_SANITIZE}>>:LINKER:--no-undefined>)
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_adaptive_static
    PUBLIC stiction_static
    PRIVATE "$<BUILD_INTERFACE:${SUNDIALS_LIBRARIES}>"
            $<INSTALL_INTERFACE:sundials_arkode> $<INSTALL_INTERFACE:sundials_cvode>
            $<INSTALL_INTERFACE:sundials_nvecserial> $<INSTALL_INTERFACE:sundials_sunmatrixdense>
            $<INSTALL_INTERFACE:sundials_sunlinsoldense>)
set_target_properties(stiction_adaptive_objects stiction_adaptive PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden)
set_target_properties(stiction_adaptive stiction_adaptive_static PROPERTIES
    OUTPUT_NAME stiction_adaptive
    LINKER_LANGUAGE C)
set_target_properties(stiction_adaptive PROPERTIES
    EXPORT_NAME adaptive
    VERSION ${PROJECT_VERSION}
    SOVERSION ${soversion}
    INSTALL_RPATH "\$ORIGIN")
set_target_properties(stiction_adaptive_static PROPERTIES EXPORT_NAME adaptive_static)
