#include <cstdio>

// Whole objects come in pieces as large as their type is aligned; -G takes members of four bytes
// one by one.
struct Mass {
    double grams;
    float at;
};
struct Plane {
    double x, y;
};
struct Space {
    double x, y, z;
};
struct Corners {
    float2 low, high;
};
struct Point {
    float x, y;
};
struct __align__(16) Box {
    float2 low, high;
};

__global__ void add(const Mass* masses, const Plane* planes, const Space* spaces,
                    const Corners* corners, const Point* points, const Box* boxes, double* out) {
    int i = threadIdx.x;
    Mass mass = masses[i];        //= load masses requests=4 sectors=64 compiled=2
    Plane plane = planes[i];      //= load planes requests=2 sectors=32
    Space space = spaces[i];      //= load spaces requests=3 sectors=72
    Corners corner = corners[i];  //= load corners requests=4 sectors=64 compiled=2
    Point point = points[i];      //= load points requests=2 sectors=16
    Box box = boxes[i];           //= load boxes requests=1 sectors=16
    out[i] = mass.grams + mass.at + plane.x + plane.y + space.x + space.y + space.z + corner.low.x +
             corner.low.y + corner.high.x + corner.high.y + point.x + point.y + box.low.x +
             box.low.y + box.high.x + box.high.y;
}

template <class T>
T* copied(const T (&host)[32]) {
    T* device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    return device;
}

int main() {
    static Mass masses[32];
    static Plane planes[32];
    static Space spaces[32];
    static Corners corners[32];
    static Point points[32];
    static Box boxes[32];
    double got[32] = {};
    for (int i = 0; i < 32; ++i) {
        masses[i].at = planes[i].y = spaces[i].z = points[i].y = i;
        corners[i].high.y = boxes[i].high.y = i;
    }
    double* out = copied(got);
    Mass* m = copied(masses);
    Plane* p = copied(planes);
    Space* s = copied(spaces);
    Corners* c = copied(corners);
    Point* q = copied(points);
    Box* b = copied(boxes);
    add<<<1, 32>>>(m, p, s, c, q, b, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    void* all[] = {out, m, p, s, c, q, b};
    for (void* device : all) cudaFree(device);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != 6 * i) return 1;
    }
    puts("ok");
}
