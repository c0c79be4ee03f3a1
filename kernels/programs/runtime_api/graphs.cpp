// Graphs: captured from streams (stream_api.cpp) or built node by node, and run in the order of
// what each node needs.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Dim3;
using cuda::Error;
using cuda::Stream;

namespace warplens::programs {

struct KernelParameters final {
    const void* stub;
    Dim3 grid, block;
    unsigned dynamicSharedBytes;
    void** arguments;
    void** extra;

    [[nodiscard]] HostLaunch launch() const {
        return {
            .stub = stub, .grid = grid, .block = block, .dynamicSharedBytes = dynamicSharedBytes};
    }
};
struct ConditionalParameters final {
    unsigned long long handle;
    int condition;
    unsigned count;
    Graph** bodies;  ///< is given
};
struct HostParameters final {
    void (*function)(void*);
    void* data;
};
struct AllocateParameters final {
    std::byte pool[88];
    const void* access;
    std::size_t accessCount, bytes;
    void* pointer;
};
/// A graph that can be launched, and which of its nodes stand for those of the graph it is of.
struct RunnableGraph final {
    std::unique_ptr<Graph> graph;
    std::map<const GraphNode*, GraphNode*> nodes;
};

namespace {

Error add(GraphNode** node, Graph* graph, NodeKind kind, GraphNode* const* needs,
          std::size_t count) {
    return give(node, &graph->add(kind, {needs, needs + count}));
}
/// With what it has of its kind.
template <class Part>
Error add(GraphNode** node, Graph* graph, NodeKind kind, GraphNode* const* needs, std::size_t count,
          Part GraphNode::*part, std::type_identity_t<Part> value) {
    (void)add(node, graph, kind, needs, count);
    return give(&((*node)->*part), std::move(value));
}

std::function<Error()> callOf(const HostParameters& host) {
    return [host] {
        host.function(host.data);
        return cuda::success;
    };
}

/// The first `*count` of them; how many there are where `to` is null.
Error giveNodes(const std::vector<GraphNode*>& nodes, GraphNode** to, std::size_t* count) {
    if (to != nullptr) {
        for (std::size_t at = 0; at < *count; ++at)
            to[at] = at < nodes.size() ? nodes[at] : nullptr;
    }
    return give(count, to == nullptr ? nodes.size() : std::min(*count, nodes.size()));
}

/// Calls `set` with the node that stands in the graph for this one.
template <class... Values>
Error setIn(const RunnableGraph* graph, const GraphNode* node, Error (*set)(GraphNode*, Values...),
            std::type_identity_t<Values>... values) {
    const auto found = graph->nodes.find(node);
    return found == graph->nodes.end() ? fail(cuda::invalidValue) : set(found->second, values...);
}

/// The value that a kernel sets.
std::uint32_t& valueOf(std::uint64_t handle) {
    static std::uint32_t none = 0;
    const ptx::Allocation* value = RuntimeDevice::instance().memory().find(handle);
    return value == nullptr ? none : *reinterpret_cast<std::uint32_t*>(value->data);
}
/// The bodies as often as the condition says.
Error runConditional(GraphNode& node) {
    const auto value = [&] { return valueOf(node.handle); };
    if (node.condition == 2)
        return value() < node.bodies.size() ? node.bodies[value()]->run() : cuda::success;
    do {
        if (value() == 0) return node.bodies.size() > 1 ? node.bodies[1]->run() : cuda::success;
        if (const Error error = node.bodies[0]->run(); error != cuda::success) return error;
    } while (node.condition == 1 && value() != 0);
    return cuda::success;
}

void become(GraphNode& node, const GraphNode& other) {
    node.handle = other.handle;
    node.condition = other.condition;
    node.bodies.clear();
    for (const auto& body : other.bodies) node.bodies.push_back(body->clone());
    node.launch = other.launch;
    node.arguments = other.arguments;
    node.copy = other.copy;
    node.fill = other.fill;
    node.other = other.other;
    node.pointers.clear();
    for (std::vector<std::byte>& argument : node.arguments)
        node.pointers.push_back(argument.data());
    if (other.child) node.child = other.child->clone();
}

}  // namespace

void GraphNode::take(const HostLaunch& launched, void** values) {
    launch = launched;
    arguments.clear();
    pointers.clear();
    RuntimeDevice& device = RuntimeDevice::instance();
    const HostKernel* known = device.kernel(launched.stub);
    const ptx::Function* kernel =
        known == nullptr ? nullptr : device.compiled().function(known->name);
    if (kernel == nullptr) return;
    for (std::size_t at = 0; at < kernel->parameters.size(); ++at) {
        const auto* bytes = static_cast<const std::byte*>(values[at]);
        arguments.emplace_back(bytes, bytes + kernel->parameters[at].bytes);
    }
    for (std::vector<std::byte>& argument : arguments) pointers.push_back(argument.data());
}

Error fillElements(const FillParameters& fill) {
    if (fill.elementBytes != 1 && fill.elementBytes != 2 && fill.elementBytes != 4)
        return fail(cuda::invalidValue);
    std::vector<std::byte> row(fill.width * fill.elementBytes);
    for (std::size_t at = 0; at < fill.width; ++at)
        std::memcpy(row.data() + at * fill.elementBytes, &fill.value, fill.elementBytes);
    for (std::size_t y = 0; y < std::max<std::size_t>(1, fill.height); ++y) {
        const Error error = copyBytes(static_cast<std::byte*>(fill.to) + y * fill.pitch, row.data(),
                                      row.size(), cuda::hostToDevice);
        if (error != cuda::success) return error;
    }
    return cuda::success;
}

Error GraphNode::run() {
    if (isDisabled) return cuda::success;
    if (other) return other();
    switch (kind) {
        case NodeKind::kernel:
            return programs::launch(launch, pointers.data());
        case NodeKind::copy:
            return copyBoxes(copy);
        case NodeKind::fill:
            return fillElements(fill);
        case NodeKind::child:
            return child->run();
        case NodeKind::conditional:
            return runConditional(*this);
        default:
            return cuda::success;
    }
}

GraphNode& Graph::add(NodeKind kind, std::vector<GraphNode*> needs) {
    GraphNode& node = *nodes.emplace_back(std::make_unique<GraphNode>());
    node.kind = kind;
    node.needs = std::move(needs);
    return node;
}

Error Graph::run() {
    for (const auto& begin : atBegin) begin();
    std::set<const GraphNode*> done;
    for (bool moved = true; std::exchange(moved, false);) {
        for (const auto& node : nodes) {
            const bool isReady = std::ranges::all_of(
                node->needs, [&](const GraphNode* needed) { return done.contains(needed); });
            if (!isReady || !done.insert(node.get()).second) continue;
            moved = true;
            if (const Error error = node->run(); error != cuda::success) return error;
        }
    }
    return cuda::success;
}

std::unique_ptr<Graph> Graph::clone() const {
    auto copied = std::make_unique<Graph>();
    copied->atBegin = atBegin;
    std::map<const GraphNode*, GraphNode*> made;
    for (const auto& node : nodes) {
        GraphNode& fresh = copied->add(node->kind, {});
        become(fresh, *node);
        fresh.isDisabled = node->isDisabled;
        made[node.get()] = &fresh;
    }
    for (const auto& node : nodes) {
        for (const GraphNode* needed : node->needs) made[node.get()]->needs.push_back(made[needed]);
    }
    return copied;
}

}  // namespace warplens::programs

extern "C" {

Error cudaGraphCreate(Graph** graph, unsigned) {
    return give(graph, new Graph);
}
Error cudaGraphDestroy(Graph* graph) {
    delete graph;
    return cuda::success;
}
Error cudaGraphClone(Graph** result, const Graph* graph) {
    return give(result, graph->clone().release());
}

Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                             std::size_t count, const KernelParameters* parameters) {
    const auto lock = lockDevice();
    (void)add(node, graph, NodeKind::kernel, needs, count);
    (*node)->take(parameters->launch(), parameters->arguments);
    return cuda::success;
}
Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                             std::size_t count, const cuda::Copy3D* parameters) {
    return add(node, graph, NodeKind::copy, needs, count, &GraphNode::copy, *parameters);
}
Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, GraphNode* const* needs,
                               std::size_t count, void* to, const void* from, std::size_t bytes,
                               int kind) {
    return add(node, graph, NodeKind::copy, needs, count, &GraphNode::other,
               [=] { return copyBytes(to, from, bytes, kind); });
}
Error cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, int);
Error cudaMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, int);
Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                     std::size_t count, const void* symbol, const void* from,
                                     std::size_t bytes, std::size_t offset, int kind) {
    return add(node, graph, NodeKind::copy, needs, count, &GraphNode::other,
               [=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); });
}
Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                       std::size_t count, void* to, const void* symbol,
                                       std::size_t bytes, std::size_t offset, int kind) {
    return add(node, graph, NodeKind::copy, needs, count, &GraphNode::other,
               [=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); });
}
Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                             std::size_t count, const FillParameters* parameters) {
    return add(node, graph, NodeKind::fill, needs, count, &GraphNode::fill, *parameters);
}
Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                           std::size_t count, const HostParameters* parameters) {
    return add(node, graph, NodeKind::host, needs, count, &GraphNode::other, callOf(*parameters));
}
Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                 std::size_t count, const Graph* child) {
    return add(node, graph, NodeKind::child, needs, count, &GraphNode::child, child->clone());
}
Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                            std::size_t count) {
    return add(node, graph, NodeKind::empty, needs, count);
}
Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                  std::size_t count, cuda::Event) {
    return add(node, graph, NodeKind::recordEvent, needs, count);
}
Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                std::size_t count, cuda::Event) {
    return add(node, graph, NodeKind::waitEvent, needs, count);
}
Error cudaMalloc(void**, std::size_t);
Error cudaGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                               std::size_t count, AllocateParameters* parameters) {
    (void)add(node, graph, NodeKind::allocate, needs, count);
    return cudaMalloc(&parameters->pointer, parameters->bytes);
}
Error cudaGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* needs,
                              std::size_t count, void*) {
    return add(node, graph, NodeKind::release, needs, count);
}
Error cudaGraphAddDependencies(Graph*, GraphNode* const* from, GraphNode* const* to, const void*,
                               std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) to[at]->needs.push_back(from[at]);
    return cuda::success;
}
/// Of the generic parameters those behind the kind are as the others of their kind.
Error cudaGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* needs, const void*,
                       std::size_t count, std::byte* parameters) {
    int kind = 0;
    std::memcpy(&kind, parameters, sizeof kind);
    std::byte* rest = parameters + 16;
    switch (static_cast<NodeKind>(kind)) {
        case NodeKind::kernel:
            return cudaGraphAddKernelNode(node, graph, needs, count,
                                          reinterpret_cast<const KernelParameters*>(rest));
        case NodeKind::copy:
            return cudaGraphAddMemcpyNode(node, graph, needs, count,
                                          reinterpret_cast<const cuda::Copy3D*>(rest + 16));
        case NodeKind::fill:
            return cudaGraphAddMemsetNode(node, graph, needs, count,
                                          reinterpret_cast<const FillParameters*>(rest));
        case NodeKind::host:
            return cudaGraphAddHostNode(node, graph, needs, count,
                                        reinterpret_cast<const HostParameters*>(rest));
        case NodeKind::conditional: {
            auto& conditional = *reinterpret_cast<ConditionalParameters*>(rest);
            add(node, graph, NodeKind::conditional, needs, count);
            (*node)->handle = conditional.handle;
            (*node)->condition = conditional.condition;
            auto** bodies = new Graph*[conditional.count];  // the program's
            for (unsigned at = 0; at < conditional.count; ++at)
                bodies[at] = (*node)->bodies.emplace_back(std::make_unique<Graph>()).get();
            conditional.bodies = bodies;
            return cuda::success;
        }
        case NodeKind::empty:
            return cudaGraphAddEmptyNode(node, graph, needs, count);
        default:
            sendFinding(FindingKind::notSupported,
                        "a node of a graph that is neither a kernel, a copy, a fill, a function of "
                        "the host, a condition nor empty is not modelled");
            return fail(cuda::notSupported);
    }
}

Error cudaGraphConditionalHandleCreate(unsigned long long* handle, Graph* graph, unsigned value,
                                       unsigned flags) {
    const auto lock = lockDevice();
    void* memory = RuntimeDevice::instance().allocate(sizeof(std::uint64_t));
    if (memory == nullptr) return fail(cuda::memoryAllocation);
    *handle = reinterpret_cast<std::uint64_t>(memory);
    valueOf(*handle) = value;
    // Where it is wished, each launch of the graph begins with that value.
    if ((flags & 1u) != 0) {
        graph->atBegin.push_back([address = *handle, value] { valueOf(address) = value; });
    }
    return cuda::success;
}
Error cudaGraphNodeGetType(const GraphNode* node, int* kind) {
    return give(kind, static_cast<int>(node->kind));
}
Error cudaGraphGetNodes(const Graph* graph, GraphNode** nodes, std::size_t* count) {
    std::vector<GraphNode*> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return giveNodes(all, nodes, count);
}
Error cudaGraphGetRootNodes(const Graph* graph, GraphNode** nodes, std::size_t* count) {
    std::vector<GraphNode*> roots;
    for (const auto& node : graph->nodes)
        if (node->needs.empty()) roots.push_back(node.get());
    return giveNodes(roots, nodes, count);
}
Error cudaGraphGetEdges(const Graph* graph, GraphNode** from, GraphNode** to, void*,
                        std::size_t* count) {
    std::vector<GraphNode*> begins;
    std::vector<GraphNode*> ends;
    for (const auto& node : graph->nodes) {
        for (GraphNode* needed : node->needs) {
            begins.push_back(needed);
            ends.push_back(node.get());
        }
    }
    std::size_t also = *count;
    (void)giveNodes(begins, from, count);
    return giveNodes(ends, to, &also);
}
Error cudaGraphNodeGetDependencies(const GraphNode* node, GraphNode** needs, void*,
                                   std::size_t* count) {
    return giveNodes(node->needs, needs, count);
}
Error cudaGraphDestroyNode(GraphNode* node) {
    node->isDisabled = true;
    return cuda::success;
}
Error cudaGraphChildGraphNodeGetGraph(const GraphNode* node, Graph** graph) {
    return give(graph, node->child.get());
}

Error cudaGraphKernelNodeGetParams(GraphNode* node, KernelParameters* parameters) {
    const HostLaunch& launch = node->launch;
    return give(parameters,
                {launch.stub, launch.grid, launch.block,
                 static_cast<unsigned>(launch.dynamicSharedBytes), node->pointers.data(), nullptr});
}
Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelParameters* parameters) {
    const auto lock = lockDevice();
    // The arguments that it has may be those that it is given.
    GraphNode fresh;
    fresh.take(parameters->launch(), parameters->arguments);
    become(*node, fresh);
    return cuda::success;
}
Error cudaGraphMemcpyNodeGetParams(const GraphNode* node, cuda::Copy3D* parameters) {
    return give(parameters, node->copy);
}
Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const cuda::Copy3D* parameters) {
    node->other = nullptr;
    node->copy = *parameters;
    return cuda::success;
}
Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* to, const void* from, std::size_t bytes,
                                     int kind) {
    node->other = [=] { return copyBytes(to, from, bytes, kind); };
    return cuda::success;
}
Error cudaGraphMemsetNodeGetParams(const GraphNode* node, FillParameters* parameters) {
    return give(parameters, node->fill);
}
Error cudaGraphMemsetNodeSetParams(GraphNode* node, const FillParameters* parameters) {
    node->other = nullptr;
    node->fill = *parameters;
    return cuda::success;
}
Error cudaGraphHostNodeSetParams(GraphNode* node, const HostParameters* parameters) {
    node->other = callOf(*parameters);
    return cuda::success;
}

Error cudaGraphInstantiate(RunnableGraph** result, const Graph* graph, unsigned long long) {
    auto made = std::make_unique<RunnableGraph>();
    made->graph = graph->clone();
    for (std::size_t at = 0; at < graph->nodes.size(); ++at)
        made->nodes[graph->nodes[at].get()] = made->graph->nodes[at].get();
    return give(result, made.release());
}
Error cudaGraphLaunch(RunnableGraph* graph, Stream stream) {
    const auto lock = lockDevice();
    if (graph == nullptr) return fail(cuda::invalidValue);
    if (captured(stream) != nullptr) {
        record(stream, NodeKind::child).child = graph->graph->clone();
        return cuda::success;
    }
    // Its launches are in order, and in this stream.
    streamOfGraph() = stream;
    const Error error = graph->graph->run();
    streamOfGraph().reset();
    return error;
}
Error cudaGraphExecDestroy(RunnableGraph* graph) {
    delete graph;
    return cuda::success;
}
/// The nodes of a graph of the same shape, in their order.
Error cudaGraphExecUpdate(RunnableGraph* graph, const Graph* with, std::byte* result) {
    const auto& nodes = graph->graph->nodes;
    bool isAlike = nodes.size() == with->nodes.size();
    for (std::size_t at = 0; isAlike && at < nodes.size(); ++at)
        isAlike = nodes[at]->kind == with->nodes[at]->kind &&
                  nodes[at]->needs.size() == with->nodes[at]->needs.size();
    const int outcome = isAlike ? 0 : 2;  // the topology changed
    if (result != nullptr) std::memcpy(result, &outcome, sizeof outcome);
    if (!isAlike) return fail(static_cast<Error>(910));
    graph->nodes.clear();
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        become(*nodes[at], *with->nodes[at]);
        graph->nodes[with->nodes[at].get()] = nodes[at].get();
    }
    return cuda::success;
}
Error cudaGraphExecKernelNodeSetParams(RunnableGraph* graph, const GraphNode* node,
                                       const KernelParameters* parameters) {
    return setIn(graph, node, cudaGraphKernelNodeSetParams, parameters);
}
Error cudaGraphExecMemcpyNodeSetParams(RunnableGraph* graph, const GraphNode* node,
                                       const cuda::Copy3D* parameters) {
    return setIn(graph, node, cudaGraphMemcpyNodeSetParams, parameters);
}
Error cudaGraphExecMemcpyNodeSetParams1D(RunnableGraph* graph, const GraphNode* node, void* to,
                                         const void* from, std::size_t bytes, int kind) {
    return setIn(graph, node, cudaGraphMemcpyNodeSetParams1D, to, from, bytes, kind);
}
Error cudaGraphExecMemsetNodeSetParams(RunnableGraph* graph, const GraphNode* node,
                                       const FillParameters* parameters) {
    return setIn(graph, node, cudaGraphMemsetNodeSetParams, parameters);
}
Error cudaGraphExecHostNodeSetParams(RunnableGraph* graph, const GraphNode* node,
                                     const HostParameters* parameters) {
    return setIn(graph, node, cudaGraphHostNodeSetParams, parameters);
}
Error cudaGraphNodeSetEnabled(RunnableGraph* graph, const GraphNode* node, unsigned isEnabled) {
    return setIn(
        graph, node,
        +[](GraphNode* own, unsigned enabled) {
            own->isDisabled = enabled == 0;
            return cuda::success;
        },
        isEnabled);
}
Error cudaDeviceGetGraphMemAttribute(int, int, unsigned long long* value) {
    return give(value, 0);
}

}  // extern "C"
