#pragma once

#include <memory>
#include <string>

#include "app/platform/display.h"
#include "core/program/page_document.h"

/// What a page has of its own: the browser keeps the time, its one thread does everything.
namespace warplens::window {

/// Does the task that was posted first (WorkerThread); false where none waits.
bool runPosted();
[[nodiscard]] bool isPosted();

/// The canvas of the page. Throws WindowUnavailable where the browser gives no WebGL 2.
[[nodiscard]] std::unique_ptr<Display> openCanvas();

/// What the page was opened with: a scene or a name behind the #; empty where there is none.
[[nodiscard]] std::string askedFor();
/// An exported document that the page carries or that `?open=` names; empty where there is none.
[[nodiscard]] std::string carriedDocument();

/// The address that opens the scene again.
[[nodiscard]] std::string linkTo(const std::string& scene);

/// The program that the page carries; null where it carries none.
[[nodiscard]] const PageProgram* carriedProgram();
/// Reads what the page carries. Throws MalformedJson.
[[nodiscard]] const PageDocument& readCarried();

/// Puts back what `keepFile` kept.
void restoreFiles();

}  // namespace warplens::window
