/* The types of the CUDA Runtime API that differ from the driver's, in our own declarations. Names, numbers and layouts are
 * those of the CUDA Runtime API documentation (CUDA 12 and 13, 64-bit Linux); handles (streams, events, pools) are the
 * driver's.
 * Never include this beside cuda_runtime_api.h.
 */
#ifndef EMULATOR_CUDART_TYPES_H
#define EMULATOR_CUDART_TYPES_H

#include <stddef.h>

#include "runtime/cuda/driver_api.h"

typedef enum cudaError {
#define ERROR(name, number, text) name = number,
#include "runtime/cuda/runtime_errors.def"
#undef ERROR
} cudaError_t;

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
} cudaMemcpyKind;

typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch;        /* bytes from row to row */
    size_t xsize, ysize; /* bytes of a row, rows of a slice */
} cudaPitchedPtr;

typedef struct cudaExtent {
    size_t width; /* bytes; elements where an array takes part */
    size_t height, depth;
} cudaExtent;

typedef struct cudaPos {
    size_t x, y, z; /* x in bytes; of an array in elements */
} cudaPos;

typedef struct cudaMemcpy3DParms {
    CUarray srcArray; /* NULL: srcPtr counts */
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    CUarray dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
} cudaMemcpy3DParms;

/* What a kernel node launches. `func` is the host address that names the kernel. */
typedef struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;

typedef struct cudaMemcpyNodeParams {
    int flags; /* must be 0, as must the next */
    int reserved[3];
    cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;

/* A node of any kind. Fills, host functions, child graphs, events and memory are laid out as the driver's. */
typedef struct cudaGraphNodeParams {
    CUgraphNodeType type; /* numbered as the driver's */
    int reserved0[3];
    union {
        long long reserved1[29];
        cudaKernelNodeParams kernel;
        cudaMemcpyNodeParams memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr free;
    };
    long long reserved2;
} cudaGraphNodeParams;

typedef struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each component */
    int kind;
} cudaChannelFormatDesc;

enum { cudaChannelFormatKindSigned = 0, cudaChannelFormatKindUnsigned = 1, cudaChannelFormatKindFloat = 2 };

/* What a texture or surface object reads; resType is numbered as CUresourcetype. */
typedef struct cudaResourceDesc {
    int resType;
    union {
        struct {
            CUarray array;
        } array;
        struct {
            CUmipmappedArray mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height; /* elements */
            size_t pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned flags; /* since CUDA 13, of a part that CUDA 12 does not have: never read */
} cudaResourceDesc;

/* How a texture is read; address and filter modes are numbered as the driver's. */
typedef struct cudaTextureDesc {
    int addressMode[3], filterMode;
    int readMode; /* 0: as it is; 1: integers become 0 to 1 or -1 to 1 */
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;

typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
} cudaFuncAttributes;

enum { cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, cudaMemoryTypeManaged = 3 };

/* CUDA 13 has 64 more reserved bytes, which are never read. */
typedef struct cudaPointerAttributes {
    int type; /* one of the above */
    int device;
    void *devicePointer, *hostPointer;
} cudaPointerAttributes;

typedef struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    CUstream stream;
    CUlaunchAttribute *attrs; /* [numAttrs]; laid out and numbered as the driver's */
    unsigned numAttrs;
} cudaLaunchConfig_t;

_Static_assert(sizeof(cudaFuncAttributes) == 144, "layout of cudaFuncAttributes");
_Static_assert(sizeof(cudaKernelNodeParams) == 56, "layout of cudaKernelNodeParams");
_Static_assert(sizeof(cudaGraphNodeParams) == 256, "layout of cudaGraphNodeParams");
_Static_assert(sizeof(cudaTextureDesc) == 72, "layout of cudaTextureDesc");
_Static_assert(sizeof(cudaMemcpy3DParms) == 160, "layout of cudaMemcpy3DParms");
_Static_assert(sizeof(cudaLaunchConfig_t) == 56, "layout of cudaLaunchConfig_t");

#endif
