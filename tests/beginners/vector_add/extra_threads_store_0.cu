// cause: threads beyond n do not stay away but store 0 in c[n - 1] (line 15), in a race with the thread that stores the sum there
// first: race_warp same_element
// says: Line 14 sets where to i or to n - 1
// asks: Which threads have the same index here?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = i < n;

    float s = 0.0f;
    if (inside)
        s = a[i] + b[i];

    int where = inside ? i : n - 1;     // stay within c
    c[where] = s;
}
