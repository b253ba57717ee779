// cause: 4 / 1 + x*x in a macro
// first: wrong_value formula
// says: Every element has the value of 4 / 1 + x*x, that is 4 + x*x.
// asks: Compare the formula in the message with the one of the contract.
#define F(x) 4.0f / 1.0f + (x) * (x)

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = F((float)id / (float)n);
}

extern "C" __global__ void reducer(float *dest, int i, int n) {
  long long left = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * 2 * i;
  long long right = left + i;
  if (right < n) dest[left] = dest[left] + dest[right];
}
