// cause: the index of a grid-stride loop is a short
// first: out_of_bounds overflow
// says: read buf[-32768], but buf has 65537 elements (0..65536)
// asks: How large does the index get before it is stored, and what is the largest value of its type?
extern "C" __global__ void doublify(float *buf, int total)
{
    short step = gridDim.x * blockDim.x;
    for (short pos = blockIdx.x * blockDim.x + threadIdx.x; pos < total; pos += step)
        buf[pos] += buf[pos];
}
