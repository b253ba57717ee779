// cause: id % 2*i is (id % 2) * i
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: In this step, which thread reads the element of dest that the message names? Which one changes it?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % 2*i == 0 && id + i < n) {
        dest[id] += dest[id + i];
    }
}
