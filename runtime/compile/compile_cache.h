/* Compiled modules in the cache: what a key covers, and how an entry stores a result. Internal to the runtime. */
#ifndef RUNTIME_COMPILE_CACHE_H
#define RUNTIME_COMPILE_CACHE_H

#include <stdbool.h>

#include "runtime/compile/cache.h"
#include "runtime/lockstep.h"

/* Does the request have an option that starts with either name? */
bool compile_has_option(const lockstep_compile_request *request, const char *long_name, const char *short_name);

/* The key of source, file name, architecture, options, stand-in headers and compiler. The compiler is identified by path,
 * size, time and inode of its file, so that a hit need not load it. Returns false when the request cannot be cached (it
 * depends on the user's own files), or when the compiler's file is not known without loading it. */
bool compile_cache_key(const lockstep_compile_request *request, struct cache_key *key);

/* On true the caller owns `compiled`: lockstep_compiled_clear(). */
bool compile_cache_load(const struct cache_key *key, lockstep_compiled *compiled);
void compile_cache_store(const struct cache_key *key, const lockstep_compiled *compiled);

#endif
