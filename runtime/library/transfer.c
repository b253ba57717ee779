#include "runtime/library/transfer.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* From this size on, threads pay off. */
#define LARGE_BYTES (UINT64_C(8) << 20)
enum { MAX_THREADS = 8, SLOTS = 2 };
#define PIECE_BYTES (UINT64_C(2) << 20)

/* A thread of a transfer; its stream, events and pinned memory serve one transfer after the other. */
struct lane {
    struct transfer *transfer;
    CUstream stream;
    CUevent done[SLOTS]; /* the piece has travelled */
    unsigned char *pinned[SLOTS];
};

struct transfer {
    lockstep_device *device;
    void *pinned; /* of all lanes */
    struct lane lanes[MAX_THREADS];
    unsigned lane_count;
    /* the copy at hand */
    CUdeviceptr address;
    unsigned char *host;
    size_t bytes;
    bool upload;
    atomic_size_t next; /* next piece to be taken */
    atomic_int result;  /* first error */
};

static unsigned core_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static bool threads_pay(const lockstep_device *device, size_t bytes)
{
    return !device->info.emulated && bytes >= LARGE_BYTES && core_count() > 1;
}

void transfer_destroy(lockstep_device *device)
{
    const struct driver *driver = &device->driver;
    struct transfer *transfer = device->transfer;
    if (!transfer)
        return;
    driver->cuCtxSetCurrent(device->context);
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        for (unsigned slot = 0; slot < SLOTS; slot++)
            if (transfer->lanes[i].done[slot])
                driver->cuEventDestroy(transfer->lanes[i].done[slot]);
        if (transfer->lanes[i].stream)
            driver->cuStreamDestroy(transfer->lanes[i].stream);
    }
    if (transfer->pinned)
        driver->cuMemFreeHost(transfer->pinned);
    free(transfer);
    device->transfer = NULL;
}

static bool create(lockstep_device *device)
{
    const struct driver *driver = &device->driver;
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer)
        return false;
    device->transfer = transfer;
    transfer->device = device;
    transfer->lane_count = core_count() < MAX_THREADS ? core_count() : MAX_THREADS;
    bool good = driver->cuMemHostAlloc(&transfer->pinned, (size_t)transfer->lane_count * SLOTS * PIECE_BYTES, 0)
                == CUDA_SUCCESS;
    for (unsigned i = 0; i < transfer->lane_count && good; i++) {
        struct lane *lane = &transfer->lanes[i];
        lane->transfer = transfer;
        good = driver->cuStreamCreate(&lane->stream, CU_STREAM_DEFAULT) == CUDA_SUCCESS;
        for (unsigned slot = 0; slot < SLOTS && good; slot++) {
            lane->pinned[slot] = (unsigned char *)transfer->pinned + (i * SLOTS + slot) * PIECE_BYTES;
            good = driver->cuEventCreate(&lane->done[slot], CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS;
        }
    }
    if (!good)
        transfer_destroy(device);
    return good;
}

/* Remembers the first error. Returns whether there has been none. */
static bool note(struct transfer *transfer, CUresult result)
{
    int none = CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        atomic_compare_exchange_strong(&transfer->result, &none, (int)result);
    return atomic_load(&transfer->result) == CUDA_SUCCESS;
}

static size_t piece_bytes(const struct transfer *transfer, size_t piece)
{
    size_t rest = transfer->bytes - piece * PIECE_BYTES;
    return rest < PIECE_BYTES ? rest : PIECE_BYTES;
}

/* One thread's part: takes pieces as they come and alternates between its two slots. */
static void *copy_pieces(void *argument)
{
    struct lane *lane = argument;
    struct transfer *transfer = lane->transfer;
    const struct driver *driver = &transfer->device->driver;
    size_t pieces = (transfer->bytes + PIECE_BYTES - 1) / PIECE_BYTES, held[SLOTS];
    bool busy[SLOTS] = {false};
    bool good = note(transfer, driver->cuCtxSetCurrent(transfer->device->context));
    for (unsigned turn = 0; good; turn++) {
        unsigned slot = turn % SLOTS;
        if (busy[slot]) {
            good = note(transfer, driver->cuEventSynchronize(lane->done[slot]));
            busy[slot] = false;
            if (good && !transfer->upload)
                memcpy(transfer->host + held[slot] * PIECE_BYTES, lane->pinned[slot], piece_bytes(transfer, held[slot]));
        }
        size_t piece = good ? atomic_fetch_add(&transfer->next, 1) : pieces;
        if (piece >= pieces) {
            if (!busy[(slot + 1) % SLOTS])
                break;
            continue; /* the other slot's piece is still on its way */
        }
        size_t offset = piece * PIECE_BYTES, bytes = piece_bytes(transfer, piece);
        if (transfer->upload)
            memcpy(lane->pinned[slot], transfer->host + offset, bytes);
        good = note(transfer,
                    transfer->upload
                        ? driver->cuMemcpyHtoDAsync(transfer->address + offset, lane->pinned[slot], bytes, lane->stream)
                        : driver->cuMemcpyDtoHAsync(lane->pinned[slot], transfer->address + offset, bytes, lane->stream))
               && note(transfer, driver->cuEventRecord(lane->done[slot], lane->stream));
        busy[slot] = good;
        held[slot] = piece;
    }
    note(transfer, driver->cuStreamSynchronize(lane->stream)); /* nothing may still read or write our memory */
    return NULL;
}

static CUresult copy(lockstep_device *device, CUdeviceptr address, void *host, size_t bytes, bool upload)
{
    pthread_t threads[MAX_THREADS];
    unsigned started = 1;
    CUresult result = device->driver.cuCtxSynchronize();
    if (result != CUDA_SUCCESS)
        return result;
    if (!device->transfer && !create(device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct transfer *transfer = device->transfer;
    transfer->address = address;
    transfer->host = host;
    transfer->bytes = bytes;
    transfer->upload = upload;
    atomic_store(&transfer->next, 0);
    atomic_store(&transfer->result, CUDA_SUCCESS);
    while (started < transfer->lane_count
           && pthread_create(&threads[started], NULL, copy_pieces, &transfer->lanes[started]) == 0)
        started++;
    copy_pieces(&transfer->lanes[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    return (CUresult)atomic_load(&transfer->result);
}

CUresult transfer_upload(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes)
{
    return copy(device, target, (void *)(uintptr_t)source, bytes, true);
}

CUresult transfer_download(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes)
{
    return copy(device, source, target, bytes, false);
}

CUresult transfer_to_device(lockstep_device *device, CUdeviceptr target, const void *source, size_t bytes)
{
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (threads_pay(device, bytes))
        result = transfer_upload(device, target, source, bytes);
    return result == CUDA_ERROR_OUT_OF_MEMORY ? device->driver.cuMemcpyHtoD(target, source, bytes) : result;
}

CUresult transfer_from_device(lockstep_device *device, void *target, CUdeviceptr source, size_t bytes)
{
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (threads_pay(device, bytes))
        result = transfer_download(device, target, source, bytes);
    return result == CUDA_ERROR_OUT_OF_MEMORY ? device->driver.cuMemcpyDtoH(target, source, bytes) : result;
}
