#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/launching.h"

namespace warplens::programs {

/// What a node of a graph does, by CUDA's numbers of the kinds of nodes.
enum class NodeKind : int {
    kernel = 0,
    copy = 1,
    fill = 2,
    host = 3,
    child = 4,
    empty = 5,
    waitEvent = 6,
    recordEvent = 7,
    allocate = 10,
    release = 11,
    conditional = 13,
};

struct FillParameters final {
    void* to;
    std::size_t pitch;
    unsigned value, elementBytes;
    std::size_t width, height;
};
[[nodiscard]] cuda::Error fillElements(const FillParameters& fill);

/// One operation of a graph. What can be changed later is kept as data.
struct GraphNode final {
    NodeKind kind = NodeKind::empty;
    std::vector<GraphNode*> needs{};
    HostLaunch launch{};
    std::vector<std::vector<std::byte>> arguments{};
    std::vector<void*> pointers{};  ///< to the arguments
    cuda::Copy3D copy{};
    FillParameters fill{};
    std::function<cuda::Error()> other{};
    std::unique_ptr<struct Graph> child{};
    std::uint64_t handle = 0;  ///< of a condition: where its value is
    int condition = 0;         ///< 0 if, 1 while, 2 one of several
    std::vector<std::unique_ptr<struct Graph>> bodies{};
    bool isDisabled = false;

    [[nodiscard]] cuda::Error run();
    void take(const HostLaunch& launched, void** values);
};

struct Graph final {
    std::vector<std::unique_ptr<GraphNode>> nodes{};
    std::vector<std::function<void()>> atBegin{};

    GraphNode& add(NodeKind kind, std::vector<GraphNode*> needs);
    /// Each behind those that it needs.
    [[nodiscard]] cuda::Error run();
    [[nodiscard]] std::unique_ptr<Graph> clone() const;
};

[[nodiscard]] StreamId idOf(cuda::Stream stream);
/// The graph that the stream records, or null.
[[nodiscard]] Graph* captured(cuda::Stream stream);
/// Adds a node to the graph that the stream records, behind what it recorded last.
GraphNode& record(cuda::Stream stream, NodeKind kind);
/// Does it now, or records it where the stream is captured.
[[nodiscard]] cuda::Error enqueue(cuda::Stream stream, std::function<cuda::Error()> does,
                                  NodeKind kind = NodeKind::copy);

}  // namespace warplens::programs
