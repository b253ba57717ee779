// cause: rounds down before it doubles
// first: wrong_value typed
// says: each element counts as often as it should.
// asks: What becomes of a fraction, or of a negative number, on its way?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = floor(a[i]) * 2;
}
