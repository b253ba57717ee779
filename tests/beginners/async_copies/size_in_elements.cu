// cause: the size of the copy is given in elements
// first: assert copy_size
// says: an asynchronous copy of a thread has 4, 8 or 16 bytes, and this one has another size
// asks: How many bytes does this call copy, and for how many threads?
#include <cuda_pipeline.h>

#define NT 256
#define TAPS 16
#define NEED 271

static __device__ void load(float *dst, const float *src, int have)
{
  for (int j = threadIdx.x; j < NEED; j += NT)
    if (j < have)
      __pipeline_memcpy_async(dst + j, src + j, 1);
}

extern "C" __global__ void __launch_bounds__(NT) filter(const float *in, const float *weights, float *out, int n)
{
  __shared__ float buf[2][NEED];
  int x = threadIdx.x;
  int begin = blockIdx.x * 8192;
  int left = min(8192, n - begin);
  int need = left + 15;
  int nt = (left + 255) / 256;
  const float *src = in + begin;
  load(buf[0], src, need);
  __pipeline_commit();

  for (int t = 0; t < nt; t++) {
    if (t + 1 < nt)
      load(buf[(t + 1) & 1], src + (t + 1) * 256, need - (t + 1) * 256);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    if (t * 256 + x < left) {
      float acc = 0.0f;
      for (int i = 0; i < TAPS; i++)
        acc += buf[t & 1][x + i] * weights[i];
      out[begin + t * 256 + x] = acc;
    }
    __syncthreads();
  }
}
