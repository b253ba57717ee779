// cause: right: the variable and the array have values wherever they are used
// line: 0
// says: nothing
struct Pair { float left; int number; };

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float f, tmp[4], rest[2];
    Pair pair, copy;
    if (i < n) {
        f = 2.0f;
        pair.left = a[i];
        copy = pair;
        tmp[i % 4] = f * copy.left;
        rest[0] = tmp[i % 4];
    }
    float last = rest[0];
    if (i < n)
        a[i] = last;
}
