// cause: the first element of each block is left out
// first: wrong_value not_counted
// says: data[0] is not counted; every other element is counted once.
// asks: Which thread should count data[0]?
extern "C" __device__ const int histogram_items = 256;
extern "C" __global__ void __launch_bounds__(256) clear_bins(int *bins) { bins[threadIdx.x] = 0; }
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    int first = blockIdx.x * 256;
    int i = first + threadIdx.x;
    if (i < n && i != first) atomicAdd(&s[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
