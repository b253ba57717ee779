// cause: `dest[id] = cell[threadIdx.x] + cell[threadIdx.x + i];` takes the partner from the shared copy of its own block, but from i = 256 on it lies in another block: cell[256] and beyond do not exist
// first: out_of_bounds shared
// says: read cell[256], but cell has 256 elements (0..255)
// asks: How many elements does cell have, and from which parts is this index made?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

// Every element is read from memory only once, the rest happens in shared memory.
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    __shared__ float cell[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    cell[threadIdx.x] = id < n ? dest[id] : 0.0f;
    __syncthreads();
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] = cell[threadIdx.x] + cell[threadIdx.x + i];
}
