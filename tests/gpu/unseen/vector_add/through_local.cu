// through an array that the thread indexes by data
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float both[2] = {a[i], b[i]};
        int which = (n + i) & 1;
        c[i] = both[which] + both[1 - which];
    }
}
