#include "runtime/emulator/machine/device_work.h"

#include <stdlib.h>

#include "runtime/emulator/machine/hooks.h"

struct device_works *device_works_of(struct launch *launch)
{
    if (!launch->device_works && (launch->device_works = calloc(1, sizeof *launch->device_works))) {
        launch->device_works->end = &launch->device_works->first;
        launch->device_works->tail_end = &launch->device_works->tail;
    }
    return launch->device_works;
}

void device_works_add(struct device_works *works, struct device_work *work, bool in_tail)
{
    struct device_work ***end = in_tail ? &works->tail_end : &works->end;
    work->next = NULL;
    **end = work;
    *end = &work->next;
    works->tail_count += in_tail;
}

struct device_work *device_works_take(struct launch *launch)
{
    struct device_works *works = launch->device_works;
    if (!works)
        return NULL;
    *works->end = works->tail;
    struct device_work *first = works->first;
    for (size_t i = 0; i < works->buffer_count; i++)
        memory_free(launch->request->memory, works->buffers[i].allocation->address);
    free(works->buffers);
    free(works->objects);
    free(works->errors);
    free(works);
    launch->device_works = NULL;
    return first;
}

void device_work_destroy(struct device_work *work)
{
    if (work->buffer)
        memory_free(work->request.memory, work->buffer->address);
    if (work->request.past)
        work->request.hooks->let_go(work->request.past);
    free(work);
}
