// cause: `dest[t] += dest[t + half];` with `half = n / (2 * i)` folds the array in halves instead of adding neighbours at distance i: after a step the multiples of 2i do not hold what they should, and with odd n the last element is lost
// first: wrong_value exchanged
// says: This is dest after the step i = 2, and it is what comes out if each step folds the array in the middle: here, in its last step, dest[t] += dest[t + 7] for t below 7.
// asks: Which elements does each step add, and to which?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

// Sequential addressing: in step i the first n/(2*i) threads are busy
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int half = n / (2 * i);
    if (t < half)
        dest[t] += dest[t + half];
}
