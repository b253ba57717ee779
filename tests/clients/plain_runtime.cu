// A library without kernels, with the runtime library inside, stripped of its symbols. For clients_test.py.
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>

static const char *volatile wanted; // so that each function below refers to a string

// Refers to the name of a function of the runtime library, and is none.
extern "C" int finds_elsewhere()
{
    wanted = "cudaMalloc";
    return dlsym(RTLD_DEFAULT, wanted) != nullptr;
}

extern "C" int copies_there_and_back(int value)
{
    int *memory, result = -1;
    if (cudaMalloc(&memory, sizeof value) != cudaSuccess
        || cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice) != cudaSuccess
        || cudaMemcpy(&result, memory, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess
        || cudaFree(memory) != cudaSuccess)
        return -1;
    return result;
}

extern "C" const char *name_of_error(int error)
{
    return cudaGetErrorName((cudaError_t)error);
}
