/* The cache of compiled modules on disk: content-addressed, shared by processes, never needed. Internal to the runtime.
 *
 * Folder: LOCKSTEP_CACHE ("none": no cache), else $XDG_CACHE_HOME/lockstep, else $HOME/.cache/lockstep. An entry is one
 * file, named by its key, in one of 16 subfolders (the key's first digit): magic, size, SHA-256, payload. It is written to
 * a temporary file and renamed, so a reader sees a whole entry or none; one that is damaged anyway fails its checksum and
 * counts as absent. Failures are not reported: without a cache everything works, only more slowly.
 *
 * SHA-256 comes from libmd: 60 KB, and part of every Debian because dpkg needs it. libcrypto would add 5 MB and its own
 * configuration files to every start.
 */
#ifndef RUNTIME_CACHE_H
#define RUNTIME_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CACHE_PATH_BYTES        512
#define CACHE_LIMIT_BYTES       (UINT64_C(256) << 20) /* all entries together */
#define CACHE_MAX_PAYLOAD_BYTES (UINT64_C(32) << 20)

struct cache_key {
    char text[65]; /* SHA-256 in hexadecimal */
};

/* One piece of what a key covers: bytes of any kind. */
struct cache_part {
    const void *bytes;
    size_t count;
};

/* The key of parts[part_count]; the lengths count too, so that no two different lists yield the same key. */
void cache_key_make(const struct cache_part *parts, size_t part_count, struct cache_key *key);

/* Writes the cache's folder. Returns false when there is none: LOCKSTEP_CACHE=none, or no home. Creates nothing. */
bool cache_folder(char folder[CACHE_PATH_BYTES]);

/* Reads the entry of `key`. On true the caller owns payload[*bytes]: free(). */
bool cache_load(const struct cache_key *key, uint8_t **payload, size_t *bytes);

/* Writes the entry of `key`, replacing any that exists, and removes old entries beyond the limit. */
void cache_store(const struct cache_key *key, const void *payload, size_t bytes);

/* Removes the least recently used entries from `folder` until `limit_bytes` are left, and temporary files that a crash left
 * an hour ago or earlier. Entries of the last minute stay. */
void cache_trim(const char *folder, uint64_t limit_bytes);

#endif
