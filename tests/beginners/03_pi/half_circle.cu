// cause: sqrt(1 - x*x) instead of 1 / (1 + x*x)
// first: wrong_value other
// says: dest[1] should be 3.2 but is 3.46410155; 1 of 2 elements is wrong.
// asks: Take the wrong element that the message names and compute it by hand: x = id / n, then 4 / (1 + x*x). Where does
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f * sqrtf(1.0f - x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
