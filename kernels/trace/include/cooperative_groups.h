#pragma once
// Cooperative groups: blocks, tiles, coalesced groups, and the grid of a cooperative launch.
#include "cuda_runtime.h"

namespace cooperative_groups {

inline unsigned wl_rank_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned wl_block_size() { return blockDim.x * blockDim.y * blockDim.z; }

/// Groups of lanes of one warp, whichever they are.
struct wl_lanes {
    unsigned lanes;
    unsigned thread_rank() const { return __popc(lanes & ((1u << wl_lane()) - 1)); }
    unsigned size() const { return __popc(lanes); }
    unsigned num_threads() const { return __popc(lanes); }
    unsigned wl_lane_of(unsigned rank) const {
        unsigned rest = lanes;
        while (rank-- > 0) rest &= rest - 1;
        return rest ? (unsigned)__ffs((int)rest) - 1 : 0;
    }
    void sync() const {
        WL_EVENT;
        wl_warp_barrier(lanes);
    }
    template <class T>
    T shfl(T value, int rank) const {
        WL_EVENT;
        T result = value;
        wl_shuffle(lanes, &value, sizeof value, wl_lane_of((unsigned)rank % size()), &result);
        return result;
    }
    template <class T>
    T shfl_down(T value, unsigned delta) const {
        WL_EVENT;
        T result = value;
        const unsigned me = thread_rank();
        wl_shuffle(lanes, &value, sizeof value, wl_lane_of(me + delta < size() ? me + delta : me),
                   &result);
        return result;
    }
    template <class T>
    T shfl_up(T value, unsigned delta) const {
        WL_EVENT;
        T result = value;
        const unsigned me = thread_rank();
        wl_shuffle(lanes, &value, sizeof value, wl_lane_of(me >= delta ? me - delta : me), &result);
        return result;
    }
    template <class T>
    T shfl_xor(T value, unsigned bits) const {
        WL_EVENT;
        T result = value;
        const unsigned to = thread_rank() ^ bits;
        wl_shuffle(lanes, &value, sizeof value, wl_lane_of(to < size() ? to : thread_rank()),
                   &result);
        return result;
    }
    /// Bits by rank in the group.
    unsigned wl_compact(unsigned found) const {
        unsigned bits = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            bits |= (found >> lane & 1) << rank++;
        }
        return bits;
    }
    unsigned ballot(int predicate) const {
        WL_EVENT;
        return wl_compact(wl_ballot(lanes, predicate));
    }
    int any(int predicate) const {
        WL_EVENT;
        return wl_ballot(lanes, predicate) != 0;
    }
    int all(int predicate) const {
        WL_EVENT;
        return wl_ballot(lanes, !predicate) == 0;
    }
    template <class T>
    unsigned match_all(T value, int& all) const {
        WL_EVENT;
        all = wl_match(lanes, &value, sizeof value) == lanes;
        return all ? wl_compact(lanes) : 0;
    }
    template <class T>
    unsigned match_any(T value) const {
        WL_EVENT;
        return wl_compact(wl_match(lanes, &value, sizeof value));
    }
};

struct thread_block {
    static unsigned thread_rank() { return wl_rank_in_block(); }
    static unsigned size() { return wl_block_size(); }
    static unsigned num_threads() { return wl_block_size(); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 group_dim() { return dim3(blockDim); }
    static dim3 dim_threads() { return dim3(blockDim); }
    static void sync() {
        WL_EVENT;
        wl_block_barrier();
    }
};
inline thread_block this_thread_block() { return thread_block(); }

struct grid_group {
    static bool is_valid() { return true; }
    static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long thread_rank() {
        return block_rank() * wl_block_size() + wl_rank_in_block();
    }
    static unsigned long long size() { return num_blocks() * wl_block_size(); }
    static unsigned long long num_threads() { return size(); }
    static dim3 group_dim() { return dim3(gridDim); }
    static dim3 dim_blocks() { return dim3(gridDim); }
    static dim3 block_index() { return dim3(blockIdx); }
    static void sync() {
        WL_EVENT;
        wl_grid_barrier();
    }
};
inline grid_group this_grid() { return grid_group(); }

struct coalesced_group : wl_lanes {
    unsigned meta_group_size() const { return 1; }
    unsigned meta_group_rank() const { return 0; }
};
inline coalesced_group coalesced_threads() {
    WL_EVENT;
    coalesced_group group;
    group.lanes = wl_active();
    return group;
}

/// Any group: a block, or lanes of one warp.
struct thread_group : wl_lanes {
    bool wl_block = false;
    thread_group() = default;
    thread_group(const thread_block&) : wl_block(true) { lanes = 0; }
    thread_group(const wl_lanes& other) : wl_lanes(other) {}
    unsigned thread_rank() const { return wl_block ? wl_rank_in_block() : wl_lanes::thread_rank(); }
    unsigned size() const { return wl_block ? wl_block_size() : wl_lanes::size(); }
    unsigned num_threads() const { return size(); }
    void sync() const {
        WL_EVENT;
        if (wl_block) {
            wl_block_barrier();
        } else {
            wl_warp_barrier(lanes);
        }
    }
};

inline unsigned wl_tile_lanes(unsigned n) {
    return n >= 32 ? 0xffffffffu : ((1u << n) - 1) << (wl_lane() / n * n);
}
template <unsigned N, class Parent = void>
struct thread_block_tile : wl_lanes {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "tiles of more than a warp cannot be traced");
    thread_block_tile() = default;
    /// What it is a tile of may be forgotten.
    template <class Other>
    thread_block_tile(const thread_block_tile<N, Other>& other) {
        lanes = other.lanes;
    }
    unsigned thread_rank() const { return wl_lane() % N; }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    unsigned meta_group_size() const { return (wl_block_size() + N - 1) / N; }
    unsigned meta_group_rank() const { return wl_rank_in_block() / N; }
};
template <unsigned N, class Group>
inline thread_block_tile<N, Group> tiled_partition(const Group&) {
    thread_block_tile<N, Group> tile;
    tile.lanes = wl_tile_lanes(N);
    return tile;
}
template <class Group>
inline thread_group tiled_partition(const Group&, unsigned n) {
    thread_group tile;
    tile.lanes = wl_tile_lanes(n);
    return tile;
}

/// The lanes of a group that say the same.
template <class Group>
inline coalesced_group binary_partition(const Group& group, bool predicate) {
    WL_EVENT;
    const unsigned yes = wl_ballot(group.lanes, predicate);
    coalesced_group part;
    part.lanes = predicate ? yes : group.lanes & ~yes;
    return part;
}
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& group, Label label) {
    WL_EVENT;
    coalesced_group part;
    part.lanes = wl_match(group.lanes, &label, sizeof label);
    return part;
}

template <class Group>
inline void sync(const Group& group) {
    WL_EVENT;
    group.sync();
}

template <class T>
struct plus {
    T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(const T& a, const T& b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(const T& a, const T& b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(const T& a, const T& b) const { return a ^ b; }
};

template <class Group, class T, class Op>
inline T reduce(const Group& group, T value, Op op) {
    WL_EVENT;
    const T* all = (const T*)wl_exchange(group.lanes, &value, sizeof value);
    T sum = value;
    bool first = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(group.lanes >> lane & 1)) continue;
        sum = first ? all[lane] : op(sum, all[lane]);
        first = false;
    }
    return sum;
}
template <class Group, class T, class Op>
inline T inclusive_scan(const Group& group, T value, Op op) {
    WL_EVENT;
    const T* all = (const T*)wl_exchange(group.lanes, &value, sizeof value);
    T sum = value;
    bool first = true;
    for (unsigned lane = 0; lane <= wl_lane(); ++lane) {
        if (!(group.lanes >> lane & 1)) continue;
        sum = first ? all[lane] : op(sum, all[lane]);
        first = false;
    }
    return sum;
}
template <class Group, class T>
inline T inclusive_scan(const Group& group, T value) {
    WL_EVENT;
    return inclusive_scan(group, value, plus<T>());
}
/// The first lane of the group has T().
template <class Group, class T, class Op>
inline T exclusive_scan(const Group& group, T value, Op op) {
    WL_EVENT;
    const T* all = (const T*)wl_exchange(group.lanes, &value, sizeof value);
    T sum = T();
    bool first = true;
    for (unsigned lane = 0; lane < wl_lane(); ++lane) {
        if (!(group.lanes >> lane & 1)) continue;
        sum = first ? all[lane] : op(sum, all[lane]);
        first = false;
    }
    return sum;
}
template <class Group, class T>
inline T exclusive_scan(const Group& group, T value) {
    WL_EVENT;
    return exclusive_scan(group, value, plus<T>());
}
template <class Group, class F>
inline void invoke_one(const Group& group, F&& function) {
    if (group.thread_rank() == 0) function();
}

}  // namespace cooperative_groups
