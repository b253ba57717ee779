#include "grader/judge/hidden.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/kit.h"
#include "grader/lab/random.h"
#include "grader/sandbox/sandbox.h"

/* Sizes are drawn from a stream of their own: a case has runs 0 and 1. */
#define SIZE_STREAM 2

static bool refuse(const char *path, const char *why, char *message, size_t message_bytes)
{
    snprintf(message, message_bytes, "hidden seed file %.300s: %s", path, why);
    return false;
}

static bool is_in_kit(const char *path)
{
    char resolved[PATH_MAX];
    const char *root = kit_root();
    size_t length = strlen(root);
    return length > 0 && realpath(path, resolved) && strncmp(resolved, root, length) == 0 && resolved[length] == '/';
}

/* Reads at most `room` bytes. Returns how many, or -1 with errno set. Never waits for a FIFO. */
static ssize_t read_bytes(const char *path, uint8_t *bytes, size_t room, bool *regular)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    *regular = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    ssize_t got = *regular ? read(file, bytes, room) : file >= 0 ? 0 : -1;
    int saved = errno;
    if (file >= 0)
        close(file);
    errno = saved;
    return got;
}

bool hidden_seed_read(const char *path, struct hidden_seed *seed, char *message, size_t message_bytes)
{
    uint8_t bytes[HIDDEN_SEED_BYTES_MAX + 1], digest[SHA256_DIGEST_LENGTH];
    bool regular;
    memset(seed, 0, sizeof *seed);
    ssize_t got = read_bytes(path, bytes, sizeof bytes, &regular);
    if (got < 0)
        return refuse(path, strerror(errno), message, message_bytes);
    if (!regular)
        return refuse(path, "not a regular file", message, message_bytes);
    if (is_in_kit(path))
        return refuse(path, "it is inside the kit, where students would find it. Keep it outside.", message, message_bytes);
    if (got > HIDDEN_SEED_BYTES_MAX)
        return refuse(path, "it has more than 4096 bytes; a line of random text is enough.", message, message_bytes);
    while (got > 0 && isspace(bytes[got - 1]))
        got--;
    if (got < HIDDEN_SEED_BYTES_MIN)
        return refuse(
            path, "it has fewer than 16 characters, so it could be guessed. Make one with: head -c 32 /dev/urandom | base64",
            message, message_bytes);
    SHA256_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, (size_t)got);
    SHA256Final(digest, &context);
    seed->key = allocate_secret(sizeof *seed->key);
    memcpy(seed->key, digest, sizeof *seed->key);
    SHA256Data(digest, sizeof digest, seed->sha256); /* of the hash: what a result file holds says nothing about the key */
    explicit_bzero(bytes, sizeof bytes);
    explicit_bzero(digest, sizeof digest);
    return true;
}

bool hidden_seed_find(const char *option, const char *course, struct hidden_seed *seed, char *message, size_t message_bytes)
{
    const char *variable = getenv("LOCKSTEP_HIDDEN_SEED_FILE");
    const char *path = option ? option : variable && variable[0] != '\0' ? variable : course;
    memset(seed, 0, sizeof *seed);
    return !path || hidden_seed_read(path, seed, message, message_bytes);
}

void hidden_seed_clear(struct hidden_seed *seed)
{
    if (seed->key)
        allocate_release_secret(seed->key, sizeof *seed->key);
    memset(seed, 0, sizeof *seed);
}

const char *hidden_seed_refuse(struct hidden_seed *seed)
{
    static char reason[512];
    if (!seed->key || sandbox_permits_hidden(reason, sizeof reason))
        return NULL;
    hidden_seed_clear(seed);
    return reason;
}

static void draw_sizes(const struct lab *lab, uint64_t key, struct lab_case *the_case)
{
    struct lab_random random;
    random_init(&random, key, lab->name, the_case->name, SIZE_STREAM);
    for (int i = 0; i < LAB_MAX_SIZES; i++)
        the_case->size[i] += lab_random_below(&random, the_case->spread[i] + 1);
}

static struct lab *copy_lab(const struct lab *lab, bool hidden, uint64_t key)
{
    struct lab *copy = allocate_zeroed(sizeof *copy);
    struct lab_case *cases = allocate_zeroed((size_t)lab->case_count * sizeof *cases);
    *copy = *lab;
    copy->cases = cases;
    copy->case_count = 0;
    for (int i = 0; i < lab->case_count; i++) {
        if (lab->cases[i].hidden != hidden)
            continue;
        cases[copy->case_count] = lab->cases[i];
        if (hidden)
            draw_sizes(lab, key, &cases[copy->case_count]);
        copy->case_count++;
    }
    return copy;
}

struct lab *hidden_lab_visible(const struct lab *lab)
{
    return copy_lab(lab, false, 0);
}

struct lab *hidden_lab_create(const struct lab *lab, uint64_t key)
{
    return copy_lab(lab, true, key);
}

void hidden_lab_destroy(struct lab *lab)
{
    struct lab_case *cases = (struct lab_case *)lab->cases;
    explicit_bzero(cases, (size_t)lab->case_count * sizeof *cases); /* drawn sizes are not left lying about */
    free(cases);
    free(lab);
}
