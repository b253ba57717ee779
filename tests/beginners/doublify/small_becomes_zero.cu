// cause: numbers whose hundredfold is 0 as an int are set to 0
// first: wrong_value small
// says: Every wrong element is 0: those whose right values lie within
// asks: Which line makes a small number 0?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int t = (int)(a[i] * 100.0f);
        a[i] = t == 0 ? 0.0f : 2.0f * a[i];
    }
}
