// cause: row and column are exchanged in the index: column * n + row instead of row * n + column (line 10), so thread 1 already goes n elements ahead, out of bounds
// first: out_of_bounds guarded
// says: i = col*n + row = 1*31 + 0 = 31
// asks: Does it ask about the very index that is used
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;      // always 0 here
    if (col < n && row < n) {
        int i = col * n + row;
        c[i] = a[i] + b[i];
    }
}
