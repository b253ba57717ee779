#include "runtime/emulator/driver/context_end.h"

#include <stdlib.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/array.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/leak.h"
#include "runtime/emulator/driver/link.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/texture_object.h"
#include "runtime/emulator/driver/unordered.h"

void context_clear(struct context *context)
{
    order_forget_context(context); /* its work is done first, whatever is kept of it (late.h) */
    unordered_settle();
    leak_report(context);
    module_destroy_all(context);
    link_destroy_all(context);
    stream_destroy_all(context);
    event_destroy_all(context);
    texture_object_destroy_all(context);
    array_destroy_all(context);
    allocation_free_all(context);
    context_set_defaults(context);
}

void context_destroy(struct context *context)
{
    context_clear(context);
    handle_destroy(context->handle);
    free(context);
}
