#include "grader/compile/summary_record.h"

#include <stdint.h>
#include <string.h>

#include "grader/base/allocate.h"

/* The numbers before each element; an entry's widths and then the name follow. */
struct packed_entry {
    uint32_t name_length, parameter_count, threads_required, max_threads[3];
};

struct packed_constant {
    uint32_t name_length, count;
    int32_t value[PTX_CONSTANT_WORDS];
};

struct packed_counts {
    uint32_t entry_count, constant_count;
};

/* ---- packing --------------------------------------------------------------------------------------------------------- */

struct packer {
    char *record;
    size_t bytes, capacity;
};

static void put(struct packer *packer, const void *data, size_t bytes)
{
    packer->record = allocate_grown(packer->record, &packer->capacity, packer->bytes + bytes, 1);
    if (bytes > 0)
        memcpy(packer->record + packer->bytes, data, bytes);
    packer->bytes += bytes;
}

char *summary_pack(const struct ptx_summary *summary, size_t *bytes)
{
    struct packer packer = {0};
    struct packed_counts head = {(uint32_t)summary->entry_count, (uint32_t)summary->constant_count};
    put(&packer, &head, sizeof head);
    for (size_t i = 0; i < summary->entry_count; i++) {
        const struct ptx_entry *entry = &summary->entries[i];
        struct packed_entry fixed = {.name_length = (uint32_t)strlen(entry->name),
                                     .parameter_count = (uint32_t)entry->parameter_count,
                                     .threads_required = entry->threads_required};
        memcpy(fixed.max_threads, entry->max_threads, sizeof fixed.max_threads);
        put(&packer, &fixed, sizeof fixed);
        put(&packer, entry->parameter_bytes, entry->parameter_count * sizeof *entry->parameter_bytes);
        put(&packer, entry->name, fixed.name_length);
    }
    for (size_t i = 0; i < summary->constant_count; i++) {
        const struct ptx_constant *constant = &summary->constants[i];
        struct packed_constant fixed = {.name_length = (uint32_t)strlen(constant->name), .count = constant->count};
        memcpy(fixed.value, constant->value, sizeof fixed.value);
        put(&packer, &fixed, sizeof fixed);
        put(&packer, constant->name, fixed.name_length);
    }
    *bytes = packer.bytes;
    return packer.record;
}

/* ---- unpacking ------------------------------------------------------------------------------------------------------- */

struct unpacker {
    const char *at;
    size_t left;
};

/* Copies the next bytes to `data`; with NULL only passes over them. Returns false when there are not so many. */
static bool take(struct unpacker *unpacker, void *data, size_t bytes)
{
    if (bytes > unpacker->left)
        return false;
    if (data)
        memcpy(data, unpacker->at, bytes);
    unpacker->at += bytes;
    unpacker->left -= bytes;
    return true;
}

static bool take_entry(struct unpacker *unpacker, struct ptx_summary *summary)
{
    struct packed_entry head;
    if (!take(unpacker, &head, sizeof head) || head.parameter_count > unpacker->left / sizeof(uint32_t))
        return false;
    const char *widths = unpacker->at;
    take(unpacker, NULL, head.parameter_count * sizeof(uint32_t));
    const char *name = unpacker->at;
    struct ptx_entry *entry = take(unpacker, NULL, head.name_length) ? ptx_summary_add_entry(summary, name, head.name_length)
                                                                     : NULL;
    if (!entry)
        return false;
    entry->threads_required = head.threads_required != 0;
    memcpy(entry->max_threads, head.max_threads, sizeof entry->max_threads);
    size_t capacity = 0;
    for (uint32_t i = 0; i < head.parameter_count; i++) {
        uint32_t width;
        memcpy(&width, widths + i * sizeof width, sizeof width);
        if (!ptx_summary_add_parameter(summary, entry, &capacity, width))
            return false;
    }
    return true;
}

static bool take_constant(struct unpacker *unpacker, struct ptx_summary *summary)
{
    struct packed_constant head;
    if (!take(unpacker, &head, sizeof head) || head.count < 1 || head.count > PTX_CONSTANT_WORDS)
        return false;
    const char *name = unpacker->at;
    struct ptx_constant *constant = take(unpacker, NULL, head.name_length)
                                        ? ptx_summary_add_constant(summary, name, head.name_length)
                                        : NULL;
    if (!constant)
        return false;
    constant->count = head.count;
    memcpy(constant->value, head.value, sizeof constant->value);
    return true;
}

bool summary_unpack(const char *record, size_t bytes, struct ptx_summary *summary)
{
    struct unpacker unpacker = {record, bytes};
    struct packed_counts head;
    bool good = take(&unpacker, &head, sizeof head);
    for (uint32_t i = 0; good && i < head.entry_count; i++)
        good = take_entry(&unpacker, summary);
    for (uint32_t i = 0; good && i < head.constant_count; i++)
        good = take_constant(&unpacker, summary);
    return good && unpacker.left == 0;
}
