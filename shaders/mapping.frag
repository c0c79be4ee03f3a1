#version 330 core
// The mapping of threads to warps, computed for each pixel from the launch alone. The rule is the
// one of core/launch/mapping.h; tests/gl compares the two pixel by pixel. Compiled once for each
// MODE: a software rasteriser computes both sides of every condition.
in vec2 local;
out vec4 color;

uniform vec2 uCell;        // pixels
uniform float uLineWidth;  // pixels between cells
uniform float uFade;       // 1 normal, below it the whole picture recedes into the ground
uniform vec3 uGround;
uniform vec3 uOutline;     // of lanes that hold no thread

uniform ivec3 uBlock;
uniform ivec2 uTile;       // threads in a tile
uniform ivec2 uTiles;      // tiles of one slice
uniform int uColumns;      // tiles side by side
uniform int uTileCount;
uniform vec2 uPitch;       // pixels from tile to tile
uniform vec3 uPalette[32];
uniform uint uOutside[32];  // bit lane of entry warp: that thread is outside the problem
uniform int uHeld;          // warp, -1 for none

uniform uvec2 uGrid;
uniform uint uGridColumns;  // blocks in a row
uniform bool uFolded;
uniform uvec2 uInside;   // blocks wholly inside the problem, along x and y
uniform uvec2 uReached;  // blocks that hold any part of it
uniform vec3 uBlockColor;
uniform vec3 uEdgeColor;

// a / b for 0 <= a < 2^20, exactly: integer division is many times slower on a software rasteriser.
int quotient(int a, int b) {
    return int((float(a) + 0.5) / float(b));
}

bool stripe() {
    float period = max(6.0, uLineWidth * 6.0);
    return mod(local.x + local.y, period) < period * 0.45;
}

vec3 hatched(vec3 fill) {
    return mix(uGround, fill, stripe() ? 0.5 : 0.12);
}

// `at` is the place inside the cell. Lines vanish where they would take more than a quarter.
bool onLine(vec2 at) {
    return (uCell.x >= 4.0 * uLineWidth && at.x >= uCell.x - uLineWidth) ||
           (uCell.y >= 4.0 * uLineWidth && at.y >= uCell.y - uLineWidth);
}

vec4 threadColor(int rank, vec2 at) {
    int warp = rank >> 5;
    if (onLine(at)) return vec4(0.0);
    if (rank >= uBlock.x * uBlock.y * uBlock.z) {
        vec2 edge = min(at, uCell - uLineWidth - at);
        if (min(edge.x, edge.y) >= uLineWidth) return vec4(0.0);
        return vec4(mix(uGround, uOutline, uFade * (uHeld < 0 || uHeld == warp ? 1.0 : 0.4)), 1.0);
    }
    vec3 fill = uPalette[warp & 31];
    if (((uOutside[warp] >> uint(rank & 31)) & 1u) != 0u) fill = hatched(fill);
    if (uHeld >= 0 && uHeld != warp) fill = mix(uGround, fill, 0.16);
    return vec4(mix(uGround, fill, uFade), 1.0);
}

vec4 blockMode() {
    ivec2 place = ivec2(floor(local / uPitch));
    vec2 inTile = local - vec2(place) * uPitch;
    ivec2 thread = ivec2(floor(inTile / uCell));
    int tile = place.y * uColumns + place.x;
    if (place.x >= uColumns || tile >= uTileCount || thread.x >= uTile.x || thread.y >= uTile.y) {
        return vec4(0.0);
    }
    int rowOfTiles = quotient(tile, uTiles.x);
    int z = quotient(rowOfTiles, uTiles.y);
    int x = (tile - rowOfTiles * uTiles.x) * uTile.x + thread.x;
    int y = (rowOfTiles - z * uTiles.y) * uTile.y + thread.y;
    bool line = uBlock.y == 1 && uBlock.z == 1;
    // A 1D block goes on with the idle lanes of its last warp; any other ends where it ends.
    if (!line && (x >= uBlock.x || y >= uBlock.y)) return vec4(0.0);
    if (line && x >= ((uBlock.x + 31) & ~31)) return vec4(0.0);
    return threadColor(x + y * uBlock.x + z * uBlock.x * uBlock.y, inTile - vec2(thread) * uCell);
}

vec4 gridMode() {
    vec2 place = floor(local / uCell);
    uvec2 block = uvec2(place);
    if (uFolded) block = uvec2(block.y * uGridColumns + block.x, 0u);
    if (block.x >= uGrid.x || block.y >= uGrid.y || place.x >= float(uGridColumns)) {
        return vec4(0.0);
    }
    if (onLine(local - place * uCell)) return vec4(0.0);
    vec3 fill = uBlockColor;
    if (block.x >= uReached.x || block.y >= uReached.y) {
        fill = hatched(uEdgeColor);
    } else if (block.x >= uInside.x || block.y >= uInside.y) {
        fill = uEdgeColor;
    }
    return vec4(mix(uGround, fill, uFade), 1.0);
}

vec4 warpMode() {
    ivec2 place = ivec2(floor(local / uCell));
    if (place.x >= 32) return vec4(0.0);
    return threadColor(place.y * 32 + place.x, local - vec2(place) * uCell);
}

void main() {
#if MODE == 0
    color = blockMode();
#elif MODE == 1
    color = warpMode();
#else
    color = gridMode();
#endif
}
