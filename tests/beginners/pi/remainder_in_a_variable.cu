// cause: id % 2*i means (id % 2) * i, so every even id adds in every step; from i = 2 on elements are read by their partner while they change, and the sums are wrong
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first.
// asks: Which one changes it?
extern "C" __global__ void mapper(float* dest, int n)
{
  int id = blockIdx.x*blockDim.x + threadIdx.x;
  if (id < n)
  {
    float x = float(id)/n;
    dest[id] = 4/(1 + x*x);
  }
}

extern "C" __global__ void reducer(float* dest, int i, int n)
{
  int id = blockIdx.x*blockDim.x + threadIdx.x;
  bool receiver = id % 2*i == 0;
  if (receiver && id + i < n)
    dest[id] += dest[id + i];
}
