// cause: + binds tighter than <<, so the index is w << (5 + l), which an int cannot hold for the last lanes
// first: out_of_bounds precedence
// says: read b[-2147483648], but b has 1 element
// asks: In which order does C compute this formula, and which order did you mean?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    int i = w << 5 + l;
    if (i < n)
        c[i] = a[i] + b[i];
}
