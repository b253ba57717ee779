// cause: a block of 8 x 8 x 4 threads, and an index made of x and y
// first: launch_setting directions
// says: The blocks of vector_add have 8 x 8 x 4 threads, but no line of the file uses threadIdx.z, which is all that tells 4 of them apart.
// asks:
extern "C" __constant__ int vector_add_block[3] = {8, 8, 4};
extern "C" __global__ void vector_add(const float *p, const float *q, float *r, int size)
{
    int me = threadIdx.x + 8 * threadIdx.y + blockIdx.x * 256;
    if (me < size)
        r[me] = p[me] + q[me];
}
