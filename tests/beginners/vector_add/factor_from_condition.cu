// cause: a factor is 0 for every element
// first: wrong_value unused
// says: With other numbers in p and q, r[0] stays what it is. Every wrong element is 0, with other inputs as well.
// asks: What becomes of the numbers that are read: does a factor of 0 take them away, do they cancel out, or are they left out?
extern "C" __global__ void vector_add(const float *p, const float *q, float *r, int size)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    int sign = size > me ? 0 : 1;
    if (me < size)
        r[me] = sign * (p[me] + q[me]);
}
