#include "grader/class/pseudonyms.h"

#include <errno.h>
#include <jansson.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/cluster/claims.h"

enum { KEY_CHARACTERS = 64, NAME_CHARACTERS = 10 };
#define LIST_BYTES_MAX (16u << 20)

/* No vowels, so no words; nothing that looks like another letter. */
static const char letters[] = "0123456789bcdfghjkmnpqrstvwxz";

static bool read_key(const char *path, char key[KEY_CHARACTERS + 1])
{
    char ignored[512];
    size_t bytes = 0;
    char *text = files_read(path, KEY_CHARACTERS, &bytes, ignored, sizeof ignored);
    bool good = text && bytes == KEY_CHARACTERS;
    if (good)
        memcpy(key, text, KEY_CHARACTERS + 1);
    free(text);
    return good;
}

/* Draws a key. Of several processes that do so at once the first decides. */
static bool draw_key(const char *path, char key[KEY_CHARACTERS + 1], char *message, size_t message_bytes)
{
    uint8_t bytes[KEY_CHARACTERS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        snprintf(message, message_bytes, "random numbers: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    char *own = allocate_format("%s.%s.%ld", path, claims_machine(), (long)getpid());
    bool good = files_write(own, key, KEY_CHARACTERS, message, message_bytes) != FILES_FAILED;
    bool first = good && link(own, path) == 0;
    if (good && !first && !read_key(path, key)) /* what is there is no key, or the file system has no links */
        good = files_write(path, key, KEY_CHARACTERS, message, message_bytes) != FILES_FAILED;
    unlink(own);
    free(own);
    return good;
}

static char *name_of(const char *key, const char *id)
{
    SHA256_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    char name[NAME_CHARACTERS + 1] = "";
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)key, KEY_CHARACTERS);
    SHA256Update(&context, (const uint8_t *)id, strlen(id));
    SHA256Final(digest, &context);
    for (int i = 0; i < NAME_CHARACTERS; i++)
        name[i] = letters[(digest[2 * i] << 8 | digest[2 * i + 1]) % (sizeof letters - 1)];
    return allocate_format(PSEUDONYMS_BEGIN "%s", name);
}

static char *list_path(const char *folder)
{
    return allocate_format("%s/.lockstep/pseudonyms.json", folder);
}

bool pseudonyms_make(struct class *class, const char *folder, bool listed, char *message, size_t message_bytes)
{
    char key[KEY_CHARACTERS + 1], *path = list_path(folder),
                                  *key_path = allocate_format("%s/.lockstep/pseudonyms.key", folder);
    bool good = read_key(key_path, key) || draw_key(key_path, key, message, message_bytes);
    json_t *list = json_object();
    for (size_t i = 0; i < class->count && good; i++) {
        struct student *student = &class->students[i];
        student->pseudonym = name_of(key, student->id);
        if (listed)
            json_object_set_new(list, student->id, json_string(student->pseudonym));
    }
    good = good && (!listed || files_write_json(path, list, message, message_bytes) != FILES_FAILED);
    json_decref(list);
    free(path);
    free(key_path);
    return good;
}

bool pseudonyms_read(struct class *class, const char *folder, char *message, size_t message_bytes)
{
    char *path = list_path(folder);
    size_t bytes = 0;
    char *text = files_read(path, LIST_BYTES_MAX, &bytes, message, message_bytes);
    json_t *list = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    if (text && !list)
        snprintf(message, message_bytes, "%.300s: not JSON. Run the batch again.", path);
    for (size_t i = 0; i < class->count && list; i++) {
        const char *name = json_string_value(json_object_get(list, class->students[i].id));
        free(class->students[i].pseudonym);
        class->students[i].pseudonym = name ? allocate_text(name, strlen(name)) : NULL;
    }
    bool good = list != NULL;
    json_decref(list);
    free(text);
    free(path);
    return good;
}
