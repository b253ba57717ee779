// cause: 2,0 is two expressions: 2 is stored
// first: wrong_value unused
// says: 
// asks: Which value should this number have? Is it written so that C reads that value, and does it fit?
extern "C" __global__ void doublify(float *a, int n)
{
    int i;
    i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2,0 * a[i];
    }
}
