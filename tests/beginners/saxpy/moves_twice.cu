// cause: the index goes on in the head and in the body
// first: never_written elsewhere
// says: i grows twice in each turn: in lines 8 and 10
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i];
        i += stride;
    }
}
