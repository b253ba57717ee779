// cause: threads without a pair return before a barrier that nobody needs
// first: early_exit
// says: 255 threads of the block left
// asks: What do those that wait need from the others?
extern "C" __global__ void mapper(float* dest, int n) {
  const unsigned idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  const float x = idx / (float)n;
  dest[idx] = 4.f / (x * x + 1.f);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) != 0 || id + i >= n) return;

    float right = dest[id + i];
    __syncthreads();           // everybody has read now
    dest[id] += right;
}
