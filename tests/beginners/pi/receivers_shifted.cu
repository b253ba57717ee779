// cause: receivers are the ids below i, as in a tree whose distance shrinks; here i grows, and the receivers must be the multiples of 2i
// first: wrong_value missing
// says: dest[3] is missing in dest[0], which has only dest[0..2].
// asks: (These are the elements as they were before the first step.) Which thread should add it, and at which line?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

// the reduction from the lecture
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < i && id + i < n) {
        dest[id] += dest[id + i];
    }
}
