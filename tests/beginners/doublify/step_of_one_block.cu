// cause: the loop goes on by the threads of one block
// first: race_global short_step
// says: each thread reads it, changes it and writes it back
// asks: take in its second turn?
extern "C" __global__ void doublify(float *data, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x) {
        data[i] *= 2.0f;
    }
}
