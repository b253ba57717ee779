// cause: only seven bits of a value choose its bin
// first: wrong_value bin
// says: With all elements of data equal to 200, it is bins[72] that counts them.
// asks: Which index does a value lead to?
extern "C" __device__ const int histogram_items = 256;
extern "C" __global__ void __launch_bounds__(256) clear_bins(int *bins) { bins[threadIdx.x] = 0; }
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    int first = blockIdx.x * 256;
    int i = first + threadIdx.x;
    if (i < n) atomicAdd(&s[data[i] & 127], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
