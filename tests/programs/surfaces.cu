#include <cstdio>

// A picture is turned upside down in place of a copy: read from one surface, written to another.
__global__ void flip(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int height) {
    uchar4 pixel;
    surf2Dread(&pixel, from, threadIdx.x * 4, blockIdx.x);
    pixel.w += 1;
    surf2Dwrite(pixel, to, threadIdx.x * 4, height - 1 - blockIdx.x);
}

int main() {
    constexpr int width = 48, height = 5;
    uchar4 in[width * height], got[width * height];
    for (int i = 0; i < width * height; ++i) in[i] = make_uchar4(i, i / 2, i / 3, 7);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    for (int i = 0; i < 2; ++i) {
        cudaMallocArray(&arrays[i], &format, width, height, cudaArraySurfaceLoadStore);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        cudaCreateSurfaceObject(&surfaces[i], &resource);
    }
    cudaMemcpy2DToArray(arrays[0], 0, 0, in, width * 4, width * 4, height, cudaMemcpyHostToDevice);
    flip<<<height, width>>>(surfaces[0], surfaces[1], height);
    cudaMemcpy2DFromArray(got, width * 4, arrays[1], 0, 0, width * 4, height,
                          cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2; ++i) {
        cudaDestroySurfaceObject(surfaces[i]);
        cudaFreeArray(arrays[i]);
    }
    for (int i = 0; i < width * height; ++i) {
        uchar4 want = in[(height - 1 - i / width) * width + i % width];
        if (got[i].x != want.x || got[i].y != want.y || got[i].z != want.z || got[i].w != 8)
            return printf("pixel %d\n", i);
    }
    puts("ok");
}
