// cause: int end = min(begin + CHUNK, n - 1); clamps an exclusive end to the last index, so a[n - 1] is never doubled
// first: never_written elsewhere
// says: no thread changed the last of the 16 elements. Line 14 stores a[0..14].
// asks: Which elements should line 14 store, and which does it store?
constexpr int CHUNK = 4;
extern "C" __constant__ int doublify_items = 256 * CHUNK;

extern "C" __global__ void doublify(float *a, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int begin = thread * CHUNK;
    int end = min(begin + CHUNK, n - 1);
    for (int j = begin; j < end; ++j)
        a[j] *= 2.0f;
}
