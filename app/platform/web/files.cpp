#include "app/platform/files.h"

#include <cstdlib>
#include <emscripten.h>

#include "app/platform/web/page.h"

namespace warplens::window {
namespace {

// clang-format off
EM_JS(void, download, (const char* path), {
    const name = UTF8ToString(path);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([FS.readFile(name)]));
    link.download = name.split('/').pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
// A page within another, or of a file, may be kept from a store of its own: then nothing is kept.
EM_JS(void, store, (const char* path), {
    const name = UTF8ToString(path);
    try {
        localStorage.setItem('warplens:' + name, FS.readFile(name, {encoding: 'utf8'}));
    } catch (refused) {}
});
EM_JS(void, restore, (), {
    try {
        for (const name of Object.keys(localStorage)) {
            if (!name.startsWith('warplens:/')) continue;
            const path = name.slice(9);
            FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
            FS.writeFile(path, localStorage.getItem(name));
        }
    } catch (refused) {}
});
EM_JS(char*, fragment, (), { return stringToNewUTF8(Module.askedFor || ""); });
EM_JS(char*, carried, (), { return stringToNewUTF8(Module.carriedDocument || ""); });
EM_JS(char*, address, (const char* scene), {
    return stringToNewUTF8(Module.linkTo(UTF8ToString(scene)));
});
// clang-format on

bool haveRecordings = false;

std::string taken(char* text) {
    std::string kept = text;
    std::free(text);
    return kept;
}

}  // namespace

std::filesystem::path picturesFolder() {
    return "/";
}

std::string copyPicture(const std::string&) {
    return "a page copies no pictures; S saves it as a file.";
}

std::optional<std::filesystem::path> fetchedRecordings() {
    return haveRecordings ? std::optional<std::filesystem::path>("/fetched") : std::nullopt;
}
/// Called by the page when it has unpacked them there.
extern "C" EMSCRIPTEN_KEEPALIVE void recordingsCame() {
    haveRecordings = true;
    wakeDisplay();
}

void handOver(const std::filesystem::path& file) {
    download(file.c_str());
}

void keepFile(const std::filesystem::path& file) {
    store(file.c_str());
}

void restoreFiles() {
    restore();
}

std::string askedFor() {
    return taken(fragment());
}

std::string carriedDocument() {
    return taken(carried());
}

std::string linkTo(const std::string& scene) {
    return taken(address(scene.c_str()));
}

}  // namespace warplens::window
