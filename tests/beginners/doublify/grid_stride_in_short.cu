// cause: the index of a grid-stride loop is a short
// first: out_of_bounds narrow_index
// says: read buf[-32768], but buf has 65537 elements (0..65536)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
extern "C" __global__ void doublify(float *buf, int total)
{
    short step = gridDim.x * blockDim.x;
    for (short pos = blockIdx.x * blockDim.x + threadIdx.x; pos < total; pos += step)
        buf[pos] += buf[pos];
}
