// The warps of a block, one to a row, by lanes.
out vec4 color;

uniform vec2 uCell;         // pixels
uniform int uThreads;       // of the block
uniform uint uOutside[32];  // bit lane of entry warp: that thread has no element of its own

void main() {
    ivec2 place = ivec2(floor(local / uCell));
    vec2 at = local - vec2(place) * uCell;
    int warp = place.y;
    // Lines vanish where they would take more than a quarter.
    bvec2 lines = greaterThanEqual(uCell, vec2(4.0 * uLineWidth));
    bool line = (lines.x && at.x >= uCell.x - uLineWidth) ||
                (lines.y && at.y >= uCell.y - uLineWidth);
    if (place.x >= 32 || line) {
        color = vec4(0.0);
        return;
    }
    if (warp * 32 + place.x >= uThreads) {
        vec2 edge = min(at, uCell - uLineWidth - at);
        float strength = uFade * (uHeld < 0 || uHeld == warp ? 1.0 : 0.4);
        color = min(edge.x, edge.y) >= uLineWidth ? vec4(0.0)
                                                  : vec4(mix(uGround, uOutline, strength), 1.0);
        return;
    }
    vec3 fill = warpColor(warp);
    if (((uOutside[warp & 31] >> uint(place.x)) & 1u) != 0u) fill = hatched(fill);
    color = vec4(mix(uGround, fill, uFade), 1.0);
}
