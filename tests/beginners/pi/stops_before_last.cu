// cause: the loop ends before the last element
// first: wrong_value rest
// says: The sum of all 31 elements is too small by 2.0656, which is the value of the last element, number 30.
// asks: How many elements do all threads together take?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cell[256];
    int t = threadIdx.x;
    int per_thread = n / (gridDim.x * blockDim.x) + 1;
    int first = (blockIdx.x * blockDim.x + t) * per_thread;
    float sum = 0;
    for (int k = first; k < first + per_thread && k < n - 1; k++) {
        float x = (float)k / n;
        sum += 4 / (1 + x * x);
    }
    cell[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            cell[t] += cell[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cell[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < blocks; k++)
            sum += partial[k];
        partial[0] = sum;
    }
}
