// expect: race_global|race_warp - each thread runs over the whole array, so all threads change all elements
extern "C" __global__ void doublify(float *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 2;
    }
}
