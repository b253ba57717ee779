// cause: the receiver is t * i, not 2 * i * t
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: In this step, which thread reads the element of dest that the message names? Which one changes it?
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
    int target = t * i;
    int source = target + i;
    if (source < n)
        dest[target] += dest[source];
}
