#include "core/lesson/lesson.h"

namespace warplens {

std::string_view groupTitle(char group) {
    switch (group) {
        case 'A':
            return "Threads into warps";
        case 'B':
            return "Threads on data";
        case 'C':
            return "Coalescing";
        case 'D':
            return "Divergence";
        case 'E':
            return "Memory hierarchy";
        case 'F':
            return "Scheduling";
        default:
            return "More";
    }
}

}  // namespace warplens
