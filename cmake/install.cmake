# Installs the libraries, the headers, a CMake package and a pkg-config file. Everything installed
# finds its prefix from where it stands, so that the prefix can be chosen at install time.
include(CMakePackageConfigHelpers)

install(TARGETS stiction stiction_static EXPORT stictionTargets)
if(STI_ADAPTIVE)
    install(TARGETS stiction_adaptive stiction_adaptive_static EXPORT stictionTargets)
else()
    set(without_adaptive PATTERN adaptive.h EXCLUDE)
endif()
if(STI_FORMATS)
    install(TARGETS stiction_formats stiction_formats_static EXPORT stictionTargets)
else()
    set(without_formats PATTERN formats.h EXCLUDE)
endif()
if(STI_SCENE)
    install(TARGETS stiction_scene stiction_scene_static EXPORT stictionTargets)
else()
    set(without_scene PATTERN scene.h EXCLUDE PATTERN urdf.h EXCLUDE PATTERN import.h EXCLUDE)
endif()
if(STI_SCENE AND STI_ADAPTIVE)
    install(TARGETS stiction_study stiction_study_static EXPORT stictionTargets)
    install(TARGETS stiction_fit stiction_fit_static EXPORT stictionTargets)
else()
    set(without_study PATTERN study.h EXCLUDE PATTERN measure.h EXCLUDE PATTERN fit.h EXCLUDE)
endif()
install(DIRECTORY include/stiction
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" ${without_scene} ${without_study} ${without_adaptive}
        ${without_formats})

# Documents, and the schema of scenes for editors.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${package_dir})
configure_package_config_file(cmake/stictionConfig.cmake.in stictionConfig.cmake
    INSTALL_DESTINATION ${package_dir}
    NO_SET_AND_CHECK_MACRO)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(stictionConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES
    ${PROJECT_BINARY_DIR}/stictionConfig.cmake
    ${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
    DESTINATION ${package_dir})

# pkg-config: ${pcfiledir} is where the file stands; a distributor's absolute directories stay so.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH up_to_prefix /prefix/${pc_dir} /prefix)
    string(REGEX REPLACE "/$" "" up_to_prefix ${up_to_prefix})
    set(pc_prefix "\${pcfiledir}/${up_to_prefix}")
endif()
foreach(part LIBDIR INCLUDEDIR)
    set(pc_${part} ${CMAKE_INSTALL_${part}})
    if(NOT IS_ABSOLUTE ${pc_${part}})
        set(pc_${part} "\${prefix}/${pc_${part}}")
    endif()
endforeach()
configure_file(cmake/stiction.pc.in stiction.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/stiction.pc DESTINATION ${pc_dir})
if(STI_SCENE)
    configure_file(cmake/stiction-scene.pc.in stiction-scene.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/stiction-scene.pc DESTINATION ${pc_dir})
endif()
