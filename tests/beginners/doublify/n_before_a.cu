// cause: the parameters are in another order than the lab passes them (line 5: int first, then the pointer): wrong signature
// first: signature
// says: The first parameter of doublify is int n, but it must be float *.
// asks:
extern "C" __global__ void doublify(int n, float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
