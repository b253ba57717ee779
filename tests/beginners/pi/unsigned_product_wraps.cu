// cause: 2*i*t wraps in unsigned before it is widened, so that several threads take one pair
// first: race_global update
// says: dest[0] written by thread (0,0,0) of block (0,0,0)
// asks: How many threads add to this element in one launch?
extern "C" __global__ void mapper(float* dest, int n) {
  const unsigned idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  const float x = idx / (float)n;
  dest[idx] = 4.f / (x * x + 1.f);
}

// index can get large, so 64 bit
__device__ long long first_of_pair(unsigned t, int i)
{
    return 2 * i * t;
}

extern "C" __global__ void reducer(float* dest, int i, int n) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  const long long a = first_of_pair(t, i);
  if (a + i >= n) return;
  dest[a] += dest[a + i];
}
