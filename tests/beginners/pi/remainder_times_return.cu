// cause: id % 2*i is (id % 2)*i, in a condition that returns
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: which thread reads the element of dest that the message names?
extern "C" __global__ void mapper(float* dest, int n) {
  const unsigned idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  const float x = idx / (float)n;
  dest[idx] = 4.f / (x * x + 1.f);
}

extern "C" __global__ void reducer(float* dest, int i, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id + i >= n) return;       // no partner
  if (id % 2*i != 0) return;
  dest[id] += dest[id + i];
}
