/* Copies to the host of what kernels wrote in part: the padding of structures is nobody's, elements that were left out
 * are the program's mistake. The argument says which. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct padded {
    int count; /* 4 bytes of padding follow */
    double value;
    char mark; /* 7 bytes of padding follow */
};

struct missing {
    double first, second;
    int third; /* 4 bytes of padding follow */
};

enum { COUNT = 64 };

__global__ void fill(padded *values)
{
    int i = threadIdx.x;
    values[i].count = i;
    values[i].value = 0.5 * i;
    values[i].mark = 'a';
}

__global__ void turn_round(const padded *from, padded *to)
{
    to[threadIdx.x] = from[COUNT / 2 - 1 - threadIdx.x];
}

/* One member is forgotten. */
__global__ void forget(missing *values)
{
    int i = threadIdx.x;
    values[i].first = i;
    values[i].third = i;
}

/* Every second element is left out. */
__global__ void every_second(int *values)
{
    values[2 * threadIdx.x] = threadIdx.x;
}

template <class T> static void run(void (*kernel)(T *), int calls, int step = 1)
{
    T *on_device, *host = (T *)malloc(COUNT * sizeof(T));
    cudaMalloc(&on_device, COUNT * sizeof(T));
    kernel<<<1, COUNT / 2>>>(on_device);
    for (int i = 0; i < calls; i++)
        cudaMemcpy(host, on_device + i * step, (COUNT / 2 - i * step) * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(on_device);
}

/* The host gets a copy that a kernel has made, of a part of the array. */
static void run_moved()
{
    padded *first, *second, host[COUNT / 2];
    cudaMalloc(&first, COUNT * sizeof(padded));
    cudaMalloc(&second, COUNT * sizeof(padded));
    fill<<<1, COUNT / 2>>>(first);
    turn_round<<<1, COUNT / 2>>>(first, second);
    cudaMemcpy(host, second, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(first);
    cudaFree(second);
}

int main(int count, char **arguments)
{
    const char *which = count > 1 ? arguments[1] : "";
    if (strcmp(which, "padded") == 0)
        run(fill, 1);
    else if (strcmp(which, "moved") == 0)
        run_moved();
    else if (strcmp(which, "missing") == 0)
        run(forget, 1);
    else if (strcmp(which, "second") == 0)
        run(every_second, 1);
    else if (strcmp(which, "often") == 0)
        run(every_second, 30);
    else if (strcmp(which, "same") == 0)
        run(every_second, 30, 0);
    else if (strcmp(which, "failed") == 0 || strcmp(which, "forgotten") == 0) {
        void *lost;
        cudaMalloc(&lost, 100);
        return which[1] == 'a';
    }
    return 0;
}
