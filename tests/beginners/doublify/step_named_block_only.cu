// cause: the loop goes on by blockDim.x instead of all threads of the grid (line 8), so from n = 257 on threads come to elements of other blocks, which are doubled again in a race
// first: race_global short_step
// says: the loop in line 9 goes on by step, which is blockDim.x (line 8)
// asks: Which thread takes that one in its first turn?
extern "C" __global__ void doublify(float *a, int n)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    int step = blockDim.x;
    for (int k = start; k < n; k += step) {
        a[k] = 2.0f * a[k];
    }
}
