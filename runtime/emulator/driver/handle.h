/* The handles that clients hold: numbers that look like pointers but are never followed, so that garbage and destroyed
 * handles are recognised instead of causing a crash. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_HANDLE_H
#define EMULATOR_HANDLE_H

#include <stddef.h>

enum handle_kind {
    HANDLE_NONE,
    HANDLE_CONTEXT,
    HANDLE_MODULE,   /* also CUlibrary */
    HANDLE_FUNCTION, /* also CUkernel */
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_LINK,
    HANDLE_POOL,
    HANDLE_GRAPH,
    HANDLE_GRAPH_NODE,
    HANDLE_GRAPH_EXEC,
    HANDLE_USER_OBJECT,
    HANDLE_ARRAY,
    HANDLE_MIPMAPPED_ARRAY,
    HANDLE_TEXTURE,  /* also surfaces */
    HANDLE_PHYSICAL, /* CUmemGenericAllocationHandle */
};

/* Makes a handle for `object`.
 *   owner   the context that destroys it; NULL for none
 * Returns NULL when the host is out of memory or a million handles are live. */
void *handle_create(enum handle_kind kind, void *object, const void *owner);

/* The object behind a live handle of that kind; NULL for anything else. */
void *handle_find(const void *handle, enum handle_kind kind);

/* Forgets a handle; later uses of its value find nothing. */
void handle_destroy(const void *handle);

/* Live objects of a kind and owner, for the end of a context: *cursor starts at 0. NULL at the end. The one returned may
 * be destroyed before the next call. */
void *handle_next(enum handle_kind kind, const void *owner, size_t *cursor);

#endif
