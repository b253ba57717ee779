// cause: if (n % 2 == 1) a[n - 1] *= 2.0f; is executed by every thread of the grid, so for odd n all of them double the last element: a race and a factor far from 2
// first: race_global everybody
// says: the number of the thread is not in the index, so every thread that comes here changes the same element
// asks: Which elements does thread 0 change, and which ones does thread 1?
extern "C" __global__ void doublify(float *a, int n)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    float2 *v = (float2 *)a;

    if (pair < n / 2) {
        float2 x = v[pair];
        x.x *= 2.0f;
        x.y *= 2.0f;
        v[pair] = x;
    }
    // odd length: one element is left over
    if (n % 2 == 1)
        a[n - 1] *= 2.0f;
}
