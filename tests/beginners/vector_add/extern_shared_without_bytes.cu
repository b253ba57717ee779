// cause: the shared array has the size given at launch, and this launch gives it no bytes, so every access to it is out
// first: out_of_bounds no_bytes
// says: write buffer[0], but buffer has no element: the launch gave it no bytes
// asks: Who decides how many bytes buffer has?
extern __shared__ float buffer[];

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    buffer[t] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n)
        c[i] = buffer[t] + b[i];
}
