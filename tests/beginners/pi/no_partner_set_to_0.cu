// cause: a receiver without a partner is set to 0
// first: wrong_value replaced
// says: dest[2] is the last element and has had no partner up to here, so it should be left as it is.
// asks: Which line stores to it?
extern "C" __global__ void mapper(float* dest, int n) {
  const unsigned idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  const float x = idx / (float)n;
  dest[idx] = 4.f / (x * x + 1.f);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= n || me % (2 * i) != 0)
        return;
    int you = me + i;
    if (you < n)
        dest[me] += dest[you];
    else
        dest[me] = 0.0f;
}
