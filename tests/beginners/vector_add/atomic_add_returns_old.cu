// cause: atomicAdd returns the old value, not the sum (line 12), so c gets a copy of a
// first: wrong_value unused
// says: In line 12, atomicAdd returns the value that was there before it, not the one that it leaves
// asks: What becomes of it until c[0] is stored?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float accu[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        accu[t] = a[i];
        c[i] = atomicAdd(&accu[t], b[i]);
    }
}
