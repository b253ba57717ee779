#include "runtime/compile/compile_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/compile/diagnostics.h"
#include "runtime/compile/headers.h"
#include "runtime/compile/includes.h"
#include "runtime/compile/nvrtc.h"

/* What the cache keeps. A change of the fixed options, this layout, the log's parser or advice.def needs a new
 * number. */
static const char cache_format[] = "compiled 8";
struct stored {
    uint64_t ptx_bytes, diagnostic_count, seen_bytes, seen_unknown;
};

bool compile_has_option(const lockstep_compile_request *request, const char *long_name, const char *short_name)
{
    for (size_t at = 0; at < request->option_count; at++)
        if (strncmp(request->options[at], long_name, strlen(long_name)) == 0
            || strncmp(request->options[at], short_name, strlen(short_name)) == 0)
            return true;
    return false;
}

/* Does the result depend on the request and the compiler alone? */
static bool is_cacheable(const lockstep_compile_request *request)
{
    if (compile_has_option(request, "--include-path", "-I") || compile_has_option(request, "--pre-include", "-include"))
        return false;
    return includes_scan(request->source, request->source_bytes, request->file_name, true).cacheable;
}

bool compile_cache_key(const lockstep_compile_request *request, struct cache_key *key)
{
    enum { FIXED = 6 };
    struct nvrtc_identity identity;
    char folder[4096] = "", numbers[64];
    /* NVRTC writes absolute names into the line table, so a relative name gives a different result in each folder */
    if (request->file_name[0] != '/' && !getcwd(folder, sizeof folder))
        return false;
    if (!is_cacheable(request) || !nvrtc_identify(&identity))
        return false;
    const char *const *names, *const *texts;
    int header_count;
    headers_get(false, &names, &texts, &header_count);
    size_t part_count = FIXED + request->option_count + 2 * (size_t)header_count;
    struct cache_part *parts = malloc(part_count * sizeof *parts);
    if (!parts)
        return false;
    int digits = snprintf(numbers, sizeof numbers, "%d %d %zu %zu", request->major, request->minor, request->option_count,
                          sizeof(lockstep_diagnostic));
    struct cache_part *part = parts;
    *part++ = (struct cache_part){cache_format, sizeof cache_format};
    *part++ = (struct cache_part){&identity, sizeof identity};
    *part++ = (struct cache_part){numbers, (size_t)digits};
    *part++ = (struct cache_part){request->source, request->source_bytes};
    *part++ = (struct cache_part){request->file_name, strlen(request->file_name)};
    *part++ = (struct cache_part){folder, strlen(folder)};
    for (size_t at = 0; at < request->option_count; at++)
        *part++ = (struct cache_part){request->options[at], strlen(request->options[at])};
    for (int at = 0; at < header_count; at++) {
        *part++ = (struct cache_part){names[at], strlen(names[at])};
        *part++ = (struct cache_part){texts[at], strlen(texts[at])};
    }
    cache_key_make(parts, part_count, key);
    free(parts);
    return true;
}

bool compile_cache_load(const struct cache_key *key, lockstep_compiled *compiled)
{
    uint8_t *payload;
    size_t bytes;
    struct stored head;
    if (!cache_load(key, &payload, &bytes))
        return false;
    bool good = false;
    if (bytes >= sizeof head) {
        memcpy(&head, payload, sizeof head);
        size_t rest = bytes - sizeof head;
        good = head.diagnostic_count <= DIAGNOSTICS_MAX && head.ptx_bytes <= rest && head.seen_bytes <= rest
               && rest - head.ptx_bytes == head.diagnostic_count * sizeof(lockstep_diagnostic) + head.seen_bytes;
    }
    char *ptx = good ? malloc(head.ptx_bytes + 1) : NULL;
    char *seen = good && head.seen_bytes > 0 ? malloc(head.seen_bytes + 1) : NULL;
    lockstep_diagnostic *diagnostics = good ? malloc((head.diagnostic_count + 1) * sizeof *diagnostics) : NULL;
    if (!ptx || !diagnostics || (!seen && head.seen_bytes > 0)) {
        free(payload);
        free(ptx);
        free(seen);
        free(diagnostics);
        return false;
    }
    size_t diagnostic_bytes = head.diagnostic_count * sizeof *diagnostics;
    memcpy(diagnostics, payload + sizeof head, diagnostic_bytes);
    memcpy(ptx, payload + sizeof head + diagnostic_bytes, head.ptx_bytes);
    ptx[head.ptx_bytes] = '\0';
    if (seen) {
        memcpy(seen, payload + sizeof head + diagnostic_bytes + head.ptx_bytes, head.seen_bytes);
        seen[head.seen_bytes] = '\0';
    }
    free(payload);
    *compiled = (lockstep_compiled){.ptx = ptx,
                                    .ptx_bytes = head.ptx_bytes,
                                    .diagnostics = diagnostics,
                                    .diagnostic_count = head.diagnostic_count,
                                    .from_cache = true,
                                    .seen = seen,
                                    .seen_unknown = head.seen_unknown != 0};
    return true;
}

void compile_cache_store(const struct cache_key *key, const lockstep_compiled *compiled)
{
    struct stored head = {compiled->ptx_bytes, compiled->diagnostic_count, compiled->seen ? strlen(compiled->seen) : 0,
                          compiled->seen_unknown};
    size_t diagnostic_bytes = compiled->diagnostic_count * sizeof *compiled->diagnostics;
    size_t bytes = sizeof head + diagnostic_bytes + compiled->ptx_bytes + head.seen_bytes;
    uint8_t *payload = malloc(bytes);
    if (!payload)
        return;
    memcpy(payload, &head, sizeof head);
    if (diagnostic_bytes > 0)
        memcpy(payload + sizeof head, compiled->diagnostics, diagnostic_bytes);
    memcpy(payload + sizeof head + diagnostic_bytes, compiled->ptx, compiled->ptx_bytes);
    if (head.seen_bytes > 0)
        memcpy(payload + sizeof head + diagnostic_bytes + compiled->ptx_bytes, compiled->seen, head.seen_bytes);
    cache_store(key, payload, bytes);
    free(payload);
}

bool lockstep_compile_find_cached(const lockstep_compile_request *request, lockstep_compiled *compiled)
{
    struct cache_key key;
    memset(compiled, 0, sizeof *compiled);
    return compile_cache_key(request, &key) && compile_cache_load(&key, compiled);
}

void lockstep_compile_keep(const lockstep_compile_request *request, const lockstep_compiled *compiled)
{
    struct cache_key key;
    if (compiled->ptx && !compiled->from_cache && compile_cache_key(request, &key))
        compile_cache_store(&key, compiled);
}
