#include "runtime/emulator/driver/handle.h"

#include <stdint.h>
#include <stdlib.h>

/* A handle is  generation << 24 | (slot + 1) << 4 : never NULL, 1 or 2 (which name default streams), and a slot that is used
 * again gets another generation. */
#define SLOT_SHIFT       4
#define SLOT_BITS        20
#define SLOT_LIMIT       ((UINT32_C(1) << SLOT_BITS) - 1)
#define GENERATION_SHIFT (SLOT_SHIFT + SLOT_BITS)
#define GENERATION_MASK  UINT32_C(0x3fffff)

struct slot {
    enum handle_kind kind;
    uint32_t generation;
    uint32_t next_free; /* slot + 1 of the next free one; 0 at the end */
    void *object;
    const void *owner;
};

static struct slot *slots;
static uint32_t slot_count, slot_capacity;
static uint32_t first_free; /* slot + 1; 0 when there is none */

static void *handle_value(uint32_t index)
{
    uint64_t value = (uint64_t)slots[index].generation << GENERATION_SHIFT | (uint64_t)(index + 1) << SLOT_SHIFT;
    return (void *)(uintptr_t)value;
}

static struct slot *slot_of(const void *handle)
{
    uint64_t value = (uint64_t)(uintptr_t)handle;
    uint64_t number = value >> SLOT_SHIFT & ((UINT64_C(1) << SLOT_BITS) - 1);
    if (number == 0 || number > slot_count || handle_value((uint32_t)number - 1) != handle)
        return NULL;
    struct slot *slot = &slots[number - 1];
    return slot->kind == HANDLE_NONE ? NULL : slot;
}

static int grow(void)
{
    uint32_t capacity = slot_capacity ? slot_capacity * 2 : 64;
    if (capacity > SLOT_LIMIT)
        capacity = SLOT_LIMIT;
    if (slot_count >= capacity)
        return -1;
    struct slot *grown = realloc(slots, capacity * sizeof *grown);
    if (!grown)
        return -1;
    slots = grown;
    slot_capacity = capacity;
    return 0;
}

void *handle_create(enum handle_kind kind, void *object, const void *owner)
{
    uint32_t index;
    if (first_free != 0) {
        index = first_free - 1;
        first_free = slots[index].next_free;
    } else {
        if (slot_count == slot_capacity && grow() != 0)
            return NULL;
        index = slot_count++;
        slots[index].generation = 1;
    }
    slots[index].kind = kind;
    slots[index].object = object;
    slots[index].owner = owner;
    return handle_value(index);
}

void *handle_find(const void *handle, enum handle_kind kind)
{
    const struct slot *slot = slot_of(handle);
    return slot && slot->kind == kind ? slot->object : NULL;
}

void handle_destroy(const void *handle)
{
    struct slot *slot = slot_of(handle);
    if (!slot)
        return;
    slot->kind = HANDLE_NONE;
    slot->object = NULL;
    slot->generation = slot->generation % GENERATION_MASK + 1;
    slot->next_free = first_free;
    first_free = (uint32_t)(slot - slots) + 1;
}

void *handle_next(enum handle_kind kind, const void *owner, size_t *cursor)
{
    while (*cursor < slot_count) {
        const struct slot *slot = &slots[(*cursor)++];
        if (slot->kind == kind && slot->owner == owner)
            return slot->object;
    }
    return NULL;
}
