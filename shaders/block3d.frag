#version 330 core
// A side of a cube with the lines around it; with IDENTIFY, the number of its cube instead.
in vec2 at;
flat in vec3 fill;
flat in uint layer;    // 0 full, 1 receded, 2 hollow: Block3dLayer of app/drawing/block3d_faces.h
flat in uint wasted;   // 1: the thread has no element of its own
flat in uint rank;
out vec4 color;

uniform float uLineWidth;  // pixels
uniform float uFade;       // 1 normal, below it the whole picture recedes into the background
uniform vec3 uBackground;
uniform vec3 uOutline;     // of lanes that hold no thread

// As in mapping.frag, and smooth: the stripes cross cubes that are seen at an angle.
vec3 hatched() {
    float period = max(6.0, uLineWidth * 6.0);
    float phase = abs(fract((gl_FragCoord.x - gl_FragCoord.y) / period) - 0.5) * period;
    return mix(uBackground, fill, mix(0.55, 0.12, clamp(phase - 0.225 * period + 0.5, 0.0, 1.0)));
}

void main() {
#ifdef IDENTIFY
    uint number = rank + 1u;
    color = vec4(float(number & 255u) / 255.0, float(number >> 8) / 255.0, 0.0, 1.0);
#else
    vec2 unitsPerPixel = max(fwidth(at), 1e-6);
    vec2 pixels = min(at, 1.0 - at) / unitsPerPixel;
    float side = 1.0 / max(unitsPerPixel.x, unitsPerPixel.y);
    float line = clamp(uLineWidth + 0.5 - min(pixels.x, pixels.y), 0.0, 1.0);
    // Lines give way where they would hide the cubes.
    line *= clamp(side / (4.0 * uLineWidth) - 0.5, 0.0, 1.0);
    vec4 shown;
    if (layer == 0u) {
        shown = vec4(mix(wasted == 1u ? hatched() : fill, uBackground, line), 1.0);
    } else if (layer == 1u) {
        shown = vec4(fill, mix(wasted == 1u ? 0.05 : 0.11, 0.3, line));
    } else {
        shown = vec4(uOutline, line);
    }
    color = vec4(mix(uBackground, shown.rgb, uFade), shown.a);
#endif
}
