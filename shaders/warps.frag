// The warps of a block, one to a row, by lanes.
out vec4 color;

flat in vec2 fCell;         // pixels
flat in int fThreads;       // of the block
uniform uint uOutside[32];  // bit lane of entry warp: that thread has no element of its own

void main() {
    ivec2 place = ivec2(floor(local / fCell));
    vec2 at = local - vec2(place) * fCell;
    int warp = place.y;
    // Lines vanish where they would take more than a quarter.
    bvec2 lines = greaterThanEqual(fCell, vec2(4.0 * fLineWidth));
    bool line = (lines.x && at.x >= fCell.x - fLineWidth) ||
                (lines.y && at.y >= fCell.y - fLineWidth);
    if (place.x >= 32 || line) {
        color = vec4(0.0);
        return;
    }
    if (warp * 32 + place.x >= fThreads) {
        vec2 edge = min(at, fCell - fLineWidth - at);
        float strength = fFade * (fHeld < 0 || fHeld == warp ? 1.0 : 0.4);
        color = min(edge.x, edge.y) >= fLineWidth ? vec4(0.0)
                                                  : vec4(mix(fBackground, fOutline, strength), 1.0);
        return;
    }
    vec3 fill = warpColor(warp);
    if (((uOutside[warp & 31] >> uint(place.x)) & 1u) != 0u) fill = hatched(fill);
    color = vec4(mix(fBackground, fill, fFade), 1.0);
}
