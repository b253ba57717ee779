#include "runtime/library/handles.h"

#include <stdlib.h>

#include "runtime/base/error.h"

lockstep_status lockstep_stream_create(lockstep_device *device, lockstep_stream **stream, lockstep_error *error)
{
    *stream = NULL;
    lockstep_stream *created = calloc(1, sizeof *created);
    if (!created)
        return error_host_memory(error, "lockstep_stream_create", sizeof *created);
    created->device = device;
    lockstep_status status = driver_check(&device->driver,
                                          device->driver.cuStreamCreate(&created->handle, CU_STREAM_DEFAULT),
                                          "cuStreamCreate", error, "creating a stream on %s", device->info.name);
    if (status != LOCKSTEP_OK)
        free(created);
    else
        *stream = created;
    return status;
}

lockstep_status lockstep_stream_synchronize(lockstep_stream *stream, lockstep_error *error)
{
    const struct driver *driver = &stream->device->driver;
    return driver_check(driver, driver->cuStreamSynchronize(stream->handle), "cuStreamSynchronize", error,
                        "waiting for the kernels of a stream");
}

lockstep_status lockstep_stream_wait(lockstep_stream *stream, lockstep_event *event, lockstep_error *error)
{
    const struct driver *driver = &stream->device->driver;
    return driver_check(driver, driver->cuStreamWaitEvent(stream->handle, event->handle, 0), "cuStreamWaitEvent", error,
                        "making a stream wait for an event");
}

void lockstep_stream_destroy(lockstep_stream *stream)
{
    if (!stream)
        return;
    stream->device->driver.cuStreamDestroy(stream->handle);
    free(stream);
}

lockstep_status lockstep_event_create(lockstep_device *device, lockstep_event **event, lockstep_error *error)
{
    *event = NULL;
    lockstep_event *created = calloc(1, sizeof *created);
    if (!created)
        return error_host_memory(error, "lockstep_event_create", sizeof *created);
    created->device = device;
    lockstep_status status = driver_check(&device->driver, device->driver.cuEventCreate(&created->handle, CU_EVENT_DEFAULT),
                                          "cuEventCreate", error, "creating an event on %s", device->info.name);
    if (status != LOCKSTEP_OK)
        free(created);
    else
        *event = created;
    return status;
}

lockstep_status lockstep_event_record(lockstep_event *event, lockstep_stream *stream, lockstep_error *error)
{
    const struct driver *driver = &event->device->driver;
    return driver_check(driver, driver->cuEventRecord(event->handle, stream ? stream->handle : NULL), "cuEventRecord", error,
                        "recording an event");
}

lockstep_status lockstep_event_synchronize(lockstep_event *event, lockstep_error *error)
{
    const struct driver *driver = &event->device->driver;
    return driver_check(driver, driver->cuEventSynchronize(event->handle), "cuEventSynchronize", error,
                        "waiting for an event");
}

lockstep_status lockstep_event_elapsed(lockstep_event *start, lockstep_event *stop, float *elapsed_ms, lockstep_error *error)
{
    const struct driver *driver = &stop->device->driver;
    lockstep_status status = lockstep_event_synchronize(stop, error);
    if (status != LOCKSTEP_OK)
        return status;
    CUresult result = driver->cuEventElapsedTime(elapsed_ms, start->handle, stop->handle);
    if (result == CUDA_ERROR_INVALID_HANDLE) {
        error_set(error, LOCKSTEP_INVALID_ARGUMENT, "cuEventElapsedTime", "Record both events first.",
                  "one of the two events was never recorded");
        if (error)
            error->cuda_result = (int)result;
        return LOCKSTEP_INVALID_ARGUMENT;
    }
    return driver_check(driver, result, "cuEventElapsedTime", error, "measuring the time between two events");
}

void lockstep_event_destroy(lockstep_event *event)
{
    if (!event)
        return;
    event->device->driver.cuEventDestroy(event->handle);
    free(event);
}
