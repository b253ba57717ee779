// cause: the index has no value
// first: uninitialized variable
// says: i is used here, but nothing has been stored in it before.
// asks: Which variable is used on this line before it got a value?
extern "C" __global__ void doublify(float *a, int n)
{
    int i;
    if (i < n)
        a[i] = 2 * a[i];
}
