// cause: each launch makes all steps from i on
// first: wrong_value foreign
// says: dest[0] is stored in reducer 4 times by thread (0,0,0) of block (0,0,0)
// asks: How many of these 4 stores belong into one launch?
extern "C" __global__ void mapper(float* dest, int n) {
  const unsigned idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  const float x = idx / (float)n;
  dest[idx] = 4.f / (x * x + 1.f);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = i; s < n; s *= 2) {
        if (id % (2 * s) == 0 && id + s < n) {
            dest[id] += dest[id + s];
        }
        __syncthreads();
    }
}
