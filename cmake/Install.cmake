# What `cmake --install BUILD --prefix P` puts below P. Nothing in it knows P: the tree may be moved.
# The programs find each other side by side; fonts, shaders, lessons and recordings are inside them.
include(GNUInstallDirs)

# The version is that of project(); the changelog has to begin with it, below what is not released
# yet, and tells its date.
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md headings REGEX "^## ")
list(REMOVE_ITEM headings "## Unreleased")
list(GET headings 0 newest_heading)
if(NOT newest_heading MATCHES "^## ${PROJECT_VERSION} \\(([0-9]+-[0-9]+-[0-9]+)\\)$")
  message(FATAL_ERROR "CHANGELOG.md begins with '${newest_heading}'; of version ${PROJECT_VERSION} "
                      "in CMakeLists.txt it has to be '## ${PROJECT_VERSION} (YEAR-MONTH-DAY)'.")
endif()
set(WARPLENS_RELEASE_DATE ${CMAKE_MATCH_1})
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md)

install(TARGETS warplens RUNTIME)
if(TARGET warplens-measure)
  install(TARGETS warplens-measure RUNTIME)
endif()

# The entry in the desktop's menu, the icon, and what software centres show.
configure_file(${PROJECT_SOURCE_DIR}/assets/desktop/warplens.metainfo.xml.in
               ${PROJECT_BINARY_DIR}/warplens.metainfo.xml @ONLY)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/warplens.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
# What a .cu file is, so that desktops offer to open it.
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/warplens-cuda.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES ${PROJECT_BINARY_DIR}/warplens.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
set(icons ${PROJECT_SOURCE_DIR}/assets/desktop/icons)
set(themes ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
install(FILES ${icons}/warplens.svg DESTINATION ${themes}/scalable/apps)
foreach(side 16 48 128)
  install(FILES ${icons}/warplens-${side}.png DESTINATION ${themes}/${side}x${side}/apps RENAME warplens.png)
endforeach()

# What the program wrote of itself.
set(written ${PROJECT_BINARY_DIR}/documentation)
install(FILES ${written}/warplens.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${written}/warplens DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${written}/_warplens DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${written}/warplens.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# What the JSON documents hold.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/schemas ${written}/schemas
        DESTINATION ${CMAKE_INSTALL_DATADIR}/warplens FILES_MATCHING PATTERN "*.schema.json")

set(documents ${CMAKE_INSTALL_DATADIR}/doc/warplens)  # where Debian looks, whatever the project's name
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
              ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${documents})
# The pages that README names, the files and the course that they begin with, and their pictures.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${documents})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/pictures DESTINATION ${documents}/assets
        FILES_MATCHING PATTERN "*.png")
install(FILES ${PROJECT_SOURCE_DIR}/assets/figures/picture-76x62.png
              ${PROJECT_SOURCE_DIR}/assets/figures/latency-hiding.png
        DESTINATION ${documents}/assets/figures)
# The licences of what the programs contain travel along: fonts, and libraries that are not shared.
foreach(package fonts-inter fonts-jetbrains-mono libimgui-dev nlohmann-json3-dev libcli11-dev
                libglm-dev python3-glad)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${documents}/licences
            RENAME ${package})
  endif()
endforeach()
