// cause: the ! turns the condition round
// first: out_of_bounds inverted
// says: read q[1], but q has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of q, or the others?
extern "C" __global__ void vector_add(const float *p, const float *q, float *r, int size)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(me < size))
        r[me] = p[me] + q[me];
}
