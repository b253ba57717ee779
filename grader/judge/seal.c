#include "grader/judge/seal.h"

#include <jansson.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/compile/fingerprint.h"
#include "grader/lab/kit.h"

#define BYTES_MAX (64u << 20)

/* A file is the heading, the hash of the content, and the content under a stream that the hash begins: the same content gives
 * the same file, and a changed byte anywhere shows. */
static const char heading[] = "Lockstep: a lab's sealed reference, form 1\n";
enum { HEADING_BYTES = sizeof heading - 1, HASH_BYTES = SHA256_DIGEST_LENGTH, START_BYTES = HEADING_BYTES + HASH_BYTES };

static const char *const role_names[SEAL_ROLES] = {"skeleton", "solution", "fast", "variant"};

static void hash_content(const struct lab *lab, const char *content, size_t bytes, uint8_t hash[HASH_BYTES])
{
    SHA256_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)lab->name, strlen(lab->name) + 1);
    SHA256Update(&context, (const uint8_t *)content, bytes);
    SHA256Final(hash, &context);
}

/* Covers or uncovers the content in place. */
static void apply_stream(const uint8_t hash[HASH_BYTES], uint8_t *content, size_t bytes)
{
    uint8_t stream[HASH_BYTES];
    for (size_t i = 0; i < bytes; i++) {
        uint64_t block = i / HASH_BYTES;
        if (i % HASH_BYTES == 0) {
            SHA256_CTX context;
            SHA256Init(&context);
            SHA256Update(&context, (const uint8_t *)heading, HEADING_BYTES);
            SHA256Update(&context, hash, HASH_BYTES);
            SHA256Update(&context, (const uint8_t *)&block, sizeof block);
            SHA256Final(stream, &context);
        }
        content[i] ^= stream[i % HASH_BYTES];
    }
}

/* ---- opening -------------------------------------------------------------------------------------------------------- */

static bool take_file(const json_t *entry, struct seal *seal)
{
    const char *role = NULL, *path = NULL, *sha256 = NULL, *text = NULL, *ptx = NULL;
    size_t ptx_bytes = 0;
    json_t *prints = NULL;
    if (json_unpack((json_t *)entry, "{s:s, s:s, s:s, s:o, s?s, s?s%}", "role", &role, "path", &path, "sha256", &sha256,
                    "fingerprint", &prints, "text", &text, "ptx", &ptx, &ptx_bytes)
        != 0)
        return false;
    seal->files = allocate_grown(seal->files, &seal->capacity, seal->count + 1, sizeof *seal->files);
    struct seal_file *file = &seal->files[seal->count++];
    *file = (struct seal_file){.role = SEAL_ROLES};
    for (int i = 0; i < SEAL_ROLES; i++)
        if (strcmp(role, role_names[i]) == 0)
            file->role = (enum seal_role)i;
    file->path = allocate_text(path, strlen(path));
    snprintf(file->sha256, sizeof file->sha256, "%s", sha256);
    file->text = text ? allocate_text(text, strlen(text)) : NULL;
    file->ptx = ptx ? allocate_text(ptx, ptx_bytes) : NULL;
    file->ptx_bytes = ptx_bytes;
    file->prints = fingerprint_read(prints, &file->print_count);
    return file->role != SEAL_ROLES;
}

static bool take_content(const struct lab *lab, const char *content, size_t bytes, struct seal *seal)
{
    json_t *document = json_loadb(content, bytes, 0, NULL), *files = NULL;
    const char *name = NULL;
    bool good = document
                && json_unpack(document, "{s:s, s:i, s:o}", "lab", &name, "nvrtc", &seal->nvrtc, "files", &files) == 0
                && strcmp(name, lab->name) == 0;
    for (size_t i = 0; good && i < json_array_size(files); i++)
        good = take_file(json_array_get(files, i), seal);
    json_decref(document);
    return good;
}

enum seal_status seal_open(const struct lab *lab, struct seal *seal, char *message, size_t message_bytes)
{
    char path[KIT_PATH_BYTES];
    size_t bytes = 0;
    uint8_t hash[HASH_BYTES];
    memset(seal, 0, sizeof *seal);
    kit_lab_part(lab, KIT_SEAL, path);
    if (access(path, F_OK) != 0)
        return SEAL_ABSENT;
    char *whole = files_read(path, BYTES_MAX, &bytes, message, message_bytes);
    if (!whole)
        return SEAL_UNUSABLE;
    bool good = bytes > START_BYTES && memcmp(whole, heading, HEADING_BYTES) == 0;
    if (good) {
        apply_stream((const uint8_t *)whole + HEADING_BYTES, (uint8_t *)whole + START_BYTES, bytes - START_BYTES);
        hash_content(lab, whole + START_BYTES, bytes - START_BYTES, hash);
        good = memcmp(hash, whole + HEADING_BYTES, HASH_BYTES) == 0
               && take_content(lab, whole + START_BYTES, bytes - START_BYTES, seal);
    }
    free(whole);
    if (!good)
        snprintf(message, message_bytes,
                 "%s is damaged, or was made for another lab or another version of the kit. Unpack the kit's archive again.",
                 path);
    return good ? SEAL_OPENED : SEAL_UNUSABLE;
}

void seal_clear(struct seal *seal)
{
    for (size_t i = 0; i < seal->count; i++) {
        free(seal->files[i].path);
        free(seal->files[i].text);
        free(seal->files[i].ptx);
        free(seal->files[i].prints);
    }
    free(seal->files);
    memset(seal, 0, sizeof *seal);
}

const struct seal_file *seal_find(const struct seal *seal, enum seal_role role)
{
    for (size_t i = 0; i < seal->count; i++)
        if (seal->files[i].role == role)
            return &seal->files[i];
    return NULL;
}

/* ---- writing -------------------------------------------------------------------------------------------------------- */

static json_t *file_json(const struct seal_file *file)
{
    json_t *entry = json_pack("{s:s, s:s, s:s, s:o}", "role", role_names[file->role], "path", file->path, "sha256",
                              file->sha256, "fingerprint", fingerprint_json(file->prints, file->print_count));
    if (entry && file->text && json_object_set_new(entry, "text", json_string(file->text)) != 0) {
        json_decref(entry);
        return NULL;
    }
    if (entry && file->ptx && json_object_set_new(entry, "ptx", json_stringn(file->ptx, file->ptx_bytes)) != 0) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

bool seal_write(const struct lab *lab, const struct seal *seal, const char *path, char *message, size_t message_bytes)
{
    json_t *files = json_array(), *document;
    for (size_t i = 0; i < seal->count; i++) {
        json_t *entry = file_json(&seal->files[i]);
        if (!entry) {
            snprintf(message, message_bytes, "%s: it cannot be sealed, because it is not valid UTF-8. Correct the file.",
                     seal->files[i].path);
            json_decref(files);
            return false;
        }
        json_array_append_new(files, entry);
    }
    document = json_pack("{s:s, s:i, s:o}", "lab", lab->name, "nvrtc", seal->nvrtc, "files", files);
    char *content = json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS);
    size_t bytes = strlen(content);
    char *whole = allocate_zeroed(START_BYTES + bytes);
    memcpy(whole, heading, HEADING_BYTES);
    hash_content(lab, content, bytes, (uint8_t *)whole + HEADING_BYTES);
    memcpy(whole + START_BYTES, content, bytes);
    apply_stream((const uint8_t *)whole + HEADING_BYTES, (uint8_t *)whole + START_BYTES, bytes);
    bool good = files_write(path, whole, START_BYTES + bytes, message, message_bytes) != FILES_FAILED;
    free(whole);
    free(content);
    json_decref(document);
    return good;
}
