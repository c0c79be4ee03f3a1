// One rectangle, made of the vertex number alone: there is no vertex buffer. What stands before this
// text declares handOver(): app/window/gl/program.h.
uniform vec2 uViewport;  // pixels
uniform vec4 uRect;      // x, y, width, height in pixels, y downwards
out vec2 local;          // pixels from the rectangle's top left corner

void main() {
    handOver();
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    local = corner * uRect.zw;
    vec2 position = (uRect.xy + local) / uViewport * 2.0 - 1.0;
    gl_Position = vec4(position.x, -position.y, 0.0, 1.0);
}
