// cause: the array lacks __shared__ (line 7), so each thread has cells of its own and reads one that it has never written
// first: not_shared
// says: cells is declared without __shared__
// asks: Which threads store into this array
extern "C" __global__ void doublify(float *a, int n)
{
    float cells[256];
    int first = blockIdx.x * 256;
    int mine = threadIdx.x;
    int mirror = 255 - threadIdx.x;

    if (first + mine < n)
        cells[mine] = a[first + mine];
    __syncthreads();
    if (first + mirror < n)
        a[first + mirror] = 2.0f * cells[mirror];
}
