#include <cmath>
#include <cstdio>

// One picture read as it is, between elements, by coordinates from 0 to 1, and beyond its edges.
__global__ void readPoint(cudaTextureObject_t picture, float* out, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D<float>(picture, x + 0.5f, y + 0.5f);
}
__global__ void readBetween(cudaTextureObject_t picture, float* out, int width) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D<float>(picture, x + 1.0f, y + 0.75f);
}
__global__ void readWrapped(cudaTextureObject_t picture, float* out, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D<float>(picture, (x + 0.5f) / width + 1, (y + 0.5f) / height - 1);
}
__global__ void readBytes(cudaTextureObject_t bytes, float* out) {
    out[threadIdx.x] = tex1Dfetch<float>(bytes, threadIdx.x);
}
__global__ void readLayer(cudaTextureObject_t layers, float* out, int width) {
    out[threadIdx.x] = tex2DLayered<float>(layers, threadIdx.x % width + 0.5f,
                                           threadIdx.x / width + 0.5f, 1);
}

constexpr int width = 32, height = 8;

cudaTextureObject_t textureOf(cudaArray_t array, cudaTextureFilterMode filter,
                              cudaTextureAddressMode beyond, bool isNormalized) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = beyond;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = isNormalized;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    return texture;
}

int main() {
    float in[width * height], got[width * height], *out;
    for (int i = 0; i < width * height; ++i) in[i] = i * 3 % 64;
    cudaMalloc(&out, sizeof in);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, in, width * 4, width * 4, height, cudaMemcpyHostToDevice);
    auto at = [&](int x, int y) {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return in[y * width + x];
    };
    cudaTextureObject_t picture =
        textureOf(array, cudaFilterModePoint, cudaAddressModeClamp, false);
    readPoint<<<height, width>>>(picture, out, width);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width * height; ++i)
        if (got[i] != in[i]) return printf("point %d: %f\n", i, got[i]);
    cudaDestroyTextureObject(picture);
    picture = textureOf(array, cudaFilterModeLinear, cudaAddressModeClamp, false);
    readBetween<<<height, width>>>(picture, out, width);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width * height; ++i) {
        int x = i % width, y = i / width;
        float want = 0.75f * (at(x, y) + at(x + 1, y)) / 2 + 0.25f * (at(x, y + 1) + at(x + 1, y + 1)) / 2;
        if (fabsf(got[i] - want) > 1e-4f) return printf("between %d: %f, not %f\n", i, got[i], want);
    }
    cudaDestroyTextureObject(picture);
    picture = textureOf(array, cudaFilterModePoint, cudaAddressModeWrap, true);
    readWrapped<<<height, width>>>(picture, out, width, height);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width * height; ++i)
        if (got[i] != in[i]) return printf("wrapped %d: %f\n", i, got[i]);
    cudaDestroyTextureObject(picture);
    cudaFreeArray(array);

    // Bytes of linear memory as fractions.
    unsigned char raw[width], *bytes;
    for (int i = 0; i < width; ++i) raw[i] = i * 8;
    cudaMalloc(&bytes, sizeof raw);
    cudaMemcpy(bytes, raw, sizeof raw, cudaMemcpyHostToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = bytes;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.linear.sizeInBytes = sizeof raw;
    cudaTextureDesc how{};
    how.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&picture, &resource, &how, nullptr);
    readBytes<<<1, width>>>(picture, out);
    cudaMemcpy(got, out, width * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width; ++i)
        if (got[i] != raw[i] / 255.0f) return printf("byte %d: %f\n", i, got[i]);
    cudaDestroyTextureObject(picture);
    cudaFree(bytes);

    // The second of two layers.
    cudaArray_t layers;
    cudaMalloc3DArray(&layers, &format, make_cudaExtent(16, 4, 2), cudaArrayLayered);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(in, 16 * 4, 16, 4);
    copy.dstArray = layers;
    copy.extent = make_cudaExtent(16, 4, 2);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    picture = textureOf(layers, cudaFilterModePoint, cudaAddressModeClamp, false);
    readLayer<<<1, 64>>>(picture, out, 16);
    cudaMemcpy(got, out, 64 * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
        if (got[i] != in[64 + i]) return printf("layer %d: %f\n", i, got[i]);
    cudaDestroyTextureObject(picture);
    cudaFreeArray(layers);
    cudaFree(out);
    puts("ok");
}
