/* The memory of the emulated device, and what the requests of a warp touch in it. */
#include "runtime/emulator/machine/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/emulator/machine/footprint.h"
#include "runtime/emulator/machine/host_memory.h"
#include "runtime/emulator/observe/poison/written.h"
#include "tests/support.h"

#define CAPACITY (UINT64_C(40) << 30)

static struct memory *memory;

static void open_memory(bool track_written)
{
    memory = memory_create(CAPACITY, track_written);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
}

static void close_memory(void)
{
    memory_destroy(memory);
    memory = NULL;
}

static struct memory_allocation *allocate(uint64_t bytes, enum memory_kind kind)
{
    struct memory_allocation *allocation = memory_allocate(memory, bytes, kind);
    CU_ASSERT_PTR_NOT_NULL_FATAL(allocation);
    return allocation;
}

static void overruns_never_reach_a_neighbour(void)
{
    open_memory(false);
    struct memory_allocation *a = allocate(1000, MEMORY_DEVICE), *b = allocate(1000, MEMORY_DEVICE);
    static const uint64_t distances[] = {1000, 1001, 4096, UINT64_C(1) << 20, UINT64_C(1) << 38, (UINT64_C(1) << 39) - 1};
    for (size_t i = 0; i < SUPPORT_COUNT(distances); i++) {
        CU_ASSERT_PTR_EQUAL(memory_find(memory, a->address + distances[i]), a);
        CU_ASSERT_PTR_EQUAL(memory_find(memory, b->address - distances[i]), b);
        CU_ASSERT_PTR_NULL(memory_translate(memory, a->address + distances[i], 1));
        CU_ASSERT_PTR_NULL(memory_translate(memory, b->address - distances[i], 1));
    }
    close_memory();
}

static void translates_exactly_the_bytes_of_an_allocation(void)
{
    open_memory(false);
    struct memory_allocation *a = allocate(1000, MEMORY_DEVICE);
    CU_ASSERT_PTR_EQUAL(memory_translate(memory, a->address, 1000), a->host);
    CU_ASSERT_PTR_EQUAL(memory_translate(memory, a->address + 999, 1), a->host + 999);
    CU_ASSERT_PTR_EQUAL(memory_translate(memory, a->address + 1000, 0), a->host + 1000);
    CU_ASSERT_PTR_NULL(memory_translate(memory, a->address, 1001));
    CU_ASSERT_PTR_NULL(memory_translate(memory, a->address + 999, 2));
    CU_ASSERT_PTR_NULL(memory_translate(memory, a->address + 1, UINT64_MAX));
    CU_ASSERT_PTR_NULL(memory_translate(memory, a->address - 1, 2));
    CU_ASSERT_PTR_NULL(memory_translate(memory, 0, 1));
    CU_ASSERT_PTR_NULL(memory_translate(memory, UINT64_MAX, 1));
    close_memory();
}

static void device_memory_is_zero_and_aligned(void)
{
    static const uint64_t sizes[] = {1, 255, 256, 100000, 131072, 131073, 5000000, 64000000};
    open_memory(false);
    for (int round = 0; round < 2; round++) { /* the second time the backing was used before */
        for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
            struct memory_allocation *a = allocate(sizes[i], MEMORY_DEVICE);
            CU_ASSERT_EQUAL((uintptr_t)a->host % 256, 0);
            CU_ASSERT_EQUAL(a->address % 256, 0);
            bool zero = true;
            for (uint64_t at = 0; at < sizes[i]; at++)
                zero &= a->host[at] == 0;
            CU_ASSERT_TRUE(zero);
            memset(a->host, 0xa5, sizes[i]);
            CU_ASSERT_TRUE(memory_free(memory, a->address));
        }
    }
    close_memory();
}

static void refuses_more_than_the_capacity(void)
{
    open_memory(false);
    CU_ASSERT_PTR_NULL(memory_allocate(memory, UINT64_C(1) << 40, MEMORY_DEVICE));
    CU_ASSERT_PTR_NULL(memory_allocate(memory, CAPACITY + 1, MEMORY_DEVICE));
    CU_ASSERT_PTR_NULL(memory_allocate(memory, UINT64_MAX, MEMORY_DEVICE));
    CU_ASSERT_PTR_NULL(memory_allocate(memory, UINT64_MAX, MEMORY_HOST));
    CU_ASSERT_PTR_NULL(memory_allocate(memory, 0, MEMORY_DEVICE));
    CU_ASSERT_EQUAL(memory_used(memory), 0);
    struct memory_allocation *half = allocate(CAPACITY / 2, MEMORY_DEVICE); /* sparse: costs nothing until touched */
    half->host[CAPACITY / 2 - 1] = 1;
    CU_ASSERT_PTR_NULL(memory_allocate(memory, CAPACITY / 2 + 1, MEMORY_DEVICE));
    CU_ASSERT_EQUAL(memory_used(memory), CAPACITY / 2);
    CU_ASSERT_TRUE(memory_free(memory, half->address));
    CU_ASSERT_EQUAL(memory_used(memory), 0);
    CU_ASSERT_EQUAL(memory_capacity(memory), CAPACITY);
    close_memory();
}

static void freed_memory_stays_recognisable(void)
{
    open_memory(true);
    struct memory_allocation *a = allocate(1000, MEMORY_DEVICE);
    uint64_t address = a->address;
    CU_ASSERT_FALSE(memory_free(memory, address + 4));
    CU_ASSERT_TRUE(memory_free(memory, address));
    CU_ASSERT_FALSE(memory_free(memory, address));
    for (int i = 0; i < 1000; i++) {
        struct memory_allocation *other = allocate(1000, MEMORY_DEVICE);
        CU_ASSERT_NOT_EQUAL(other->address, address);
        CU_ASSERT_TRUE(memory_free(memory, other->address));
    }
    const struct memory_allocation *found = memory_find(memory, address + 500);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_TRUE(found->freed);
    CU_ASSERT_EQUAL(found->bytes, 1000);
    CU_ASSERT_PTR_NULL(memory_translate(memory, address, 1));
    close_memory();
}

static void numbers_are_used_again_only_after_a_long_time(void)
{
    open_memory(false);
    uint64_t first = 0, again = 0;
    for (uint64_t i = 0; i < 200000 && again == 0; i++) {
        struct memory_allocation *a = allocate(16, MEMORY_DEVICE);
        if (i == 0)
            first = a->address;
        else if (a->address == first)
            again = i;
        memory_free(memory, a->address);
    }
    CU_ASSERT_EQUAL(again, 65536);
    close_memory();
}

static void host_memory_is_addressed_by_its_pointer(void)
{
    open_memory(true);
    struct memory_allocation *a = allocate(10000, MEMORY_HOST);
    CU_ASSERT_EQUAL(a->address, (uint64_t)(uintptr_t)a->host);
    CU_ASSERT_PTR_NULL(a->written); /* the host writes it without telling */
    CU_ASSERT_EQUAL(memory_used(memory), 0);
    memset(a->host, 1, 10000);
    CU_ASSERT_PTR_EQUAL(memory_find(memory, a->address + 9999), a);
    CU_ASSERT_PTR_EQUAL(memory_find(memory, a->address + 10000), a); /* overrun by one */
    CU_ASSERT_PTR_EQUAL(memory_find(memory, a->address - 1), a);
    CU_ASSERT_PTR_EQUAL(memory_translate(memory, a->address, 10000), a->host);
    CU_ASSERT_PTR_NULL(memory_translate(memory, a->address, 10001));
    CU_ASSERT_TRUE(memory_free(memory, a->address));
    CU_ASSERT_TRUE(memory_find(memory, a->address)->freed);
    close_memory();
}

static void many_host_ranges_are_told_apart(void)
{
    enum { COUNT = 100 };
    struct memory_allocation *ranges[COUNT];
    open_memory(false);
    for (int i = 0; i < COUNT; i++)
        ranges[i] = allocate(4096 * (1 + (uint64_t)i % 7), MEMORY_HOST);
    for (int i = 0; i < COUNT; i += 2)
        CU_ASSERT_TRUE(memory_free(memory, ranges[i]->address));
    for (int i = 1; i < COUNT; i += 2) {
        CU_ASSERT_PTR_EQUAL(memory_find(memory, ranges[i]->address), ranges[i]);
        CU_ASSERT_PTR_EQUAL(memory_find(memory, ranges[i]->address + ranges[i]->bytes - 1), ranges[i]);
    }
    close_memory();
}

static void registers_memory_of_the_caller_once(void)
{
    static uint8_t mine[1000];
    open_memory(false);
    struct memory_allocation *a = memory_register(memory, mine, sizeof mine);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    CU_ASSERT_TRUE(a->borrowed);
    CU_ASSERT_PTR_NULL(memory_register(memory, mine, sizeof mine));
    CU_ASSERT_PTR_NULL(memory_register(memory, mine + 999, 1));
    CU_ASSERT_PTR_NULL(memory_register(memory, NULL, 1));
    CU_ASSERT_PTR_EQUAL(memory_translate(memory, (uint64_t)(uintptr_t)mine, 1000), mine);
    CU_ASSERT_PTR_NULL(memory_translate(memory, (uint64_t)(uintptr_t)mine, 1001));
    CU_ASSERT_TRUE(memory_free(memory, (uint64_t)(uintptr_t)mine));
    mine[0] = 1; /* still the caller's */
    CU_ASSERT_PTR_NOT_NULL(memory_register(memory, mine, sizeof mine));
    close_memory();
}

/* Compares the written bits with a plain array of bytes, over many random ranges. */
static void written_bits_match_a_plain_model(void)
{
    enum { BYTES = 777 };
    static uint8_t model[2][BYTES];
    memset(model, 0, sizeof model);
    open_memory(true);
    struct memory_allocation *a[2] = {allocate(BYTES, MEMORY_DEVICE), allocate(BYTES, MEMORY_DEVICE)};
    uint32_t state = 1;
    for (int step = 0; step < 20000; step++) {
        uint32_t random[4];
        for (int i = 0; i < 4; i++)
            random[i] = (state = state * 1664525u + 1013904223u) >> 8;
        uint64_t first = random[0] % BYTES, second = random[1] % BYTES;
        uint64_t longest = BYTES - (first > second ? first : second);
        uint64_t bytes = random[2] % (longest + 1);
        int target = random[3] & 1, source = random[3] >> 1 & 1;
        switch (random[3] >> 2 & 3) {
        case 0:
            memory_mark_written(a[target], first, bytes);
            memset(model[target] + first, 1, bytes);
            break;
        case 1:
            memory_mark_poison(a[target], first, bytes);
            memset(model[target] + first, 0, bytes);
            break;
        case 2:
            memory_copy_written(a[target], first, a[source], second, bytes);
            memmove(model[target] + first, model[source] + second, bytes);
            break;
        default: {
            uint8_t *gap = memchr(model[target] + first, 0, bytes);
            uint64_t want = gap ? (uint64_t)(gap - model[target]) : first + bytes;
            CU_ASSERT_EQUAL(memory_first_poison(a[target], first, bytes), want);
            CU_ASSERT_EQUAL(memory_is_written(a[target], first), model[target][first] != 0);
        }
        }
    }
    for (int which = 0; which < 2; which++) {
        bool same = true;
        for (uint64_t i = 0; i < BYTES; i++)
            same &= memory_is_written(a[which], i) == (model[which][i] != 0);
        CU_ASSERT_TRUE(same);
    }
    close_memory();
}

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Marks and asks about random ranges, of a byte to several words of bits. */
static void ranges_of_written_bits_match_a_plain_model(void)
{
    enum { BYTES = 512 };
    uint8_t model[BYTES], written[BYTES / 8];
    uint32_t state = 7;
    for (int step = 0; step < 20000; step++) {
        if (step % 100 == 0) {
            memset(model, 0, sizeof model);
            memset(written, 0, sizeof written);
        }
        uint32_t first = random_next(&state) % BYTES, left = BYTES - first;
        uint32_t bytes = 1 + random_next(&state) % (random_next(&state) % 2 ? left : left < 70 ? left : 70);
        if (random_next(&state) % 2) {
            written_mark(written, first, bytes);
            memset(model + first, 1, bytes);
        } else {
            CU_ASSERT_EQUAL(written_range(written, first, bytes), !memchr(model + first, 0, bytes));
        }
        uint32_t count = 1u << random_next(&state) % 6, at = first / count * count, bits = 0;
        for (uint32_t i = 0; i < count; i++)
            bits |= (uint32_t)model[at + i] << i;
        CU_ASSERT_EQUAL(written_get(written, at, count), bits);
    }
}

/* How many different numbers there are, and how often the commonest occurs. */
static unsigned count_different(const uint64_t *numbers, unsigned count, unsigned *most)
{
    unsigned different = 0;
    *most = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned same = 0, before = 0;
        for (unsigned k = 0; k < count; k++) {
            same += numbers[k] == numbers[i];
            before += k < i && numbers[k] == numbers[i];
        }
        different += before == 0;
        *most = same > *most ? same : *most;
    }
    return different;
}

/* The passes of one group of lanes: the bank with the most different words. */
static unsigned plain_passes(const uint64_t *address, uint32_t mask, unsigned words)
{
    uint64_t held[128];
    unsigned most = 0, ignored;
    for (unsigned bank = 0; bank < 32; bank++) {
        unsigned count = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned word = 0; word < words && mask >> lane & 1; word++)
                if ((address[lane] / 4 + word) % 32 == bank)
                    held[count++] = address[lane] / 4 + word;
        unsigned different = count_different(held, count, &ignored);
        most = different > most ? different : most;
    }
    return most;
}

static void compare_footprint(const uint64_t address[32], uint32_t mask, unsigned bytes)
{
    static uint8_t touched[2][1 << 16];
    struct shape shape = {.mask = mask};
    uint64_t own[32], sectors[64];
    unsigned count = 0, most, ignored, ideal, wanted = 0, words = bytes <= 4 ? 1 : bytes / 4, group = 32 / words;
    memset(touched, 0, sizeof touched);
    uint64_t first = address[__builtin_ctz(mask)];
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(mask >> lane & 1))
            continue;
        shape.delta[lane] = address[lane] - first;
        sectors[2 * count] = address[lane] / 32;
        sectors[2 * count + 1] = (address[lane] + bytes - 1) / 32;
        own[count++] = address[lane];
        memset(touched[0] + address[lane], 1, bytes);
    }
    footprint_list_runs(&shape, bytes);
    for (unsigned i = 0; i < shape.run_count; i++)
        memset(touched[1] + first + shape.runs[i].delta, 1, shape.runs[i].bytes);
    CU_ASSERT_EQUAL(memcmp(touched[0], touched[1], sizeof touched[0]), 0);
    CU_ASSERT_EQUAL(footprint_sectors(address, mask, bytes), count_different(sectors, 2 * count, &ignored));
    count_different(own, count, &most);
    CU_ASSERT_EQUAL(footprint_multiplicity(address, mask), most);
    unsigned groups = 0;
    for (unsigned lane = 0; lane < 32; lane += group) {
        uint32_t lanes = mask & (uint32_t)(((UINT64_C(1) << group) - 1) << lane);
        wanted += plain_passes(address, lanes, words);
        groups += lanes != 0;
    }
    CU_ASSERT_EQUAL(footprint_wavefronts(address, mask, bytes, false, &ideal), wanted);
    CU_ASSERT_EQUAL(ideal, groups);
    CU_ASSERT_EQUAL(footprint_wavefronts(address, mask, bytes, true, &ideal), most > wanted ? most : wanted);
}

/* Requests of all widths: scattered, along a row, along a column, few places for many lanes, some lanes only. */
static void footprints_match_a_plain_count(void)
{
    uint32_t state = 3;
    for (int step = 0; step < 600; step++) {
        unsigned bytes = 1u << random_next(&state) % 6, kind = random_next(&state) % 4;
        uint64_t address[32], start = random_next(&state) % 512 * bytes;
        uint32_t mask = random_next(&state) % 2 ? UINT32_MAX : random_next(&state) | 1u << random_next(&state) % 32;
        uint32_t step_bytes = random_next(&state) % 9 * bytes;
        for (unsigned lane = 0; lane < 32; lane++)
            address[lane] = kind == 0   ? random_next(&state) % 1024 * bytes
                            : kind == 1 ? start + lane * step_bytes
                            : kind == 2 ? start + (31 - lane) / 4 * step_bytes
                                        : random_next(&state) % 5 * 128 + start;
        compare_footprint(address, mask, bytes);
    }
}

static void everything_counts_as_written_when_poison_is_not_tracked(void)
{
    open_memory(false);
    struct memory_allocation *a = allocate(100, MEMORY_DEVICE);
    memory_mark_poison(a, 0, 100);
    CU_ASSERT_TRUE(memory_is_written(a, 0));
    CU_ASSERT_EQUAL(memory_first_poison(a, 10, 90), 100);
    close_memory();
}

static void lists_live_allocations_in_order(void)
{
    open_memory(false);
    struct memory_allocation *a = allocate(1, MEMORY_DEVICE), *b = allocate(1, MEMORY_GLOBAL);
    struct memory_allocation *host = allocate(1, MEMORY_HOST), *c = allocate(1, MEMORY_CONST);
    memory_free(memory, b->address);
    size_t cursor = 0;
    CU_ASSERT_PTR_EQUAL(memory_next_live(memory, &cursor), a);
    CU_ASSERT_PTR_EQUAL(memory_next_live(memory, &cursor), c);
    CU_ASSERT_PTR_EQUAL(memory_next_live(memory, &cursor), host);
    CU_ASSERT_PTR_NULL(memory_next_live(memory, &cursor));
    CU_ASSERT_PTR_NULL(memory_next_live(memory, &cursor));
    close_memory();
}

static void the_latest_fill_counts_until_its_bytes_change(void)
{
    open_memory(false);
    struct memory_allocation *a = allocate(64, MEMORY_DEVICE);
    void *first = malloc(1), *second = malloc(1);
    memset(a->host, 1, 64);
    memory_note_fill(a, 0, 64, 1, first);
    CU_ASSERT_PTR_NULL(memory_find_fill(a, 61, 4));
    CU_ASSERT_PTR_EQUAL_FATAL(memory_find_fill(a, 60, 4), a->fills);
    memset(a->host + 8, 2, 8);
    memory_note_fill(a, 8, 8, 2, second);
    CU_ASSERT_PTR_EQUAL(memory_find_fill(a, 0, 8)->place, first);
    CU_ASSERT_PTR_EQUAL(memory_find_fill(a, 8, 8)->place, second);
    CU_ASSERT_PTR_NULL(memory_find_fill(a, 4, 8));
    a->host[3] = 7;
    CU_ASSERT_PTR_NULL(memory_find_fill(a, 0, 4));
    CU_ASSERT_PTR_NOT_NULL(memory_find_fill(a, 4, 4));
    memset(a->host, 0, 64); /* a fill that need not be remembered takes the others' place */
    memory_note_fill(a, 0, 64, 0, NULL);
    CU_ASSERT_EQUAL(a->fill_count, 0);
    for (unsigned i = 0; i < 2 * MEMORY_FILLS; i++)
        memory_note_fill(a, i, 1, 0, malloc(1));
    CU_ASSERT_EQUAL(a->fill_count, MEMORY_FILLS);
    CU_ASSERT_PTR_NULL(memory_find_fill(a, MEMORY_FILLS - 1, 1));
    CU_ASSERT_PTR_NOT_NULL(memory_find_fill(a, MEMORY_FILLS, 1));
    close_memory();
}

static void tells_host_memory_from_the_room_between(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct host_memory found;
    uint8_t *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(pages != MAP_FAILED);
    CU_ASSERT_EQUAL(munmap(pages + page, page), 0);
    uint64_t gap = (uintptr_t)pages + page;
    CU_ASSERT(host_memory_find(gap - 1, &found));
    CU_ASSERT(found.start <= (uintptr_t)pages && found.end == gap);
    CU_ASSERT_STRING_EQUAL(found.words, "memory of the program, such as malloc and new give");
    CU_ASSERT(!host_memory_find(gap, &found));
    CU_ASSERT_EQUAL(found.start, gap);
    CU_ASSERT_EQUAL(found.end, gap + page);
    CU_ASSERT_EQUAL(mprotect(pages, page, PROT_NONE), 0); /* nobody can use it: no memory, either */
    CU_ASSERT(!host_memory_find(gap - 1, &found));
    CU_ASSERT(found.start <= gap - page && found.end == gap);
    munmap(pages, page);
    munmap(pages + 2 * page, page);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(overruns_never_reach_a_neighbour),
    SUPPORT_TEST(translates_exactly_the_bytes_of_an_allocation),
    SUPPORT_TEST(device_memory_is_zero_and_aligned),
    SUPPORT_TEST(refuses_more_than_the_capacity),
    SUPPORT_TEST(freed_memory_stays_recognisable),
    SUPPORT_TEST(numbers_are_used_again_only_after_a_long_time),
    SUPPORT_TEST(host_memory_is_addressed_by_its_pointer),
    SUPPORT_TEST(many_host_ranges_are_told_apart),
    SUPPORT_TEST(registers_memory_of_the_caller_once),
    SUPPORT_TEST(written_bits_match_a_plain_model),
    SUPPORT_TEST(ranges_of_written_bits_match_a_plain_model),
    SUPPORT_TEST(footprints_match_a_plain_count),
    SUPPORT_TEST(everything_counts_as_written_when_poison_is_not_tracked),
    SUPPORT_TEST(lists_live_allocations_in_order),
    SUPPORT_TEST(the_latest_fill_counts_until_its_bytes_change),
    SUPPORT_TEST(tells_host_memory_from_the_room_between),
};

int memory_suite_register(void)
{
    return support_register("memory", tests, SUPPORT_COUNT(tests));
}
