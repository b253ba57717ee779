#include "runtime/emulator/observe/counters/locality.h"

#include <stdlib.h>

#include "runtime/base/json.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/counters/site.h"

enum {
    TABLE_BITS = 16,
    TABLE_FULL = 1 << (TABLE_BITS - 1), /* sectors of a group; later ones are ignored */
    MOST_REQUESTS = 1 << 16,            /* of a launch: bounds the cost */
    SECTOR_BYTES = 32,
    SECTORS_A_LINE = 4,
    SECTORS_A_GRANULE = 16, /* 512 bytes: atomic operations on them go through one unit (on an H200) */
    GRANULES = 1 << 10,
    ATOMIC_SITES = 16,
    GROUP = 32, /* blocks */
    LEVEL_1_SECTORS = 8192,
    SIZES = 5, /* of level-1 caches that are looked at: 32, 128 ... sectors */
};

enum { LOADED = 1, STORED = 2 };

/* A sector that the group has touched. An entry of an older group is free. */
struct sector {
    uint64_t number; /* address / 32 */
    uint32_t group;
    uint32_t loaded_in; /* the latest block that read it, from 1 */
    uint32_t loaded_at; /* clock then */
    uint32_t passes;    /* of atomic requests */
    uint32_t written;   /* one bit per byte */
    uint8_t touched;    /* LOADED, STORED */
};

/* Atomic operations of one instruction. Where all lanes meet at one address whenever it is executed, the address is the
 * same for all by construction; ptxas then sums the lanes first, if they are integers. */
struct atomic_site {
    const struct memory_site *site;
    uint64_t requests, together, passes;
};

struct granule {
    uint64_t number;
    uint64_t passes; /* 0: free */
};

/* A request's share of one sector. */
struct part {
    uint64_t number;
    uint32_t written;
    uint32_t passes; /* most lanes with one address */
};

struct locality {
    uint32_t group;               /* number of the current group, from 1 */
    uint32_t sectors;             /* of it, in the table */
    uint32_t left;                /* requests until the sample is large enough */
    uint64_t group_passes, clock; /* sectors that a cache of 32 would have fetched */
#define SAMPLE(name) uint64_t name;
#include "runtime/emulator/observe/counters/sample.def"
#undef SAMPLE
    double busiest_share; /* largest share of a group's atomic passes that went to 512 bytes */
    struct atomic_site sites[ATOMIC_SITES];
    struct granule granules[GRANULES];
    struct sector table[1 << TABLE_BITS];
};

static struct locality *sample; /* of the launch that runs; NULL: nothing is looked at */

void locality_begin(void)
{
    sample = calloc(1, sizeof *sample);
    if (sample)
        sample->left = MOST_REQUESTS;
}

void locality_end(void)
{
    free(sample);
    sample = NULL;
}

bool locality_looks_at(uint64_t block, uint64_t blocks)
{
    uint64_t group = block / GROUP, groups = (blocks + GROUP - 1) / GROUP;
    return sample && (group == 0 || group == groups / 2);
}

static struct sector *find(struct locality *locality, uint64_t number)
{
    uint64_t place = number * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS);
    for (;; place = (place + 1) % (1 << TABLE_BITS)) {
        struct sector *sector = &locality->table[place];
        if (sector->group != locality->group) {
            *sector = (struct sector){.number = number, .group = locality->group};
            locality->sectors++;
            locality->group_sectors++;
            return sector;
        }
        if (sector->number == number)
            return sector;
    }
}

/* Is the sector in the table, read by the group? */
static bool is_loaded(const struct locality *locality, uint64_t number)
{
    uint64_t place = number * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS);
    for (;; place = (place + 1) % (1 << TABLE_BITS)) {
        const struct sector *sector = &locality->table[place];
        if (sector->group != locality->group || sector->number == number)
            return sector->group == locality->group && sector->touched & LOADED;
    }
}

/* Passes are summed by granule until there are too many granules: then none is busy. */
static void add_passes(struct locality *locality, const struct sector *sector)
{
    uint64_t number = sector->number / SECTORS_A_GRANULE, place = number % GRANULES;
    for (unsigned tries = 0; tries < GRANULES / 2; tries++, place = (place + 1) % GRANULES) {
        struct granule *granule = &locality->granules[place];
        if (granule->passes && granule->number != number)
            continue;
        granule->number = number;
        granule->passes += sector->passes;
        return;
    }
}

static void end_group(struct locality *locality)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < 1 << TABLE_BITS && locality->sectors; i++) {
        const struct sector *sector = &locality->table[i];
        if (sector->group != locality->group)
            continue;
        locality->group_partial_sectors += sector->touched & STORED && !sector->passes && ~sector->written;
        if (sector->passes)
            add_passes(locality, sector);
    }
    for (unsigned i = 0; i < GRANULES && locality->group_passes; i++) {
        most = locality->granules[i].passes > most ? locality->granules[i].passes : most;
        locality->granules[i].passes = 0;
    }
    double share = locality->group_passes ? (double)most / (double)locality->group_passes : 0;
    locality->busiest_share = share > locality->busiest_share ? share : locality->busiest_share;
    locality->group_passes = locality->sectors = 0;
}

static void begin_group(struct locality *locality, uint32_t group)
{
    end_group(locality);
    locality->group = group;
}

/* The distinct sectors of a request, in the order of the lanes. Returns how many. */
static unsigned list_parts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, bool atomic,
                           struct part parts[2 * WARP_LANES])
{
    unsigned count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t first = address[__builtin_ctz(rest)], end = first + bytes;
        uint32_t same = 0;
        for (uint32_t others = rest; atomic && others; others &= others - 1)
            same += address[__builtin_ctz(others)] == first;
        for (uint64_t number = first / SECTOR_BYTES; number * SECTOR_BYTES < end; number++) {
            uint64_t from = first > number * SECTOR_BYTES ? first % SECTOR_BYTES : 0;
            uint64_t to = end < (number + 1) * SECTOR_BYTES ? end % SECTOR_BYTES : SECTOR_BYTES;
            unsigned i = count;
            while (i > 0 && parts[i - 1].number != number)
                i--;
            if (i == 0) {
                parts[count] = (struct part){.number = number};
                i = ++count;
            }
            parts[i - 1].written |= (uint32_t)((UINT64_C(1) << to) - (UINT64_C(1) << from));
            parts[i - 1].passes = same > parts[i - 1].passes ? same : parts[i - 1].passes;
        }
    }
    return count;
}

/* Lines of 128 bytes: the level-1 cache looks up one at a time. */
static unsigned count_lines(const struct part parts[], unsigned count)
{
    unsigned lines = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;
        while (before < i && parts[before].number / SECTORS_A_LINE != parts[i].number / SECTORS_A_LINE)
            before++;
        lines += before == i;
    }
    return lines;
}

static void note_load(struct locality *locality, const struct part *part, uint32_t block, unsigned *sizes, bool *far)
{
    struct sector *sector = find(locality, part->number);
    uint32_t since = sector->loaded_in == block ? (uint32_t)locality->clock - sector->loaded_at : UINT32_MAX;
    unsigned too_small = 0;
    while (too_small < SIZES && since > 32u << 2 * too_small)
        too_small++;
    locality->load_sectors++;
    locality->block_load_sectors += since > LEVEL_1_SECTORS;
    locality->clock += too_small > 0;
    *sizes = too_small > *sizes ? too_small : *sizes;
    sector->loaded_in = block;
    sector->loaded_at = (uint32_t)locality->clock;
    if (sector->touched & LOADED)
        return;
    sector->touched |= LOADED;
    locality->group_load_sectors++;
    if (!is_loaded(locality, part->number ^ 1)) {
        locality->group_load_pairs++;
        *far = true;
    }
}

static void note_store(struct locality *locality, const struct part *part, bool atomic)
{
    struct sector *sector = find(locality, part->number);
    if (atomic) {
        locality->atomic_sectors++;
        locality->group_passes += part->passes;
        sector->passes += part->passes;
    } else {
        locality->store_sectors++;
    }
    locality->group_store_sectors += !(sector->touched & STORED);
    sector->touched |= STORED;
    sector->written |= part->written;
}

static void note_atomic(struct locality *locality, const struct memory_site *site, const struct part parts[], unsigned count,
                        uint32_t mask)
{
    struct atomic_site *own = locality->sites;
    while (own < locality->sites + ATOMIC_SITES - 1 && own->site && own->site != site)
        own++;
    own->site = site;
    own->requests++;
    own->together += count == 1 && parts[0].passes == (uint32_t)__builtin_popcount(mask);
    for (unsigned i = 0; i < count; i++)
        own->passes += parts[i].passes;
}

void locality_request(const struct warp *warp, const struct memory_site *site, const uint64_t address[32], uint32_t mask)
{
    struct locality *locality = sample;
    struct part parts[2 * WARP_LANES];
    uint32_t group = (uint32_t)(warp->block->linear / GROUP) + 1, block = (uint32_t)warp->block->linear + 1;
    bool atomic = site_is_atomic(site);
    if (group != locality->group)
        begin_group(locality, group);
    if (!locality->left || locality->sectors >= TABLE_FULL)
        return;
    locality->left--;
    unsigned count = list_parts(address, mask, (unsigned)site->bytes * site->vector, atomic, parts);
    unsigned lines = count_lines(parts, count);
    locality->requests++;
    locality->lines += lines;
    unsigned sizes = 0; /* caches that are too small for the request */
    bool far = false;
    for (unsigned i = 0; i < count; i++) {
        if (site->access == SITE_LOAD)
            note_load(locality, &parts[i], block, &sizes, &far);
        else
            note_store(locality, &parts[i], atomic);
    }
    locality->load_requests += site->access == SITE_LOAD;
    locality->near_requests_32 += sizes > 0;
    locality->near_requests_128 += sizes > 1;
    locality->near_requests_512 += sizes > 2;
    locality->near_requests_2048 += sizes > 3;
    locality->near_requests_8192 += sizes > 4;
    locality->far_requests += far;
    if (site->access == SITE_STORE)
        locality->store_lines += lines;
    else if (atomic)
        note_atomic(locality, site, parts, count, mask);
}

static void add_up_atomics(struct locality *locality)
{
    for (unsigned i = 0; i < ATOMIC_SITES; i++) {
        const struct atomic_site *own = &locality->sites[i];
        bool added_first = own->site && own->together == own->requests && own->site->type != PTX_F32
                           && own->site->type != PTX_F64 && i < ATOMIC_SITES - 1;
        bool of_floats = own->site && (own->site->type == PTX_F32 || own->site->type == PTX_F64);
        locality->atomic_passes += added_first ? own->requests : own->passes;
        locality->float_passes += of_floats ? own->passes : 0;
    }
}

void locality_write(struct json_line *line)
{
    struct locality *locality = sample;
    if (!locality)
        return;
    end_group(locality);
    add_up_atomics(locality);
    if (!locality->requests)
        return;
    json_line_open(line, "sample", '{');
#define SAMPLE(name) json_line_integer(line, #name, (int64_t)locality->name);
#include "runtime/emulator/observe/counters/sample.def"
#undef SAMPLE
    json_line_real(line, "busiest_share", locality->busiest_share);
    json_line_close(line, '}');
}
