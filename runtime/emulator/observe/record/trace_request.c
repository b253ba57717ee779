#include "runtime/emulator/observe/record/trace_request.h"

#include <string.h>

#include "runtime/base/json.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/footprint.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/observe/counters/site.h"

static struct trace_reached find_shared(const struct warp *warp, uint32_t address, int64_t *offset)
{
    const struct launch *launch = warp->launch;
    const struct shared_array *array = access_find_shared(launch, address);
    if (!array)
        return (struct trace_reached){.shared = true};
    uint64_t first = access_shared_base(launch, array);
    *offset = (int64_t)(address & ((1u << SHARED_SLOT_BITS) - 1)) - SHARED_SLOT_BASE;
    return (struct trace_reached){.identity = array,
                                  .host = warp->block->shared + first,
                                  .first = first,
                                  .shared = true,
                                  .bytes = access_shared_bytes(launch, array)};
}

static struct trace_reached find_array(const struct warp *warp, const struct memory_site *site, uint64_t address,
                                       int64_t *offset)
{
    if (site->space == SITE_SHARED || (site->space == SITE_GENERIC && (address & WINDOW_MASK) == SHARED_WINDOW))
        return find_shared(warp, (uint32_t)address, offset);
    const struct memory_allocation *allocation = memory_find(warp->launch->request->memory, address);
    if (!allocation || allocation->freed || (address & WINDOW_MASK) == LOCAL_WINDOW)
        return (struct trace_reached){0};
    *offset = (int64_t)(address - allocation->address);
    return (struct trace_reached){.identity = allocation, .host = allocation->host, .bytes = allocation->bytes};
}

void trace_request_find(const struct warp *warp, const struct operation *operation, struct trace_request *request)
{
    const struct memory_site *site = operation->site;
    request->present = access_is_request(operation);
    if (!request->present)
        return;
    request->site = site;
    request->lanes = 0;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t address = warp_value(warp, operation->a, !site->address_in_r, lane) + (uint64_t)site->offset;
        request->address[lane] = site->address_in_r ? (uint32_t)address : address;
        request->reached[lane] = find_array(warp, site, request->address[lane], &request->offset[lane]);
        request->lanes |= request->reached[lane].identity ? 1u << lane : 0;
    }
}

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

/* TRACE_MAX_ARRAYS: not among them. */
static unsigned find_number(const struct trace_arrays *arrays, const struct trace_reached *reached)
{
    for (unsigned i = 0; i < arrays->count; i++)
        if (arrays->identity[i] == reached->identity)
            return i;
    return TRACE_MAX_ARRAYS;
}

static void write_array(const struct launch *launch, const struct trace_reached *reached, unsigned number, unsigned bytes,
                        FILE *file)
{
    struct finding named = {0};
    struct json_line line;
    if (reached->shared) {
        const struct shared_array *array = reached->identity;
        launch->words->name_variable(launch, array->variable, reached->bytes, bytes, &named);
    } else {
        const struct memory_allocation *allocation = reached->identity;
        const struct warp of_launch = {.launch = (struct launch *)launch};
        access_name_array(&of_launch, allocation, &named);
        named.columns = (int64_t)allocation->columns;
    }
    json_line_begin(&line);
    json_line_text(&line, "kind", "array");
    json_line_integer(&line, "launch", (int64_t)finding_launch_count());
    json_line_integer(&line, "array", number);
    json_line_text(&line, "name", named.array);
    json_line_text(&line, "space", reached->shared ? "shared" : "global");
    json_line_integer(&line, "bytes", (int64_t)reached->bytes);
    json_line_integer(&line, "first", (int64_t)reached->first);
    json_line_integer(&line, "element_bytes", bytes);
    json_line_integer(&line, "columns", named.columns > 0 ? named.columns : 0);
    const char *type = launch->words->element_type(launch, named.array);
    if (type)
        json_line_text(&line, "type", type);
    else
        json_line_null(&line, "type");
    json_line_end(&line, file);
}

void trace_request_name(const struct launch *launch, const struct trace_request *request, struct trace_arrays *arrays,
                        FILE *file)
{
    for (uint32_t rest = request->lanes; rest; rest &= rest - 1) {
        const struct trace_reached *reached = &request->reached[__builtin_ctz(rest)];
        if (arrays->count == TRACE_MAX_ARRAYS || find_number(arrays, reached) != TRACE_MAX_ARRAYS)
            continue;
        arrays->identity[arrays->count] = reached->identity;
        write_array(launch, reached, arrays->count++, request->site->bytes, file);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* The fewest sectors that could hold the distinct elements. */
static unsigned ideal_sectors(const uint64_t address[WARP_LANES], uint32_t lanes, unsigned bytes)
{
    unsigned distinct = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), other = 0;
        while (other < lane && (!(lanes >> other & 1) || address[other] != address[lane]))
            other++;
        distinct += other == lane;
    }
    return (distinct * bytes + 31) / 32;
}

static bool is_inside(const struct trace_reached *reached, const struct memory_site *site, int64_t offset)
{
    return offset >= 0 && (uint64_t)offset + site->request_bytes <= reached->bytes;
}

static void write_values(struct json_line *line, const struct trace_request *request, uint32_t lanes)
{
    const struct memory_site *site = request->site;
    json_line_open(line, "values", '[');
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint8_t *place = request->reached[lane].host + request->offset[lane];
        for (unsigned element = 0; element < site->vector; element++) {
            uint64_t value = 0;
            if (!is_inside(&request->reached[lane], site, request->offset[lane])) {
                json_line_null(line, NULL); /* suppressed */
                continue;
            }
            memcpy(&value, place + (size_t)element * site->bytes, site->bytes);
            json_line_integer(line, NULL, (int64_t)value);
        }
    }
    json_line_close(line, ']');
}

static void write_offsets(struct json_line *line, const struct trace_request *request, uint32_t lanes)
{
    json_line_open(line, "at", '[');
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        json_line_integer(line, NULL, request->offset[__builtin_ctz(rest)]);
    json_line_close(line, ']');
}

/* The lanes that meet in the bank that takes most passes: of different words there, or, of an atomic, of any. 0: none do. */
static uint32_t colliding_lanes(const uint64_t offset[WARP_LANES], uint32_t lanes, bool is_atomic)
{
    uint32_t worst = 0;
    int most = 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t same = 0, words = 0; /* lanes of the bank; the first lane of each word in it */
        for (uint32_t others = lanes; others; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others), first = 0;
            if ((offset[lane] / 4 - offset[__builtin_ctz(rest)] / 4) % 32 != 0)
                continue;
            while (first < lane && (!(words >> first & 1) || offset[first] / 4 != offset[lane] / 4))
                first++;
            words |= first == lane || is_atomic ? 1u << lane : 0;
            same |= 1u << lane;
        }
        if (__builtin_popcount(words) > most) {
            most = __builtin_popcount(words);
            worst = same;
        }
    }
    return worst;
}

/* Sectors of device memory, wavefronts of shared memory; the fewest possible for that width; who is to blame. */
static void write_cost(struct json_line *line, const struct trace_request *request, uint32_t lanes)
{
    const struct memory_site *site = request->site;
    const struct trace_reached *reached = &request->reached[__builtin_ctz(lanes)];
    uint64_t offset[WARP_LANES] = {0};
    unsigned units, ideal;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        offset[lane] = (uint64_t)request->offset[lane] + reached->first;
    }
    if (reached->shared) {
        units = footprint_wavefronts(offset, lanes, site->request_bytes, site_is_atomic(site), &ideal);
    } else {
        units = footprint_sectors(request->address, lanes, site->request_bytes);
        ideal = ideal_sectors(request->address, lanes, site->request_bytes);
    }
    json_line_integer(line, "units", units);
    json_line_integer(line, "ideal", ideal);
    json_line_integer(line, "colliding", reached->shared ? colliding_lanes(offset, lanes, site_is_atomic(site)) : 0);
}

static const char *kind_of(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "write" : "atomic";
}

void trace_request_write(const struct trace_request *request, const struct trace_arrays *arrays, struct json_line *line)
{
    const struct memory_site *site = request->site;
    for (uint32_t rest = request->lanes, same; rest; rest &= ~same) {
        const struct trace_reached *reached = &request->reached[__builtin_ctz(rest)];
        unsigned number = find_number(arrays, reached);
        same = 0;
        for (uint32_t others = rest; others; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            same |= request->reached[lane].identity == reached->identity ? 1u << lane : 0;
        }
        if (number == TRACE_MAX_ARRAYS)
            continue;
        json_line_open(line, NULL, '{');
        json_line_text(line, "kind", kind_of(site));
        json_line_integer(line, "array", number);
        json_line_text(line, "type", ptx_type_name(site->type));
        json_line_integer(line, "bytes", site->bytes);
        json_line_integer(line, "elements", site->vector);
        json_line_integer(line, "lanes", same);
        write_offsets(line, request, same);
        write_values(line, request, same);
        write_cost(line, request, same);
        json_line_close(line, '}');
    }
}
