// What the pictures of threads share: colours, and the stripes of threads without an element.
uniform float uLineWidth;  // pixels between cells
uniform float uFade;       // 1 normal, below it the whole picture recedes into the ground
uniform vec3 uGround;
uniform vec3 uOutline;     // of lanes that hold no thread
uniform vec3 uPalette[32];
uniform int uHeld;         // warp, -1 for none
uniform vec2 uPhase;       // pixels the stripes have moved along with the picture

in vec2 local;  // pixels from the rectangle's top left corner

vec3 hatched(vec3 fill) {
    float period = max(6.0, uLineWidth * 6.0);
    float along = mod(local.x + local.y - uPhase.x - uPhase.y, period);
    // Both edges of a stripe spread over a pixel's diagonal.
    float stripe = clamp(along + 0.5, 0.0, 1.0) - clamp(along - period * 0.45 + 0.5, 0.0, 1.0) +
                   clamp(along - period + 0.5, 0.0, 1.0);
    return mix(uGround, fill, mix(0.12, 0.5, stripe));
}

vec3 warpColor(int warp) {
    vec3 fill = uPalette[warp & 31];
    return uHeld >= 0 && uHeld != warp ? mix(uGround, fill, 0.28) : fill;
}
