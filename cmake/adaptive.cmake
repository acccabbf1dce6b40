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
sti_library(adaptive ${adaptive_sources})
target_include_directories(stiction_adaptive_objects SYSTEM PRIVATE ${SUNDIALS_INCLUDE})
target_link_libraries(stiction_adaptive PRIVATE ${SUNDIALS_LIBRARIES})
# Plain names once installed: whoever links the static library need not search as we did.
target_link_libraries(stiction_adaptive_static
    PRIVATE "$<BUILD_INTERFACE:${SUNDIALS_LIBRARIES}>"
            $<INSTALL_INTERFACE:sundials_arkode> $<INSTALL_INTERFACE:sundials_cvode>
            $<INSTALL_INTERFACE:sundials_nvecserial> $<INSTALL_INTERFACE:sundials_sunmatrixdense>
            $<INSTALL_INTERFACE:sundials_sunlinsoldense>)
