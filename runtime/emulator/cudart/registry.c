#include "runtime/emulator/cudart/registry.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/emulator/cudart/runtime.h"

struct binary {
    const void *image;                    /* nvcc's wrapper around a fat binary, inside the program */
    CUlibrary libraries[RUNTIME_DEVICES]; /* by device; NULL until something in it is used there */
    bool managed;                         /* has a managed variable, of which there is one for all devices */
    struct binary *next;
};

enum symbol_kind { SYMBOL_KERNEL, SYMBOL_VARIABLE };

struct registered_symbol {
    enum symbol_kind kind;
    const void *host; /* the address that identifies it in the program */
    const char *name; /* in the PTX; inside the program */
    struct binary *binary;
    CUfunction functions[RUNTIME_DEVICES]; /* by device; once used */
    struct registered_symbol *next;        /* in the same bucket */
};

/* The code for a host address that names no kernel. */
#define NO_SUCH_KERNEL (CUDART_MAJOR >= 13 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction)

enum { BUCKET_COUNT = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct binary *binaries;
static struct registered_symbol *buckets[BUCKET_COUNT];

static struct registered_symbol **bucket_of(const void *host)
{
    return &buckets[((uintptr_t)host >> 4) % BUCKET_COUNT];
}

static struct registered_symbol *find(const void *host, enum symbol_kind kind)
{
    for (struct registered_symbol *symbol = *bucket_of(host); symbol; symbol = symbol->next) {
        if (symbol->host == host && symbol->kind == kind)
            return symbol;
    }
    return NULL;
}

/* Registration cannot report a failure: what is missing shows when it is used. */
static void add(enum symbol_kind kind, struct binary *binary, const void *host, const char *name)
{
    struct registered_symbol *symbol = calloc(1, sizeof *symbol);
    if (!symbol || !binary) {
        free(symbol);
        return;
    }
    pthread_mutex_lock(&lock);
    struct registered_symbol **bucket = bucket_of(host);
    *symbol = (struct registered_symbol){.kind = kind, .host = host, .name = name, .binary = binary, .next = *bucket};
    *bucket = symbol;
    pthread_mutex_unlock(&lock);
}

static void load_all(void);

void **__cudaRegisterFatBinary(void *image)
{
    struct binary *binary = calloc(1, sizeof *binary);
    if (!binary)
        return NULL;
    pthread_mutex_lock(&lock);
    *binary = (struct binary){.image = image, .next = binaries};
    binaries = binary;
    pthread_mutex_unlock(&lock);
    runtime_set_loader(load_all);
    return (void **)binary;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* Runs at exit or when a shared library is unloaded: its addresses may be used for something else. */
void __cudaUnregisterFatBinary(void **handle)
{
    struct binary *gone = (struct binary *)handle;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKET_COUNT; i++) {
        for (struct registered_symbol **link = &buckets[i]; *link;) {
            struct registered_symbol *symbol = *link;
            if (symbol->binary != gone) {
                link = &symbol->next;
                continue;
            }
            *link = symbol->next;
            free(symbol);
        }
    }
    for (struct binary **link = &binaries; *link; link = &(*link)->next) {
        if (*link != gone)
            continue;
        *link = gone->next;
        free(gone); /* destroying the context unloads what was loaded */
        break;
    }
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_name, const char *name, int thread_limit,
                            void *thread, void *block, dim3 *block_size, dim3 *grid_size, int *warp_size)
{
    (void)device_name, (void)thread_limit, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
    add(SYMBOL_KERNEL, (struct binary *)handle, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *device_name, const char *name, int external, size_t bytes,
                       int constant, int global)
{
    (void)device_name, (void)external, (void)bytes, (void)constant, (void)global;
    add(SYMBOL_VARIABLE, (struct binary *)handle, host, name);
}

/* Loads what is not loaded on the device, which is the current one. */
static CUresult load(struct binary *binary, int device)
{
    if (binary->libraries[device])
        return CUDA_SUCCESS;
    for (int i = 0; binary->managed && i < RUNTIME_DEVICES; i++) {
        if (!binary->libraries[i])
            continue;
        fprintf(
            stderr,
            "lockstep: a file with a __managed__ variable is used on device %d after device %d; the emulated runtime keeps "
            "such a variable for one device only. Allocate it with cudaMallocManaged\n",
            device, i);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return cuLibraryLoadData(&binary->libraries[device], binary->image, NULL, NULL, 0, NULL, NULL, 0);
}

/* Managed variables are read through a pointer in the program, which is filled in before anything uses it. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device_name, const char *name, int external, size_t bytes,
                              int constant, int global)
{
    struct binary *binary = (struct binary *)handle;
    CUdeviceptr address;
    __cudaRegisterVar(handle, (char *)host, device_name, name, external, bytes, constant, global);
    if (runtime_enter() != CUDA_SUCCESS || !binary)
        return;
    int device = runtime_device();
    if (load(binary, device) == CUDA_SUCCESS
        && cuLibraryGetManaged(&address, NULL, binary->libraries[device], name) == CUDA_SUCCESS)
        *host = (void *)address;
    binary->managed = true;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

static cudaError_t get_kernel(struct registered_symbol *symbol, CUfunction *function)
{
    CUkernel kernel = NULL;
    int device = runtime_device();
    if (!symbol->functions[device]) {
        CUresult result = load(symbol->binary, device);
        if (result == CUDA_SUCCESS)
            result = cuLibraryGetKernel(&kernel, symbol->binary->libraries[device], symbol->name);
        if (result == CUDA_SUCCESS)
            result = cuKernelGetFunction(&symbol->functions[device], kernel);
        if (result != CUDA_SUCCESS)
            return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)result;
    }
    *function = symbol->functions[device];
    return cudaSuccess;
}

cudaError_t registry_get_kernel(const void *host, CUfunction *function)
{
    pthread_mutex_lock(&lock);
    struct registered_symbol *symbol = find(host, SYMBOL_KERNEL);
    cudaError_t error = symbol ? get_kernel(symbol, function) : NO_SUCH_KERNEL;
    pthread_mutex_unlock(&lock);
    if (!symbol && cuKernelGetFunction(function, (CUkernel)host) == CUDA_SUCCESS)
        error = cudaSuccess;
    return error;
}

/* For the current device. What cannot be loaded shows when it is used. */
static void load_all(void)
{
    CUfunction ignored;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKET_COUNT; i++)
        for (struct registered_symbol *symbol = buckets[i]; symbol; symbol = symbol->next)
            if (symbol->kind == SYMBOL_KERNEL)
                get_kernel(symbol, &ignored);
    pthread_mutex_unlock(&lock);
}

const void *registry_find_host(CUfunction function)
{
    const void *host = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKET_COUNT && !host; i++)
        for (const struct registered_symbol *symbol = buckets[i]; symbol && !host; symbol = symbol->next)
            for (int device = 0; device < RUNTIME_DEVICES && !host; device++)
                host = symbol->functions[device] == function ? symbol->host : NULL;
    pthread_mutex_unlock(&lock);
    return host;
}

cudaError_t registry_get_variable(const void *host, CUdeviceptr *address, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const struct registered_symbol *symbol = find(host, SYMBOL_VARIABLE);
    int device = runtime_device();
    CUresult result = symbol ? load(symbol->binary, device) : CUDA_ERROR_NOT_FOUND;
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetGlobal(address, bytes, symbol->binary->libraries[device], symbol->name);
    pthread_mutex_unlock(&lock);
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)result;
}

void registry_forget_loaded(int device)
{
    pthread_mutex_lock(&lock);
    for (struct binary *binary = binaries; binary; binary = binary->next) {
        if (binary->libraries[device])
            cuLibraryUnload(binary->libraries[device]); /* variables get their initial values again */
        binary->libraries[device] = NULL;
    }
    for (int i = 0; i < BUCKET_COUNT; i++) {
        for (struct registered_symbol *symbol = buckets[i]; symbol; symbol = symbol->next)
            symbol->functions[device] = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* nvcc's stubs keep the handle for good, so it must outlive cudaDeviceReset: it is the stub's address. */
cudaError_t __cudaGetKernel(CUkernel *kernel, const void *host)
{
    pthread_mutex_lock(&lock);
    bool known = find(host, SYMBOL_KERNEL) != NULL;
    pthread_mutex_unlock(&lock);
    *kernel = known ? (CUkernel)host : NULL;
    return known ? cudaSuccess : runtime_fail(cudaErrorInvalidDeviceFunction);
}
