# `cpack` in the build folder makes a package for the Debian release that it was built on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warplens)
set(CPACK_PACKAGE_VENDOR "The Warplens maintainers")
set(CPACK_PACKAGE_CONTACT "The Warplens maintainers <warplens@localhost>")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# Below the line that is the project's description.
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Every thread of a launch coloured by its warp, what the warps ask of memory
and where they part at branches, and beside it what a real GPU measured.
Predictions and recordings need no GPU; figures for slides are drawn as PDF,
SVG and PNG.")
# The libraries that the programs link are found by dpkg-shlibdeps. OpenGL is opened at run time, and
# so is the driver that draws where there is no GPU.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libgl1-mesa-dri")
# Ctrl+C in the window hands the figure to one of them.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "xclip | wl-clipboard")
if(TARGET warplens-measure)
  # The driver, where there is a GPU; it is no part of Debian's main section.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcuda1")
endif()
include(CPack)
