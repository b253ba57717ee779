// cause: each thread counts 8 elements, and 16 would be its share
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..34815]: the last 30721 elements were not counted
// asks: Which thread counts data[34816]?
#define BINS 256
#define ITEMS 4096
extern "C" __constant__ int histogram_items = ITEMS;
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = 8;
    for (int k = 0; k < chunk; k++) {
        int i = id * chunk + k;
        if (i < n)
            atomicAdd(&bins[data[i]], 1);
    }
}
