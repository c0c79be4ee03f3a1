#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// A picture by GLUT and OpenGL, and a world of one process by MPI, without their headers: of which
// a kernel fills what the buffer holds.
extern "C" {
struct cudaGraphicsResource;
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource** resource, unsigned buffer,
                                         unsigned);
void glGenBuffers(int count, unsigned* names);
void glBufferData(unsigned target, std::ptrdiff_t bytes, const void* data, unsigned usage);
void glDeleteBuffers(int count, const unsigned* names);
void glDrawPixels(int width, int height, unsigned format, unsigned type, const void* pixels);
void* glMapBuffer(unsigned target, unsigned access);
unsigned char glUnmapBuffer(unsigned target);
void (*glXGetProcAddress(const char* name))();
void glutInit(int* count, char** words);
void glutDisplayFunc(void (*draws)());
void glutMainLoop();
int MPI_Init(int* count, char*** words);
int MPI_Comm_size(int world, int* size);
int MPI_Comm_rank(int world, int* rank);
}

static __global__ void fill(unsigned* pixels) {
    pixels[threadIdx.x] = threadIdx.x;  //= store pixels requests=2 sectors=8
}

void (*glBindBuffer)(unsigned target, unsigned name);
unsigned buffer = 0;
cudaGraphicsResource* resource = nullptr;

void draw() {
    unsigned* pixels = nullptr;
    size_t bytes = 0;
    cudaGraphicsMapResources(1, &resource);
    cudaGraphicsResourceGetMappedPointer((void**)&pixels, &bytes, resource);
    fill<<<1, 64>>>(pixels);
    cudaGraphicsUnmapResources(1, &resource);
    glDrawPixels(8, 8, 0x1908, 0x1401, 0);
    const unsigned* seen = static_cast<unsigned*>(glMapBuffer(0x88EC, 0x88B8));
    if (bytes != 256 || seen[63] != 63) std::exit(4);
    glUnmapBuffer(0x88EC);
    cudaGraphicsUnregisterResource(resource);
    glDeleteBuffers(1, &buffer);
    std::printf("ok\n");
}

int main(int count, char** words) {
    int size = 0, rank = 1;
    MPI_Init(&count, &words);
    MPI_Comm_size(0, &size);
    MPI_Comm_rank(0, &rank);
    if (size != 1 || rank != 0) return 1;
    glutInit(&count, words);
    glBindBuffer =
        reinterpret_cast<void (*)(unsigned, unsigned)>(glXGetProcAddress("glBindBuffer"));
    glGenBuffers(1, &buffer);
    glBindBuffer(0x88EC, buffer);
    glBufferData(0x88EC, 256, nullptr, 0x88E8);
    if (cudaGraphicsGLRegisterBuffer(&resource, buffer + 1, 0) == cudaSuccess) return 2;
    if (cudaGetLastError() != cudaErrorInvalidValue) return 3;
    cudaGraphicsGLRegisterBuffer(&resource, buffer, 0);
    unsigned* freedWithTheWindow = nullptr;
    cudaMalloc(&freedWithTheWindow, 4);
    glutDisplayFunc(draw);
    glutMainLoop();
    return 5;
}
