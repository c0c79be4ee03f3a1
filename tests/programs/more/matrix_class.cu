#include <cstdio>
#include <vector>

// A class with device methods, passed by value; copies do not free.
template <class T>
class Matrix {
  public:
    Matrix(int rows, int cols) : rows_(rows), cols_(cols) {
        cudaMalloc(&data_, rows * cols * sizeof(T));
    }
    void release() { cudaFree(data_); }
    void load(const std::vector<T>& from) {
        cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    void store(std::vector<T>& to) const {
        cudaMemcpy(to.data(), data_, to.size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
    __host__ __device__ int rows() const { return rows_; }
    __host__ __device__ int cols() const { return cols_; }
    __device__ T& operator()(int r, int c) { return data_[r * cols_ + c]; }
    __device__ const T& operator()(int r, int c) const { return data_[r * cols_ + c]; }

  private:
    T* data_;
    int rows_, cols_;
};

template <class T>
__global__ void transpose(const Matrix<T> in, Matrix<T> out) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < in.rows() && c < in.cols()) out(c, r) = in(r, c);
}

int main() {
    const int rows = 10, cols = 35;
    Matrix<int> a(rows, cols), b(cols, rows);
    std::vector<int> h(rows * cols), got(rows * cols);
    for (int i = 0; i < rows * cols; ++i) h[i] = i;
    a.load(h);
    transpose<<<dim3(3, 2), dim3(16, 8)>>>(a, b);
    b.store(got);
    a.release();
    b.release();
    for (int i = 0; i < rows * cols; ++i) {
        if (got[i % cols * rows + i / cols] != i) return 1;
    }
    puts("ok");
}
