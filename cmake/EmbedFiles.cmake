# embed_files(TARGET NAMESPACE name1=path1 [name2=path2 ...])
#
# Puts files into the binary of TARGET. C++ reaches them through the generated header
# `embedded/<TARGET>.h`, which declares for the whole list
#   namespace NAMESPACE {
#     std::span<const EmbeddedFile> embeddedFiles();
#     std::string_view embeddedFile(std::string_view name);  // throws where it is none of them
#   }
# where EmbeddedFile {std::string_view name; std::string_view bytes;}. The bytes are followed by a
# zero that is not part of them.
function(embed_files target namespace)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/embedded_${target})
  # Of WebAssembly every symbol is an object in a section of its own.
  set(assembly ".section .note.GNU-stack,\"\",@progbits\n.section .rodata\n")
  if(EMSCRIPTEN)
    set(assembly "")
  endif()
  set(declarations "")
  set(rows "")
  set(index 0)
  set(paths "")
  foreach(entry IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
    set(name ${CMAKE_MATCH_1})
    get_filename_component(path ${CMAKE_MATCH_2} ABSOLUTE)
    list(APPEND paths ${path})
    set(symbol ${target}_embedded_${index})
    if(EMSCRIPTEN)
      string(APPEND assembly
        ".section .rodata.${symbol},\"\",@\n.type ${symbol},@object\n.type ${symbol}_end,@object\n")
    endif()
    string(APPEND assembly
      ".balign 16\n.global ${symbol}\n${symbol}:\n.incbin \"${path}\"\n"
      ".global ${symbol}_end\n${symbol}_end:\n.byte 0\n")
    if(EMSCRIPTEN)
      string(APPEND assembly ".size ${symbol}, ${symbol}_end - ${symbol}\n.size ${symbol}_end, 1\n")
    endif()
    string(APPEND declarations "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND rows "        {\"${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${directory}/files.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${directory}/embedded/${target}.h CONTENT
"#pragma once

#include <span>
#include <string_view>

namespace ${namespace} {

struct EmbeddedFile final {
    std::string_view name;
    std::string_view bytes;
};

[[nodiscard]] std::span<const EmbeddedFile> embeddedFiles();
[[nodiscard]] std::string_view embeddedFile(std::string_view name);

}  // namespace ${namespace}
" @ONLY)
  file(CONFIGURE OUTPUT ${directory}/files.cpp CONTENT
"#include \"embedded/${target}.h\"

#include <array>
#include <stdexcept>
#include <string>

${declarations}
namespace ${namespace} {

std::span<const EmbeddedFile> embeddedFiles() {
    static const std::array<EmbeddedFile, ${index}> files{{
${rows}    }};
    return files;
}

std::string_view embeddedFile(std::string_view name) {
    for (const EmbeddedFile& file : embeddedFiles()) {
        if (file.name == name) return file.bytes;
    }
    throw std::logic_error(\"not embedded: \" + std::string(name));
}

}  // namespace ${namespace}
" @ONLY)
  set_property(SOURCE ${directory}/files.S APPEND PROPERTY OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${directory}/files.S ${directory}/files.cpp)
  target_include_directories(${target} PUBLIC ${directory})
endfunction()
