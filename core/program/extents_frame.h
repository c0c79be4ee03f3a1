#pragma once

#include "core/launch/extents.h"
#include "core/program/byte_frame.h"

namespace warplens {

inline void writeExtents(FrameWriter& out, Extents extents) {
    out.number(extents.x);
    out.number(extents.y);
    out.number(extents.z);
}

[[nodiscard]] inline Extents readExtents(FrameReader& in) {
    Extents extents;
    extents.x = in.number<std::uint32_t>();
    extents.y = in.number<std::uint32_t>();
    extents.z = in.number<std::uint32_t>();
    return extents;
}

}  // namespace warplens
