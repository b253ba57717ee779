// cause: a[n - 1 - i] *= 2.0f; with i < (n + 1) / 2: for odd n the thread of the middle element doubles it from both ends, so it becomes four times as large
// first: wrong_value changed_again
// says: a[15] is stored 2 times by thread (15,0,0) of block (0,0,0), first at line 12, last at line 13. a[15] becomes 4 x what it was, and should become 2 x what it was.
// asks: Which of these stores should change a[15], and which one should not?
// one thread works from the front and from the back, half of the threads are enough
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int half = (n + 1) / 2;
    if (i < half)
    {
        a[i] *= 2.0f;
        a[n - 1 - i] *= 2.0f;
    }
}
