#include "runtime/emulator/cudart/registry.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/emulator/cudart/runtime.h"

struct binary {
    const void *image; /* nvcc's wrapper around a fat binary, inside the program */
    CUlibrary library; /* NULL until something in it is used */
    struct binary *next;
};

enum symbol_kind { SYMBOL_KERNEL, SYMBOL_VARIABLE };

struct registered_symbol {
    enum symbol_kind kind;
    const void *host; /* the address that identifies it in the program */
    const char *name; /* in the PTX; inside the program */
    struct binary *binary;
    CUfunction function;            /* once used, in the current context */
    struct registered_symbol *next; /* in the same bucket */
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

void **__cudaRegisterFatBinary(void *image)
{
    struct binary *binary = calloc(1, sizeof *binary);
    if (!binary)
        return NULL;
    pthread_mutex_lock(&lock);
    *binary = (struct binary){.image = image, .next = binaries};
    binaries = binary;
    pthread_mutex_unlock(&lock);
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

static CUresult load(struct binary *binary)
{
    if (binary->library)
        return CUDA_SUCCESS;
    return cuLibraryLoadData(&binary->library, binary->image, NULL, NULL, 0, NULL, NULL, 0);
}

/* Managed variables are read through a pointer in the program, which is filled in before anything uses it. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device_name, const char *name, int external, size_t bytes,
                              int constant, int global)
{
    struct binary *binary = (struct binary *)handle;
    CUdeviceptr address;
    __cudaRegisterVar(handle, (char *)host, device_name, name, external, bytes, constant, global);
    if (runtime_enter() == CUDA_SUCCESS && binary && load(binary) == CUDA_SUCCESS
        && cuLibraryGetManaged(&address, NULL, binary->library, name) == CUDA_SUCCESS)
        *host = (void *)address;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

static cudaError_t get_kernel(struct registered_symbol *symbol, CUfunction *function)
{
    CUkernel kernel = NULL;
    if (!symbol)
        return NO_SUCH_KERNEL;
    if (!symbol->function) {
        CUresult result = load(symbol->binary);
        if (result == CUDA_SUCCESS)
            result = cuLibraryGetKernel(&kernel, symbol->binary->library, symbol->name);
        if (result == CUDA_SUCCESS)
            result = cuKernelGetFunction(&symbol->function, kernel);
        if (result != CUDA_SUCCESS)
            return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)result;
    }
    *function = symbol->function;
    return cudaSuccess;
}

cudaError_t registry_get_kernel(const void *host, CUfunction *function)
{
    pthread_mutex_lock(&lock);
    cudaError_t error = get_kernel(find(host, SYMBOL_KERNEL), function);
    pthread_mutex_unlock(&lock);
    return error;
}

const void *registry_find_host(CUfunction function)
{
    const void *host = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKET_COUNT && !host; i++)
        for (const struct registered_symbol *symbol = buckets[i]; symbol && !host; symbol = symbol->next)
            host = symbol->function == function ? symbol->host : NULL;
    pthread_mutex_unlock(&lock);
    return host;
}

cudaError_t registry_get_variable(const void *host, CUdeviceptr *address, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const struct registered_symbol *symbol = find(host, SYMBOL_VARIABLE);
    CUresult result = symbol ? load(symbol->binary) : CUDA_ERROR_NOT_FOUND;
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetGlobal(address, bytes, symbol->binary->library, symbol->name);
    pthread_mutex_unlock(&lock);
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)result;
}

void registry_forget_loaded(void)
{
    pthread_mutex_lock(&lock);
    for (struct binary *binary = binaries; binary; binary = binary->next) {
        if (binary->library)
            cuLibraryUnload(binary->library); /* variables get their initial values again */
        binary->library = NULL;
    }
    for (int i = 0; i < BUCKET_COUNT; i++) {
        for (struct registered_symbol *symbol = buckets[i]; symbol; symbol = symbol->next)
            symbol->function = NULL;
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
