#version 330 core
// One side of a cube for each instance; its four corners are made of the vertex number.
layout(location = 0) in vec3 corner;  // lowest corner of the cube
layout(location = 1) in uint what;    // rank, then 4 bits each: axis, end, layer, wasted
layout(location = 2) in vec4 color;

uniform mat4 uToClip;

out vec2 at;  // 0 .. 1 on the face
flat out vec3 fill;
flat out uint layer;
flat out uint wasted;
flat out uint rank;

void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    uint axis = (what >> 16) & 15u;
    float end = float((what >> 20) & 15u);
    vec3 place = axis == 0u ? vec3(end, at) : axis == 1u ? vec3(at.y, end, at.x) : vec3(at, end);
    fill = color.rgb;
    layer = (what >> 24) & 15u;
    wasted = what >> 28;
    rank = what & 65535u;
    gl_Position = uToClip * vec4(corner + place, 1.0);
}
