// What the pictures of threads share: colours, and the stripes of threads without an element.
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
