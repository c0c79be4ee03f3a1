// Every thread of a launch, computed for each pixel from the launch and the camera alone. The
// layout is the one of app/drawing/map_layout.h, the rule the one of core/launch/mapping.h;
// tests/gl compares the three.
//
// Compiled once for each combination of
//   DETAIL    0 threads, their lines sharp; 1 threads and warps, filtered; 2 blocks; 3 blocks below
//             two pixels. A software rasteriser computes both sides of every condition.
//   PIECES    whether the grid is cut into pieces with gaps between, or one piece or folded line
//   GUARDED   whether any thread of the launch has no element of its own
//   IDENTIFY  whether what is drawn is named instead of coloured, for the tests
//
// Nothing is sampled that could alias: a pixel is a box, and what it covers of cells, tiles, blocks
// and pieces is a difference of integrals of pulse trains, exact at any scale.
flat in float fLineWidth;  // pixels between cells
flat in float fFade;       // 1 normal, below it the whole picture recedes into the background
flat in vec3 fBackground;
flat in vec3 fOutline;     // of lanes that hold no thread
uniform vec3 uPalette[32];
flat in int fHeld;         // warp, -1 for none
flat in float fPhase;      // pixels the stripes have moved along with the picture, x + y

in vec2 local;  // pixels from the rectangle's top left corner

vec3 hatched(vec3 fill) {
    float period = max(6.0, fLineWidth * 6.0);
    float along = mod(local.x + local.y - fPhase, period);
    // Both edges of a stripe spread over a pixel's diagonal.
    float stripe = clamp(along + 0.5, 0.0, 1.0) - clamp(along - period * 0.45 + 0.5, 0.0, 1.0) +
                   clamp(along - period + 0.5, 0.0, 1.0);
    return mix(fBackground, fill, mix(0.12, 0.5, stripe));
}

vec3 warpColor(int warp) {
    vec3 fill = uPalette[warp & 31];
    return fHeld >= 0 && fHeld != warp ? mix(fBackground, fill, 0.28) : fill;
}

#if IDENTIFY
out uvec4 identity;  // block x, block y and z, 1 + thread rank or warp, 1 + detail
#else
out vec4 color;
#endif

flat in float fPixel;       // cells a pixel is wide
flat in vec2 fStart;        // cells from the corner of the first place to that of the rectangle
flat in uvec2 fFirst;       // the place at the rectangle's top left corner, modulo 2^32
flat in vec2 fLow;          // the map's first place, counted from that one
flat in vec2 fHigh;         // and the one after its last
flat in uvec2 fChosen;      // place of the chosen block
flat in float fOthers;      // strength of all other blocks
flat in vec2 fPitch;        // cells from block to block
flat in vec2 fMargin;       // empty cells on each side of a block
flat in uvec2 fGrid;        // blocks along x and y
flat in uvec2 fPiece;       // blocks
// Uniforms are what few pictures need, so that 60 components are enough for what is handed over.
uniform uvec2 uPieces;      // of one plane
uniform uint uColumns;      // pieces side by side
uniform uint uGap;          // places between pieces
uniform uint uPieceCount;
flat in int fFolded;        // 1: a line of blocks goes on from row to row

flat in ivec3 fBlock;       // threads
flat in ivec2 fTile;        // threads in a tile
flat in ivec2 fTiles;       // tiles of one slice
flat in int fTileColumns;   // tiles side by side
uniform int uTileCount;
flat in vec2 fTilePitch;    // cells

flat in uvec3 fWhole;       // blocks wholly inside the problem, along each axis
flat in ivec3 fRest;        // threads inside, of the block after those
flat in uvec4 fFront;       // colours of block cases, 0xrrggbb: the first four
flat in uvec4 fBack;        // and those beyond the problem's depth
flat in float fPlate;       // strength of a block's background below its threads
flat in float fWarps;       // how much threads show their warp's colour, not their block's
#if DETAIL == 1
flat in float fThreads;     // how much threads show at all
#elif DETAIL == 2
flat in float fHatching;    // how much blocks show which part of them is wasted
#endif

// a / b exactly, for b > 0: integer division is many times slower on a software rasteriser.
uint divided(uint a, uint b) {
    uint estimate = uint(min(float(a) / float(b), 4294967040.0));
    int rest = int(a - estimate * b);
    return estimate + uint(int(floor((float(rest) + 0.5) / float(b))));
}
// The same for a < 2^20.
int quotient(int a, int b) {
    return int((float(a) + 0.5) / float(b));
}

// The share of a box of `width` round `middle` that [from, to] of every period of 1 covers, within
// [first, last].
vec2 covered(vec2 middle, vec2 width, vec2 from, vec2 to, vec2 first, vec2 last) {
    vec2 low = clamp(middle - width * 0.5, first, last);
    vec2 high = clamp(middle + width * 0.5, first, last);
    vec2 share = to - from;
    vec2 below = floor(low) * share + clamp(fract(low) - from, vec2(0.0), share);
    vec2 above = floor(high) * share + clamp(fract(high) - from, vec2(0.0), share);
    return (above - below) / width;
}

// The share of a box that [from, to] covers.
vec2 overlap(vec2 middle, vec2 width, vec2 from, vec2 to) {
    return max(min(middle + width * 0.5, to) - max(middle - width * 0.5, from), vec2(0.0)) / width;
}

struct Spot {
    bool there;     // there is a block
    uvec3 block;
    vec2 place;     // from the first place on, with the part inside
    vec2 cells;     // from the corner of the block's threads
    bool chosen;
};

Spot spotAtPixel() {
    Spot spot;
    vec2 cells = local * fPixel + fStart;
    spot.place = cells / fPitch;
    vec2 step = floor(spot.place);
    spot.cells = cells - step * fPitch - fMargin;
#if DETAIL == 3
    // A map may be more places wide than a signed integer counts.
    vec2 pairs = floor(step * 0.5);
    uvec2 place = fFirst + uvec2(ivec2(pairs)) * 2u + uvec2(ivec2(step - 2.0 * pairs));
#else
    uvec2 place = fFirst + uvec2(ivec2(step));
#endif
    spot.chosen = place == fChosen;
    // Beyond the map places would come round again.
    spot.there = all(greaterThanEqual(step, fLow)) && all(lessThan(step, fHigh));
#if PIECES
    uvec2 pitch = fPiece + uGap;
    uvec2 piece = uvec2(divided(place.x, pitch.x), divided(place.y, pitch.y));
    uvec2 inside = place - piece * pitch;
    uint number = piece.y * uColumns + piece.x;
    spot.there = spot.there && piece.x < uColumns && number < uPieceCount &&
                 inside.x < fPiece.x && inside.y < fPiece.y;
    uint row = divided(number, uPieces.x);
    uint z = divided(row, uPieces.y);
    spot.block = uvec3((number - row * uPieces.x) * fPiece.x + inside.x,
                       (row - z * uPieces.y) * fPiece.y + inside.y, z);
#else
    spot.there = spot.there && place.x < fPiece.x;
    spot.block = fFolded != 0 ? uvec3(place.y * fPiece.x + place.x, 0u, 0u) : uvec3(place, 0u);
#endif
    spot.there = spot.there && spot.block.x < fGrid.x && spot.block.y < fGrid.y;
    return spot;
}

struct Thread {
    bool there;     // the pixel's middle is nearest to a tile of the block
    ivec3 index;    // may lie beyond the block's edge where a tile sticks out
    vec2 inTile;    // cells
};

Thread threadAt(vec2 cells) {
    // A tile owns half of the gaps beside it, so that a pixel touches one tile alone.
    vec2 halfGap = (fTilePitch - vec2(fTile)) * 0.5;
    ivec2 place = ivec2(floor((cells + halfGap) / fTilePitch));
    Thread thread;
    thread.inTile = cells - vec2(place) * fTilePitch;
    int tile = place.y * fTileColumns + place.x;
    thread.there = place.x >= 0 && place.y >= 0 && place.x < fTileColumns && tile < uTileCount;
    int row = quotient(tile, fTiles.x);
    int z = quotient(row, fTiles.y);
    ivec2 inside = clamp(ivec2(floor(thread.inTile)), ivec2(0), fTile - 1);
    thread.index = ivec3((tile - row * fTiles.x) * fTile.x + inside.x,
                         (row - z * fTiles.y) * fTile.y + inside.y, z);
    return thread;
}

int rankOf(ivec3 thread) {
    return thread.x + fBlock.x * (thread.y + fBlock.y * thread.z);
}

// Threads of the block along each axis that have an element of their own.
ivec3 usefulThreads(uvec3 block) {
#if GUARDED
    ivec3 part = ivec3(equal(block, fWhole)) * fRest;
    return ivec3(lessThan(block, fWhole)) * fBlock + part;
#else
    return fBlock;
#endif
}

#if IDENTIFY
void main() {
    Spot spot = spotAtPixel();
    identity = uvec4(0u);
    if (!spot.there) return;
    identity = uvec4(spot.block.x, spot.block.y | spot.block.z << 16, 0u, uint(DETAIL) + 1u);
#if DETAIL < 2
    Thread thread = threadAt(spot.cells);
    bool inside = all(greaterThanEqual(thread.inTile, vec2(0.0))) &&
                  all(lessThan(thread.inTile, vec2(fTile)));
    if (thread.there && inside && all(lessThan(thread.index, fBlock))) {
        identity.z = 1u + uint(rankOf(thread.index));
    }
#endif
}
#else

vec3 unpacked(uint color) {
    // Signed integers become floats in one instruction.
    return vec3(ivec3(color >> 16 & 255u, color >> 8 & 255u, color & 255u)) / 255.0;
}

// A choice among fixed places: a place that is computed is fetched for each pixel on its own.
vec3 caseColor(uvec3 block) {
#if GUARDED
    bvec3 out_ = greaterThanEqual(block, fWhole);
    uvec4 layer = out_.z ? fBack : fFront;
    uvec2 pair = out_.y ? layer.zw : layer.xy;
    return unpacked(out_.x ? pair.y : pair.x);
#else
    return unpacked(fFront.x);
#endif
}

// What the pixel covers of the backgrounds of blocks: a little more than their threads.
float plateCover(Spot spot) {
    vec2 edge = fMargin * 0.65 / fPitch;
    vec2 share = covered(spot.place, fPixel / fPitch, edge, 1.0 - edge, fLow, fHigh);
    return share.x * share.y;
}

vec4 shown(vec3 result) {
    return vec4(mix(fBackground, result, fFade), 1.0);
}

#if DETAIL == 3
void main() {
    Spot spot = spotAtPixel();
    float cover = plateCover(spot);
    vec2 width = fPixel / fPitch;
#if PIECES
    vec2 pitch = vec2(fPiece + uGap);
    vec2 inPieces = (spot.place - fLow) / pitch;
    vec2 share = covered(inPieces, width / pitch, vec2(0.0), vec2(fPiece) / pitch, vec2(0.0),
                         vec2(float(uColumns), 4294967296.0));
    // Pieces that are seen have their own ends; of those below pixels the average is left.
    bool seen = all(greaterThan(float(uGap) / width, vec2(1.0)));
    cover *= share.x * share.y * (spot.there || !seen ? 1.0 : 0.0);
#else
    // A last row that is seen ends where the grid ends.
    cover *= spot.there || width.y > 1.0 ? 1.0 : 0.0;
#endif
    // How far along each axis the pixel is, in blocks; a folded line goes on from row to row.
    vec2 along = vec2(spot.block.xy) + fract(spot.place);
    vec2 ends = vec2(fGrid.xy);
    vec2 whole = vec2(fWhole.xy);
    vec2 useful = whole + vec2(fRest.xy) / vec2(fBlock.xy);
    if (fFolded != 0) {
        along.x = spot.place.y - fLow.y;
        float row = float(fPiece.x);
        ends.x = ceil(ends.x / row);
        whole.x /= row;
        useful.x /= row;
        width.x = width.y;
    }
    vec2 all_ = max(overlap(along, width, vec2(0.0), ends), vec2(1e-6));
    vec2 outside = clamp(overlap(along, width, min(whole, ends), ends) / all_, 0.0, 1.0);
    vec2 used = clamp(overlap(along, width, vec2(0.0), min(useful, ends)) / all_, 0.0, 1.0);
    bool behind = spot.block.z >= fWhole.z;
    uvec4 layer = behind ? fBack : fFront;
    vec3 fill = mix(mix(unpacked(layer.x), unpacked(layer.y), outside.x),
                    mix(unpacked(layer.z), unpacked(layer.w), outside.x), outside.y);
    float wasted = behind ? 1.0 : 1.0 - used.x * used.y;
    color = shown(mix(fBackground, mix(fill, hatched(fill), wasted), cover * fOthers));
}
#else

void main() {
    Spot spot = spotAtPixel();
    vec3 blockColor = caseColor(spot.block);
    ivec3 useful = usefulThreads(spot.block);
    float strength = spot.there ? (spot.chosen ? 1.0 : fOthers) : 0.0;
    Thread thread = threadAt(spot.cells);
    bool wasted = GUARDED != 0 && any(greaterThanEqual(thread.index, useful));
    float plate = plateCover(spot) * strength;
#if DETAIL == 2
    vec3 share = vec3(useful) / vec3(fBlock);
    float part = mix(1.0 - share.x * share.y * share.z, float(wasted), fHatching);
    color = shown(mix(fBackground, mix(blockColor, hatched(blockColor), part), plate));
#else
    float line = fLineWidth * fPixel;
#if DETAIL == 0
    // A line is at least a pixel wide: half of it belongs to either cell, and a pixel touches only
    // the cell that its middle is in.
    vec2 inCell = thread.inTile - clamp(floor(thread.inTile), vec2(0.0), vec2(fTile - 1));
    vec2 share = overlap(inCell, vec2(fPixel), vec2(line * 0.5), vec2(1.0 - line * 0.5));
    float cover = share.x * share.y;
    int rank = rankOf(thread.index);
    bool row = fBlock.y == 1 && fBlock.z == 1;
    bool idle = rank >= fBlock.x * fBlock.y * fBlock.z;
    // A 1D block goes on with the idle lanes of its last warp; any other ends where it ends.
    bool cell = thread.there && (row ? thread.index.x < ((fBlock.x + 31) & ~31)
                                     : all(lessThan(thread.index, fBlock)));
    vec3 fill = mix(blockColor, warpColor(rank >> 5), fWarps);
    if (wasted) fill = hatched(fill);
    if (idle) {
        vec2 inner = overlap(inCell, vec2(fPixel), vec2(line * 1.5), vec2(1.0 - line * 1.5));
        cover -= inner.x * inner.y;
        fill = mix(fBackground, fOutline, fHeld < 0 || fHeld == (rank >> 5) ? 1.0 : 0.4);
    }
    vec3 base = mix(fBackground, blockColor, plate * fPlate);
    color = shown(mix(base, fill, cell ? cover * strength : 0.0));
#else
    // Cells of a pixel or more: the four that the pixel's corners lie in, by what it covers of each.
    // Below that only areas of warps are left to see: four samples inside the pixel.
    bool cells = fPixel <= 1.0;
    float reach = cells ? fPixel * 0.5 : fPixel * 0.25;
    vec2 last = vec2(fTile - 1);
    vec2 low = clamp(floor(thread.inTile - reach), vec2(0.0), last);
    vec2 high = clamp(floor(thread.inTile + reach), vec2(0.0), last);
    vec2 next = cells ? clamp((thread.inTile + reach - high) / fPixel, 0.0, 1.0) : vec2(0.5);
    vec2 inTile = overlap(thread.inTile, vec2(fPixel), vec2(0.0), vec2(fTile));
    float cover = thread.there ? inTile.x * inTile.y : 0.0;
    // Lines between cells, as far as they are still drawn.
    vec2 inCell = fract(thread.inTile);
    vec2 share = overlap(inCell, vec2(fPixel), vec2(line * 0.5), vec2(1.0 - line * 0.5));
    float lines = smoothstep(3.0, 6.0, fLineWidth / line);
    cover *= mix(1.0, share.x * share.y, lines);
    ivec2 base = thread.index.xy - clamp(ivec2(floor(thread.inTile)), ivec2(0), fTile - 1);
    vec3 sum = vec3(0.0);
    float weight = 0.0;
    float lost = 0.0;
    bool row = fBlock.y == 1 && fBlock.z == 1;
    for (int corner = 0; corner < 4; ++corner) {
        bvec2 far = bvec2((corner & 1) != 0, (corner & 2) != 0);
        vec2 place = mix(low, high, vec2(far));
        vec2 part = mix(1.0 - next, next, vec2(far));
        ivec3 index = ivec3(base + ivec2(place), thread.index.z);
        bool there = all(lessThan(index, fBlock));
        float w = there ? part.x * part.y : 0.0;
        bool out_ = GUARDED != 0 && any(greaterThanEqual(index, useful));
        sum += w * warpColor(rankOf(index) >> 5);
        weight += w;
        lost += out_ ? w : 0.0;
    }
    sum /= max(weight, 1e-3);
    lost /= max(weight, 1e-3);
    vec3 fill = mix(blockColor, sum, fWarps);
    fill = mix(fill, hatched(fill), lost);
    vec3 behind = mix(blockColor, hatched(blockColor), lost);
    vec3 below = mix(fBackground, behind, plate * mix(1.0, fPlate, fThreads));
    color = shown(mix(below, fill, cover * weight * strength * fThreads));
#endif
#endif
}
#endif
#endif
