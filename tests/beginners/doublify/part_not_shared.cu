// cause: The array in line 7 is declared without __shared__, so each thread has its own; thread 0 has filled only part[0] and uses uninitialized values for all others in line 18 (n >= 16).
// first: not_shared
// says: part is declared without __shared__
// asks: Which threads store into this array
extern "C" __global__ void doublify(float *a, int n)
{
    float part[256];
    int me = threadIdx.x;
    int start = blockIdx.x * 256;

    if (start + me < n)
        part[me] = a[start + me];
    __syncthreads();

    // one thread writes the whole piece
    if (me == 0) {
        for (int k = 0; k < 256 && start + k < n; k++)
            a[start + k] = 2 * part[k];
    }
}
