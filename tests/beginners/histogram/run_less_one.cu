// cause: a run of equal elements adds its length less one
// first: wrong_value amount
// says: Atomic operations executed in this case: 31 at line 19
// asks: How much does line 19 add each time?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
extern "C" __constant__ int histogram_items = 2560;
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    int g = blockIdx.x * 2560 + threadIdx.x * 10;
    for (int k = 0; k < 10; k++) {
        if (g + k >= len) break;
        int v = in[g + k];
        if (k > 0 && v == in[g + k - 1]) continue;
        int c = 1;
        while (k + c < 10 && g + k + c < len && in[g + k + c] == v) c++;
        atomicAdd(&out[v], c - 1);
    }
}
