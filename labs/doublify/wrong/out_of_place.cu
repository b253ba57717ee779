// expect: signature - has an input and an output array; the contract has one array, in place
extern "C" __global__ void doublify(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 2.0f * in[i];
    }
}
