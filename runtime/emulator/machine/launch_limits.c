#include "runtime/emulator/machine/launch_limits.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/language/demangle.h"

enum launch_status launch_limits_refuse(struct launch *launch, enum launch_status status, const char *format, ...)
{
    struct finding finding = {.code = FINDING_launch, .severity = SEVERITY_ERROR, .count = 1};
    va_list arguments;
    demangle_function(launch->request->function->name, finding.kernel, sizeof finding.kernel);
    va_start(arguments, format);
    vsnprintf(finding.message, sizeof finding.message, format, arguments);
    va_end(arguments);
    if (launch->request->refusal)
        *launch->request->refusal = finding;
    else
        finding_report(&finding);
    return status;
}

static enum launch_status check_dimensions(struct launch *launch)
{
    static const char axis[] = "xyz";
    const struct launch_request *request = launch->request;
    const struct profile *profile = request->profile;
    for (int i = 0; i < 3; i++) {
        if (!request->block[i] || !request->grid[i])
            return launch_limits_refuse(
                launch, LAUNCH_REFUSED, "the launch has no threads: grid (%u, %u, %u), block (%u, %u, %u)", request->grid[0],
                request->grid[1], request->grid[2], request->block[0], request->block[1], request->block[2]);
        if (request->block[i] > profile->max_block[i])
            return launch_limits_refuse(launch, LAUNCH_REFUSED, "a block of %u threads in %c; this device allows %u",
                                        request->block[i], axis[i], profile->max_block[i]);
        if (request->grid[i] > profile->max_grid[i])
            return launch_limits_refuse(launch, LAUNCH_REFUSED, "a grid of %u blocks in %c; this device allows %u",
                                        request->grid[i], axis[i], profile->max_grid[i]);
    }
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2];
    if (threads > profile->max_threads_per_block)
        return launch_limits_refuse(launch, LAUNCH_REFUSED, "a block of %llu threads; this device allows %u",
                                    (unsigned long long)threads, profile->max_threads_per_block);
    launch->threads_per_block = (uint32_t)threads;
    launch->warps_per_block = (launch->threads_per_block + WARP_LANES - 1) / WARP_LANES;
    return LAUNCH_OK;
}

/* Writes ". The largest: tile_a 32768, tile_b 4096" of the kernel's arrays with a size; "" where it has none. */
static void name_shared_arrays(const struct program_function *function, char *text, size_t text_bytes)
{
    enum { NAMED_MOST = 4 };
    const struct code *code = &function->program->code[function->index];
    bool named[64] = {false};
    size_t count = code->shared_count < sizeof named / sizeof *named ? code->shared_count : sizeof named / sizeof *named;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < NAMED_MOST && used < text_bytes; i++) {
        size_t largest = count;
        for (size_t k = 0; k < count; k++)
            if (!named[k] && !code->shared[k].dynamic
                && (largest == count || code->shared[k].bytes > code->shared[largest].bytes))
                largest = k;
        if (largest == count)
            break;
        char name[64];
        demangle_variable(code->shared[largest].variable->name, name, sizeof name);
        named[largest] = true;
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s %u", used > 0 ? ", " : ". The largest: ", name,
                                 code->shared[largest].bytes);
    }
}

static enum launch_status check_bounds_of_kernel(struct launch *launch)
{
    const struct launch_request *request = launch->request;
    const struct program_function *function = request->function;
    if (function->max_threads && launch->threads_per_block > function->max_threads)
        return launch_limits_refuse(launch, LAUNCH_REFUSED, "a block of %u threads; the kernel's __launch_bounds__ allow %u",
                                    launch->threads_per_block, function->max_threads);
    for (int i = 0; i < 3; i++)
        if (function->required_threads[0] && request->block[i] != function->required_threads[i])
            return launch_limits_refuse(
                launch, LAUNCH_REFUSED, "a block of (%u, %u, %u) threads; the kernel requires (%u, %u, %u)",
                request->block[0], request->block[1], request->block[2], function->required_threads[0],
                function->required_threads[1], function->required_threads[2]);
    const struct profile *profile = request->profile;
    uint64_t shared = (uint64_t)function->shared_bytes + request->dynamic_shared_bytes, allowed = profile->shared_per_block;
    if (request->dynamic_shared_limit)
        allowed = (uint64_t)function->shared_bytes + request->dynamic_shared_limit;
    if (allowed > profile->shared_per_block_optin)
        allowed = profile->shared_per_block_optin;
    if (shared <= allowed)
        return LAUNCH_OK;
    char arrays[400];
    name_shared_arrays(function, arrays, sizeof arrays);
    return launch_limits_refuse(launch, LAUNCH_REFUSED,
                                "%llu bytes of shared memory per block (%u static, %u dynamic); the limit is %llu%s",
                                (unsigned long long)shared, function->shared_bytes, request->dynamic_shared_bytes,
                                (unsigned long long)allowed, arrays);
}

uint64_t launch_limits_shared(uint64_t bytes)
{
    enum { GRANULE = 128 };
    return (bytes + GRANULE - 1) / GRANULE * GRANULE;
}

uint32_t launch_limits_blocks(const struct program_function *function, const struct profile *profile, uint32_t threads,
                              uint32_t dynamic_shared_bytes)
{
    uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    if (!threads || threads > profile->max_threads_per_block)
        return 0;
    uint32_t blocks = profile->max_threads_per_sm / (warps * WARP_LANES);
    uint32_t registers = (function->register_count + 7) / 8 * 8 * warps * WARP_LANES;
    uint64_t shared = (uint64_t)function->shared_bytes + dynamic_shared_bytes + profile->shared_reserved_per_block;
    shared = launch_limits_shared(shared);
    if (registers && profile->registers_per_sm / registers < blocks)
        blocks = profile->registers_per_sm / registers;
    if (shared && profile->shared_per_sm / shared < blocks)
        blocks = (uint32_t)(profile->shared_per_sm / shared);
    return blocks < profile->max_blocks_per_sm ? blocks : profile->max_blocks_per_sm;
}

/* The launch may leave to the kernel how large clusters are, but not contradict it. */
static enum launch_status check_cluster(struct launch *launch)
{
    const struct launch_request *request = launch->request;
    const uint32_t *required = request->function->required_cluster, *size = launch->cluster, *grid = request->grid;
    for (int i = 0; i < 3; i++) {
        if (required[0] && size[i] != required[i])
            return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                        "clusters of (%u, %u, %u) blocks; the kernel's __cluster_dims__ are (%u, %u, %u)",
                                        size[0], size[1], size[2], required[0], required[1], required[2]);
        if (grid[i] % size[i])
            return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                        "a grid of (%u, %u, %u) blocks cannot be divided into clusters of (%u, %u, %u)",
                                        grid[0], grid[1], grid[2], size[0], size[1], size[2]);
    }
    uint64_t blocks = (uint64_t)size[0] * size[1] * size[2];
    if (request->function->explicit_cluster && !required[0] && !request->cluster[0])
        return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                    "no size of clusters; the kernel (.explicitcluster) wants the launch to give it");
    if (request->function->max_cluster && blocks > request->function->max_cluster)
        return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                    "a cluster of %llu blocks; the kernel (.maxclusterrank) allows %u",
                                    (unsigned long long)blocks, request->function->max_cluster);
    if (blocks > 1 && request->profile->major < 9)
        return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                    "clusters need compute capability 9.0; this device has %d.%d (LOCKSTEP_GPU=9.0)",
                                    request->profile->major, request->profile->minor);
    if (blocks > CLUSTER_MOST_BLOCKS)
        return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER, "a cluster of %llu blocks; %d are possible",
                                    (unsigned long long)blocks, CLUSTER_MOST_BLOCKS);
    if (blocks > 1 && request->function->program->shared_slots > CLUSTER_SLOTS)
        return launch_limits_refuse(launch, LAUNCH_BAD_CLUSTER,
                                    "a module with %u shared arrays; the emulated driver runs clusters of modules with "
                                    "%d at most",
                                    request->function->program->shared_slots, CLUSTER_SLOTS);
    launch->cluster_blocks = (uint32_t)blocks;
    return LAUNCH_OK;
}

static enum launch_status check_cooperative(struct launch *launch, uint64_t blocks)
{
    const struct launch_request *request = launch->request;
    uint64_t fit = (uint64_t)request->profile->multiprocessors
                   * launch_limits_blocks(request->function, request->profile, launch->threads_per_block,
                                          request->dynamic_shared_bytes);
    if (request->cooperative && blocks > fit)
        return launch_limits_refuse(launch, LAUNCH_TOO_LARGE,
                                    "a cooperative grid of %llu blocks; %llu fit on this device at once",
                                    (unsigned long long)blocks, (unsigned long long)fit);
    return LAUNCH_OK;
}

enum launch_status launch_limits_apply(struct launch *launch)
{
    const struct launch_request *request = launch->request;
    const uint32_t *required = request->function->required_cluster;
    launch->blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    for (int i = 0; i < 3; i++)
        launch->cluster[i] = request->cluster[0] ? request->cluster[i] : required[0] ? required[i] : 1;
    launch->cluster_blocks = 1;
    enum launch_status status = check_dimensions(launch);
    if (status == LAUNCH_OK)
        status = check_bounds_of_kernel(launch);
    if (status == LAUNCH_OK)
        status = check_cluster(launch);
    if (status == LAUNCH_OK)
        status = check_cooperative(launch, launch->blocks);
    return status;
}

enum launch_status launch_limits_check(const struct launch_request *request)
{
    struct launch launch = {.request = request};
    return launch_limits_apply(&launch);
}
