// expect: pass - a function object adds, and __mul24 makes the index
template <class T>
struct Adder {
    __device__ T operator()(T u, T v) const { return u + v; }
};

template <class T, class Op>
__device__ void apply(const T *u, const T *v, T *w, int count, Op op)
{
    int at = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (at < count)
        w[at] = op(u[at], v[at]);
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    apply(a, b, c, n, Adder<float>());
}
