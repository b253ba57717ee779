/* Landlock, through raw system calls: neither the C library nor older kernel headers know all of it. */
#include "grader/sandbox/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct landlock_ruleset_attr as of version 6; older kernels take the beginning. */
struct ruleset {
    uint64_t files, network, scopes;
};

/* By the version of Landlock that brought them. */
#define FILES_1   ((UINT64_C(1) << 13) - 1)             /* execute, write, read, make, remove ... */
#define FILES_2   (UINT64_C(1) << 13)                   /* move to another folder */
#define FILES_3   (UINT64_C(1) << 14)                   /* truncate */
#define FILES_5   (UINT64_C(1) << 15)                   /* ioctl on devices */
#define NETWORK_4 (UINT64_C(1) << 0 | UINT64_C(1) << 1) /* TCP: bind, connect */
#define SCOPES_6  (UINT64_C(1) << 0 | UINT64_C(1) << 1) /* abstract sockets, signals of others */

/* Rights that a file can have, and those for folders only. */
#define FILE_RIGHTS \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_3 | FILES_5)

int sandbox_landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static struct ruleset ruleset_for(int version)
{
    struct ruleset ruleset = {FILES_1, 0, 0};
    ruleset.files |= (version >= 2 ? FILES_2 : 0) | (version >= 3 ? FILES_3 : 0) | (version >= 5 ? FILES_5 : 0);
    ruleset.network = version >= 4 ? NETWORK_4 : 0;
    ruleset.scopes = version >= 6 ? SCOPES_6 : 0;
    return ruleset;
}

static size_t ruleset_bytes(int version)
{
    return version >= 6 ? sizeof(struct ruleset) : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
}

static bool add_path(int rules, const struct sandbox_path *path, uint64_t handled)
{
    struct stat facts;
    uint64_t rights = 0;
    if (path->rights & SANDBOX_READ)
        rights |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    if (path->rights & SANDBOX_EXECUTE)
        rights |= LANDLOCK_ACCESS_FS_EXECUTE;
    if (path->rights & SANDBOX_WRITE)
        rights |= LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_5;
    if (path->rights & SANDBOX_MAKE)
        rights |= LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | FILES_2
                  | FILES_3;
    struct landlock_path_beneath_attr beneath = {.parent_fd = open(path->path, O_PATH | O_CLOEXEC)};
    if (beneath.parent_fd < 0 || fstat(beneath.parent_fd, &facts) != 0)
        return beneath.parent_fd < 0;
    beneath.allowed_access = rights & handled & (S_ISDIR(facts.st_mode) ? handled : FILE_RIGHTS);
    bool good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    close(beneath.parent_fd);
    return good;
}

bool sandbox_restrict_files(const struct sandbox_path *paths, size_t count)
{
    int version = sandbox_landlock_version();
    struct ruleset ruleset = ruleset_for(version);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, ruleset_bytes(version), 0);
    bool good = rules >= 0;
    for (size_t i = 0; i < count && good; i++)
        good = add_path(rules, &paths[i], ruleset.files);
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0)
        close(rules);
    return good;
}
