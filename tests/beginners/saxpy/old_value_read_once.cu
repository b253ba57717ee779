// cause: the old y is read once, before the loop
// first: wrong_value kept_number
// says: every wrong element i has y[i %
// asks: Is y read again in each turn of the loop?
/* Scale and add: y = a * x + y, with the OLD y on the right. */
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    if (i >= n)
        return;
    float old = y[i];    // keep the old value before we store
    for (; i < n; i += stride) {
        float product = a * x[i];
        y[i] = product + old;
    }
}
