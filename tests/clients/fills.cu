// What cudaMemset leaves in elements of several bytes, for clients_test.py: fills WHAT. With "a mistake", the value of a
// fill is taken for that of an element.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void add_up(const int *weights, int n, int *sum)
{
    for (int i = 0; i < n; i++)
        *sum += weights[i];
}

__global__ void scale(const float *x, int n, float factor, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = factor * x[i];
}

__global__ void widen(const short *x, int n, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = x[i] + 1;
}

__global__ void count_up(unsigned long long *counter)
{
    atomicAdd(counter, 1ULL);
}

__global__ void letters(const unsigned char *text, int n, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = text[i] + 1;
}

__global__ void bytes_of_words(const unsigned *words, int n, int *out)
{
    for (int i = 0; i < n; i++)
        *out += (words[i] & 0xff) + (words[i] >> 24);
}

__global__ void set(int *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 3;
}

int main(int argc, char **argv)
{
    enum { N = 16 };
    const char *what = argc > 1 ? argv[1] : "";
    int numbers[N], *x, *out;
    cudaMalloc(&x, N * sizeof(double));
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(out, 0, N * sizeof *out);
    memset(numbers, 0, sizeof numbers);
    if (!strcmp(what, "int")) {
        cudaMemset(x, 1, N * sizeof *x); // a mistake
        add_up<<<1, 1>>>(x, N, out);
    }
    if (!strcmp(what, "float")) {
        cudaMemsetAsync(x, 2, N * sizeof *x, 0); // a mistake
        scale<<<1, 1>>>((const float *)x, N, 0.5f, (float *)out);
    }
    if (!strcmp(what, "short")) {
        cudaMemset2D(x, 8, 9, 8, 4); // a mistake
        widen<<<1, 1>>>((const short *)x, N, out);
    }
    if (!strcmp(what, "atomic")) {
        cudaMemset(x, 10, sizeof(double)); // a mistake
        count_up<<<1, 1>>>((unsigned long long *)x);
    }
    if (!strcmp(what, "part")) {
        cudaMemset(x, 1, N * sizeof *x); // a mistake
        set<<<1, 1>>>(x, N / 2);
        add_up<<<1, 1>>>(x, N, out);
    }
    for (int value : {0x00, 0xff, 0x3f, 0x7f})
        if (!strcmp(what, "idiom")) {
            cudaMemset(x, value, N * sizeof *x);
            add_up<<<1, 1>>>(x, N, out);
        }
    if (!strcmp(what, "bytes")) {
        cudaMemset(x, 1, N);
        letters<<<1, 1>>>((const unsigned char *)x, N, out);
        bytes_of_words<<<1, 1>>>((const unsigned *)x, N / 4, out);
    }
    if (!strcmp(what, "stored")) {
        cudaMemset(x, 1, N * sizeof *x);
        set<<<1, 1>>>(x, N);
        add_up<<<1, 1>>>(x, N, out);
    }
    if (!strcmp(what, "copied")) {
        cudaMemset(x, 1, N * sizeof *x);
        cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
        add_up<<<1, 1>>>(x, N, out);
    }
    if (!strcmp(what, "again")) {
        cudaMemset(x, 1, N * sizeof *x);
        cudaMemset(x, 0, N * sizeof *x);
        add_up<<<1, 1>>>(x, N, out);
    }
    if (!strcmp(what, "never")) {
        cudaMemset(x, 1, N * sizeof *x);
        add_up<<<1, 1>>>(out, N, out);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(out);
}
