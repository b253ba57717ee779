/* The part of the CUDA Runtime API that programs of a course use, for the host's compiler where there is no CUDA
 * toolkit: the host side of a source in which kernels, and launches with <<<...>>>, have been rewritten
 * (grader/program/split.h). Our own declarations of documented functions; the library behind them is
 * build/emulated/libcudart.so.13. C++ only. */
#ifndef LOCKSTEP_CUDA_RUNTIME_H
#define LOCKSTEP_CUDA_RUNTIME_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

enum cudaError_t {
#define ERROR(name, number, text) name = number,
#include <errors.def>
#undef ERROR
};
typedef cudaError_t cudaError;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1) : x(width), y(height), z(depth)
    {
    }
};

#define LOCKSTEP_VECTOR(type, name)                                       \
    struct name##2                                                        \
    {                                                                     \
        type x, y;                                                        \
    };                                                                    \
    struct name##3                                                        \
    {                                                                     \
        type x, y, z;                                                     \
    };                                                                    \
    struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 \
    {                                                                     \
        type x, y, z, w;                                                  \
    };                                                                    \
    static inline name##2 make_##name##2(type x, type y)                  \
    {                                                                     \
        return {x, y};                                                    \
    }                                                                     \
    static inline name##3 make_##name##3(type x, type y, type z)          \
    {                                                                     \
        return {x, y, z};                                                 \
    }                                                                     \
    static inline name##4 make_##name##4(type x, type y, type z, type w)  \
    {                                                                     \
        return {x, y, z, w};                                              \
    }
LOCKSTEP_VECTOR(float, float)
LOCKSTEP_VECTOR(double, double)
LOCKSTEP_VECTOR(int, int)
LOCKSTEP_VECTOR(unsigned, uint)
LOCKSTEP_VECTOR(unsigned char, uchar)
#undef LOCKSTEP_VECTOR

#define cudaStreamDefault       0u
#define cudaStreamNonBlocking   1u
#define cudaEventDefault        0u
#define cudaEventDisableTiming  2u
#define cudaHostAllocDefault    0u
#define cudaHostAllocPortable   1u
#define cudaHostAllocMapped     2u
#define cudaHostRegisterDefault 0u
#define cudaMemAttachGlobal     1u

extern "C" {
cudaError_t cudaMalloc(void **address, size_t bytes);
cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width_bytes, size_t height);
cudaError_t cudaFree(void *address);
cudaError_t cudaMallocHost(void **host, size_t bytes);
cudaError_t cudaHostAlloc(void **host, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *host);
cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *host);
cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags);
cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *address, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width_bytes,
                         size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *address, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream);

/* What launches and registrations become. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFunction(void **handle, const char *host, char *device_name, const char *name, int thread_limit,
                            void *thread, void *block, dim3 *block_size, dim3 *grid_size, int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device_name, const char *name, int external, size_t bytes,
                       int constant, int global);
}

/* The forms with a type, and with defaults, that C++ has. */
template <typename T> static inline cudaError_t cudaMalloc(T **address, size_t bytes)
{
    return cudaMalloc((void **)address, bytes);
}
template <typename T>
static inline cudaError_t cudaMallocPitch(T **address, size_t *pitch, size_t width_bytes, size_t height)
{
    return cudaMallocPitch((void **)address, pitch, width_bytes, height);
}
template <typename T> static inline cudaError_t cudaMallocHost(T **host, size_t bytes)
{
    return cudaMallocHost((void **)host, bytes);
}
template <typename T> static inline cudaError_t cudaHostAlloc(T **host, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)host, bytes, flags);
}
template <typename T>
static inline cudaError_t cudaMallocManaged(T **address, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)address, bytes, flags);
}
template <typename T> static inline cudaError_t cudaMallocAsync(T **address, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)address, bytes, stream);
}
static inline cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(target, source, bytes, kind, (cudaStream_t)0);
}
static inline cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes)
{
    return cudaMemsetAsync(address, value, bytes, (cudaStream_t)0);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    return cudaEventRecord(event, (cudaStream_t)0);
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event)
{
    return cudaStreamWaitEvent(stream, event, 0);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *source, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, source, bytes, offset, kind);
}
template <typename T>
static inline cudaError_t cudaMemcpyFromSymbol(void *target, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(target, (const void *)&symbol, bytes, offset, kind);
}
template <typename T> static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return cudaGetSymbolAddress(address, (const void *)&symbol);
}

#endif
