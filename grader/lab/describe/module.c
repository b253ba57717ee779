#include "grader/lab/describe/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ffi.h>
#include <link.h>
#include <sha256.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/lab/describe/code_line.h"
#include "grader/lab/kit.h"
#include "runtime/base/user_cache.h"

#define SOURCE_BYTES_MAX (4u << 20)
#define OUTPUT_BYTES     4096

static const char *const source_names[] = {"reference.c", "hooks.c"};
enum { SOURCE_COUNT = sizeof source_names / sizeof *source_names };

struct module {
    void *library;  /* NULL: the lab has no code */
    bool is_built;  /* with the kit */
    uint8_t *image; /* of what was compiled for this process: the file's bytes, for lines; NULL: none. Owned */
    size_t image_bytes;
    char digest[SHA256_DIGEST_STRING_LENGTH];
};

/* The end of a kept module that is whole. ELF does not mind. */
static const char mark[] = "\nlockstep module ";
enum { MARK_BYTES = sizeof mark - 1 + SHA256_DIGEST_STRING_LENGTH - 1, MODULE_BYTES_MAX = 64 << 20 };

/* A lab's sources while a module is made of them. */
struct making {
    char *paths[SOURCE_COUNT]; /* of those that are there */
    int count;
    struct timespec newest; /* modification */
    char digest[SHA256_DIGEST_STRING_LENGTH];
};

static bool is_newer(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static bool read_sources(const char *folder, struct making *making, char *message, size_t message_bytes)
{
    SHA256_CTX hash;
    SHA256Init(&hash);
    /* What the hooks may call is this program's: another build, another module. */
    SHA256Update(&hash, (const uint8_t *)kit_build(), strlen(kit_build()));
    for (int i = 0; i < SOURCE_COUNT; i++) {
        struct stat facts;
        size_t bytes;
        char *path = allocate_format("%s/%s", folder, source_names[i]);
        if (stat(path, &facts) != 0 && errno == ENOENT) {
            free(path);
            continue;
        }
        making->paths[making->count++] = path;
        char *text = files_read(path, SOURCE_BYTES_MAX, &bytes, message, message_bytes);
        if (!text)
            return false;
        SHA256Update(&hash, (const uint8_t *)path, strlen(path) + 1); /* its messages name the path */
        SHA256Update(&hash, (const uint8_t *)text, bytes);
        if (is_newer(facts.st_mtim, making->newest))
            making->newest = facts.st_mtim;
        free(text);
    }
    SHA256End(&hash, making->digest);
    return true;
}

/* ---- the compiler --------------------------------------------------------------------------------------------------- */

/* Runs `cc` on the sources. Returns its exit status with the beginning of what it printed; -1: it could not be started. */
static int run_compiler(const struct making *making, const char *output, char *printed, size_t printed_bytes)
{
    int ends[2], status = 0;
    char *include = allocate_format("-I%s", kit_root());
    const char *words[24 + SOURCE_COUNT] = {
        "cc", "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-strict-aliasing",
        "-fvisibility=default",
        /* Lines, in a table that code_line.c reads, and frames that backtrace() finds. */
        "-gdwarf-4", "-gz=none", "-fasynchronous-unwind-tables", "-fno-optimize-sibling-calls",
        "-fno-delete-null-pointer-checks", /* such an access is to happen */
        "-w", include, "-o", output};
    int count = 0;
    while (words[count])
        count++;
    for (int i = 0; i < making->count; i++)
        words[count++] = making->paths[i];
    words[count] = "-lm";
    printed[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execvp(words[0], (char *const *)words);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got = 1; child > 0 && got > 0;) {
        char rest[512];
        size_t room = printed_bytes - 1 - used;
        got = read(ends[0], room > 0 ? printed + used : rest, room > 0 ? room : sizeof rest);
        used += got > 0 && room > 0 ? (size_t)got : 0;
    }
    printed[used] = '\0';
    close(ends[0]);
    free(include);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The compiler's first error, as it says it: "reference.c:7:12: error: ...". */
static void quote_error(const char *printed, char *message, size_t message_bytes)
{
    const char *error = strstr(printed, "error:"), *start = error ? error : printed;
    while (start > printed && start[-1] != '\n')
        start--;
    snprintf(message, message_bytes, "%.*s", (int)strcspn(start, "\n"), start);
}

/* Appends the mark of a file that is whole. */
static bool mark_whole(const char *path)
{
    char digest[SHA256_DIGEST_STRING_LENGTH];
    FILE *file = SHA256File(path, digest) ? fopen(path, "a") : NULL;
    bool good = file && fprintf(file, "%s%s", mark, digest) == MARK_BYTES;
    return file && fclose(file) == 0 && good;
}

static bool compile(const struct making *making, const char *output, char *message, size_t message_bytes)
{
    char printed[OUTPUT_BYTES];
    char *unfinished = allocate_format("%s.%d", output, (int)getpid());
    int status = run_compiler(making, unfinished, printed, sizeof printed);
    bool good = status == 0 && mark_whole(unfinished) && rename(unfinished, output) == 0;
    if (status == 127)
        snprintf(message, message_bytes,
                 "%s must be compiled, and there is no C compiler called cc. Install one (Debian, Ubuntu: apt install gcc).",
                 making->paths[0]);
    else if (status == 0 && !good)
        snprintf(message, message_bytes, "%s: %s", output, strerror(errno));
    else if (!good && printed[0] != '\0')
        quote_error(printed, message, message_bytes);
    else if (!good)
        snprintf(message, message_bytes, "%s: the compiler could not be run", making->paths[0]);
    if (!good)
        unlink(unfinished);
    free(unfinished);
    return good;
}

/* Where the compiled module is kept, its folder made. Without a cache that is a folder of its own, which nobody else can write
 * to; *passing says so. */
static char *kept_path(const struct making *making, bool *passing, char *message, size_t message_bytes)
{
    char folder[KIT_PATH_BYTES] = "/tmp/lockstep-lab-XXXXXX";
    const char *own = getenv("LOCKSTEP_CACHE");
    bool wanted = !own || strcmp(own, "none") != 0;
    *passing = !wanted || !user_cache_folder(own, folder, sizeof folder);
    char *path = *passing ? mkdtemp(folder) ? allocate_format("%s/lab.so", folder) : NULL
                          : allocate_format("%s/labs/%s.so", folder, making->digest);
    if (path && user_cache_make_folders(path))
        return path;
    snprintf(message, message_bytes, "%s: a folder for compiled labs could not be made: %s", folder, strerror(errno));
    free(path);
    return NULL;
}

static void remove_passing(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

static bool is_fresh(const char *built, const struct making *making)
{
    struct stat facts;
    return built && stat(built, &facts) == 0 && !is_newer(making->newest, facts.st_mtim);
}

static void *load(const char *path, char *message, size_t message_bytes)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(message, message_bytes, "the lab's code cannot be loaded: %s", dlerror());
    return library;
}

/* The bytes of a kept module; NULL where it is not there or not whole: cut off, or changed. */
static uint8_t *read_whole(const char *path, size_t *bytes)
{
    char message[512], digest[SHA256_DIGEST_STRING_LENGTH];
    char *image = files_read(path, MODULE_BYTES_MAX, bytes, message, sizeof message);
    size_t code = image && *bytes > MARK_BYTES ? *bytes - MARK_BYTES : 0;
    if (code > 0 && SHA256Data((const uint8_t *)image, code, digest) && memcmp(image + code, mark, sizeof mark - 1) == 0
        && memcmp(image + code + sizeof mark - 1, digest, sizeof digest - 1) == 0)
        return (uint8_t *)image;
    free(image);
    return NULL;
}

/* Compiles the sources, or finds what was compiled before, and loads it. */
static void *load_compiled(const struct making *making, struct module *module, char *message, size_t message_bytes)
{
    void *library = NULL;
    bool passing;
    char *kept = kept_path(making, &passing, message, message_bytes);
    module->image = kept ? read_whole(kept, &module->image_bytes) : NULL;
    if (kept && !module->image && compile(making, kept, message, message_bytes)) {
        module->image = read_whole(kept, &module->image_bytes);
        if (!module->image)
            snprintf(message, message_bytes, "%s: what the compiler wrote cannot be read back", kept);
    }
    if (module->image)
        library = load(kept, message, message_bytes);
    if (kept && passing)
        remove_passing(kept);
    free(kept);
    return library;
}

/* A kit without solutions has no C files either: what the build made of them is all. */
static bool is_without_sources(const char *folder, const char *built)
{
    char *seal = allocate_format("%s/" KIT_SEAL, folder);
    bool sealed = access(seal, F_OK) == 0;
    free(seal);
    return sealed && built;
}

struct module *module_open(const char *folder, const char *built, char *message, size_t message_bytes)
{
    struct making making = {0};
    struct module *module = allocate_zeroed(sizeof *module);
    bool good = read_sources(folder, &making, message, message_bytes);
    bool alone = good && making.count == 0 && is_without_sources(folder, built);
    module->is_built = alone || (good && making.count > 0 && is_fresh(built, &making));
    if (alone && !SHA256File(built, making.digest))
        good = false;
    else if (module->is_built)
        module->library = load(built, message, message_bytes);
    else if (good && making.count > 0)
        module->library = load_compiled(&making, module, message, message_bytes);
    for (int i = 0; i < making.count; i++)
        free(making.paths[i]);
    if (!good || ((making.count > 0 || alone) && !module->library)) {
        module_close(module);
        return NULL;
    }
    memcpy(module->digest, making.digest, sizeof module->digest);
    return module;
}

void *module_find(const struct module *module, const char *name)
{
    struct link_map *map = NULL;
    Dl_info place;
    void *found = module->library ? dlsym(module->library, name) : NULL;
    /* dlsym looks into the C library as well: a kernel may be called like one of its functions. */
    bool own = found && dlinfo(module->library, RTLD_DI_LINKMAP, &map) == 0 && dladdr(found, &place)
               && strcmp(place.dli_fname, map->l_name) == 0;
    return own ? found : NULL;
}

const char *module_digest(const struct module *module)
{
    return module->digest;
}

bool module_is_built(const struct module *module)
{
    return module->is_built;
}

/* Where the library that holds the address begins, if that is this one's; else 0. */
static uintptr_t base_of(const struct module *module, uintptr_t address)
{
    struct link_map *map = NULL;
    Dl_info place;
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    bool own = module->library && dlinfo(module->library, RTLD_DI_LINKMAP, &map) == 0 && dladdr(pointer, &place)
               && strcmp(place.dli_fname, map->l_name) == 0;
    return own ? (uintptr_t)map->l_addr : 0;
}

bool module_holds(const struct module *module, uintptr_t address)
{
    return base_of(module, address) != 0;
}

int module_line(const struct module *module, uintptr_t address, char *file, size_t file_bytes)
{
    uintptr_t base = base_of(module, address);
    file[0] = '\0';
    return base == 0 || !module->image
               ? 0
               : code_line_find(module->image, module->image_bytes, address - base, file, file_bytes);
}

void module_close(struct module *module)
{
    free(module->image);
    free(module); /* its functions may be in use by labs that were made of it */
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static ffi_type *type_of(enum module_kind kind)
{
    switch (kind) {
    case MODULE_INT8: return &ffi_type_sint8;
    case MODULE_UINT8: return &ffi_type_uint8;
    case MODULE_INT16: return &ffi_type_sint16;
    case MODULE_UINT16: return &ffi_type_uint16;
    case MODULE_INT32: return &ffi_type_sint32;
    case MODULE_UINT32: return &ffi_type_uint32;
    case MODULE_INT64: return &ffi_type_sint64;
    case MODULE_UINT64: return &ffi_type_uint64;
    case MODULE_FLOAT: return &ffi_type_float;
    case MODULE_DOUBLE: return &ffi_type_double;
    case MODULE_POINTER: break;
    }
    return &ffi_type_pointer;
}

void module_call(void *function, const enum module_kind *kinds, void **values, int count)
{
    ffi_cif call;
    ffi_type *types[PROTOTYPE_PARAMETERS];
    void (*entry)(void);
    for (int i = 0; i < count; i++)
        types[i] = type_of(kinds[i]);
    if (count > PROTOTYPE_PARAMETERS
        || ffi_prep_cif(&call, FFI_DEFAULT_ABI, (unsigned)count, &ffi_type_void, types) != FFI_OK)
        abort(); /* no table of kinds leads here */
    memcpy(&entry, &function, sizeof entry);
    ffi_call(&call, entry, NULL, values);
}
