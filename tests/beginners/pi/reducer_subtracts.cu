// cause: -= for +=
// first: wrong_value scaled
// says: dest[0] is made of dest[0], -1 x dest[1..2] and dest[3], and should be made of dest[0..3].
// asks: Which operation gives that, and which one should it be?
extern "C" __global__ void mapper(float *dest, int n)
{
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k >= n) return;
    float x = float(k) / n;
    dest[k] = 4 / (x * x + 1);
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = threadIdx.x + blockDim.x * blockIdx.x;
    if (t % (2 * i) == 0 && t + i < n)
        dest[t] -= dest[t + i];
}
