// cause: whole groups of four are stored, and the rest is not
// first: never_written wide
// says: covers up to 4 elements.
// asks: Which elements are left over behind the last whole group?
extern "C" __constant__ int mapper_items = 1024;

__device__ float g(int k, int n)
{
    float x = (float)k / n;
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    int k = 4 * q;
    if (k + 3 < n) {
        float4 four = make_float4(g(k, n), g(k + 1, n), g(k + 2, n), g(k + 3, n));
        ((float4 *)dest)[q] = four;
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n) {
  long long left = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * 2 * i;
  long long right = left + i;
  if (right < n) dest[left] = dest[left] + dest[right];
}
