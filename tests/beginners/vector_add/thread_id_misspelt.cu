// cause: does not compile: threadID is not the name of a built-in variable, it is threadIdx (line 7)
// first: compile name
// says: The compiler says: identifier "threadID" is undefined
// asks: Did you mean threadIdx?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadID.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
