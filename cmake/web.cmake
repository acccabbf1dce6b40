# The page of reports, built from web/ by npm and embedded into the program. Without npm, or where
# its registry cannot be reached, the program is built all the same: it then says what is missing
# when a report is asked for, and the next build tries again.
find_program(STI_NPM npm)
if(NOT STI_NPM)
    message(WARNING "There is no npm (Debian: nodejs npm): stiction is built without reports.")
endif()
mark_as_advanced(STI_NPM)

file(GLOB page_sources CONFIGURE_DEPENDS # not what the playground has beside it
    ${PROJECT_SOURCE_DIR}/web/src/*.js
    ${PROJECT_SOURCE_DIR}/web/src/*.css
    ${PROJECT_SOURCE_DIR}/web/src/*.html)
set(page ${PROJECT_BINARY_DIR}/page.html)
add_custom_command(OUTPUT ${page}
    COMMAND ${PROJECT_SOURCE_DIR}/web/build-page "${STI_NPM}" ${page}
    DEPENDS ${page_sources}
        ${PROJECT_SOURCE_DIR}/web/build-page
        ${PROJECT_SOURCE_DIR}/web/build.js
        ${PROJECT_SOURCE_DIR}/web/bundle.js
        ${PROJECT_SOURCE_DIR}/web/package-lock.json
    COMMENT "Building the page of reports"
    VERBATIM)
configure_file(${PROJECT_SOURCE_DIR}/cmake/page.c.in ${PROJECT_BINARY_DIR}/page.c @ONLY)
set_source_files_properties(${PROJECT_BINARY_DIR}/page.c PROPERTIES OBJECT_DEPENDS ${page})
