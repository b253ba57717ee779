// cause: Line 9 adds twice the element to the element (+= ... * 2), so the result is three times the value.
// first: wrong_value scaled
// says: array[0] contains 3 x array[0], where it should contain 2 x array[0].
// asks: Which operation gives that
extern "C" __global__ void doublify(float *array, int size)
{
    int pos = blockDim.x * blockIdx.x + threadIdx.x;
    if (pos < size)
        array[pos] += array[pos] * 2;   // double it
}
