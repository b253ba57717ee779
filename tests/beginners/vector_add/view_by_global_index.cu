// cause: c[i] = va.get(i) + vb.get(i); gives the global index to views that begin at the block's first element: from block 1 on they read the wrong element or return 0
// first: wrong_value not_read
// says: No thread reads a[256]. No thread reads b[256].
// asks: Which condition, or which index, keeps them from being read?
struct View {
    const float *p;
    int len;
    __device__ float get(int k) const { return k < len ? p[k] : 0.0f; }
};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int start = blockIdx.x * blockDim.x;
    View va = {a + start, n - start};
    View vb = {b + start, n - start};

    int i = start + threadIdx.x;
    if (i < n)
        c[i] = va.get(i) + vb.get(i);
}
