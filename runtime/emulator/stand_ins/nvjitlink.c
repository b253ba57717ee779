/* nvJitLink in front of NVIDIA's: links PTX with the emulated driver's linker, and what was asked for as machine code is
 * PTX. Code for link-time optimisation (LTO-IR) is made PTX by NVIDIA's library first. Compiled once for each major version of
 * the library (NVJITLINK_MAJOR). */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/lockstep_driver.h"
#include "runtime/emulator/stand_ins/real.h"

#define TEXT_OF(x)   #x
#define TEXT(x)      TEXT_OF(x)
#define LIBRARY_FILE "libnvJitLink.so." TEXT(NVJITLINK_MAJOR)
#define EXPORT       __attribute__((visibility("default")))

/* Numbers of nvJitLinkResult and nvJitLinkInputType. */
enum { SUCCESS = 0, MISSING_ARCH = 2, INVALID_INPUT = 3, PTX_COMPILE = 4, NVVM_COMPILE = 5, INTERNAL = 6, NULL_INPUT = 10 };
enum { INPUT_PTX = 2, INPUT_LTOIR = 3, INPUT_ANY = 10 };
enum { LOG_BYTES = 4096, MAX_OPTIONS = 200 };

struct link {
    void *driver;    /* lockstepLinkCreate's */
    void *optimizer; /* NVIDIA's link, of the LTO-IR among the inputs; NULL: none */
    char **options;  /* [count], copies, for the optimizer */
    uint32_t count;
    const char *text; /* linked; NULL before */
    uint64_t length;
    char log[LOG_BYTES];
};

static void *driver_function(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function)
        fprintf(stderr, "lockstep: %s: the emulated driver is not loaded; start the program with `lockstep exec`\n",
                LIBRARY_FILE);
    return function;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void log_line(struct link *link, const char *text)
{
    size_t used = strlen(link->log);
    if (*text)
        snprintf(link->log + used, sizeof link->log - used, "%s%s", used ? "\n" : "", text);
}

static int destroy(struct link *link)
{
    lockstep_link_destroy_fn *done = driver_function(LOCKSTEP_LINK_DESTROY_NAME);
    if (done)
        done(link->driver);
    int (*end)(void **) = link->optimizer ? real_function(LIBRARY_FILE, "nvJitLinkDestroy") : NULL;
    if (end)
        end(&link->optimizer);
    for (uint32_t i = 0; i < link->count; i++)
        free(link->options[i]);
    free(link->options);
    free(link);
    return SUCCESS;
}

static int link_Create(void **out, uint32_t count, const char **options)
{
    lockstep_link_create_fn *create = driver_function(LOCKSTEP_LINK_CREATE_NAME);
    bool has_arch = false;
    if (!out || (count > 0 && !options))
        return NULL_INPUT;
    if (!create || count > MAX_OPTIONS)
        return INTERNAL;
    struct link *link = calloc(1, sizeof *link);
    if (link)
        link->options = calloc(count + 1, sizeof *link->options);
    if (!link || !link->options || !(link->driver = create())) {
        if (link)
            free(link->options);
        free(link);
        return INTERNAL;
    }
    for (uint32_t i = 0; i < count; i++) {
        link->options[link->count] = strdup(options[i] ? options[i] : "");
        link->count += link->options[link->count] != NULL;
        has_arch |= options[i] && starts_with(options[i], "-arch=");
    }
    *out = link;
    if (has_arch)
        return SUCCESS;
    log_line(link, "nvJitLink: the option -arch=sm_NN is missing");
    return MISSING_ARCH;
}

static int link_Destroy(void **link)
{
    if (!link || !*link)
        return NULL_INPUT;
    int result = destroy(*link);
    *link = NULL;
    return result;
}

/* LTO-IR goes to NVIDIA's library, told to write PTX. */
static int add_ltoir(struct link *link, const void *data, size_t bytes, const char *name)
{
    int (*create)(void **, uint32_t, const char **) = link->optimizer ? NULL
                                                                      : real_function(LIBRARY_FILE, "nvJitLinkCreate");
    int (*add)(void *, int, const void *, size_t, const char *) = real_function(LIBRARY_FILE, "nvJitLinkAddData");
    const char *options[MAX_OPTIONS + 2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < link->count; i++)
        if (strcmp(link->options[i], "-lto") != 0 && strcmp(link->options[i], "-ptx") != 0)
            options[count++] = link->options[i];
    options[count++] = "-lto";
    options[count++] = "-ptx";
    int result = link->optimizer ? SUCCESS : create ? create(&link->optimizer, count, options) : INTERNAL;
    if (result == SUCCESS)
        result = add ? add(link->optimizer, INPUT_LTOIR, data, bytes, name) : INTERNAL;
    if (result != SUCCESS)
        log_line(link, "nvJitLink: NVIDIA's library refuses the code for link-time optimisation");
    return result;
}

static bool is_ltoir(const void *data, size_t bytes)
{
    uint32_t magic = 0;
    memcpy(&magic, data, bytes < sizeof magic ? bytes : sizeof magic);
    return magic == UINT32_C(0xdec04342) || magic == UINT32_C(0x1ee55a01) || magic == UINT32_C(0x7f4e43ed);
}

static int add_to_driver(struct link *link, const void *data, size_t bytes, const char *name)
{
    char message[LOG_BYTES];
    lockstep_link_add_fn *add = driver_function(LOCKSTEP_LINK_ADD_NAME);
    int result = add ? add(link->driver, data, bytes, name, message, sizeof message) : -1;
    if (result == 0)
        return SUCCESS;
    if (add)
        log_line(link, message);
    return result == 218 ? PTX_COMPILE : INVALID_INPUT;
}

static int link_AddData(void *handle, int type, const void *data, size_t bytes, const char *name)
{
    struct link *link = handle;
    if (!link || !data || bytes == 0)
        return NULL_INPUT;
    if (type == INPUT_LTOIR || (type != INPUT_PTX && is_ltoir(data, bytes)))
        return add_ltoir(link, data, bytes, name ? name : "input");
    return add_to_driver(link, data, bytes, name ? name : "input");
}

static int link_AddFile(void *handle, int type, const char *path)
{
    struct link *link = handle;
    if (!link || !path)
        return NULL_INPUT;
    FILE *file = fopen(path, "re");
    if (!file || fseek(file, 0, SEEK_END) != 0 || ftell(file) <= 0) {
        char message[LOG_BYTES];
        snprintf(message, sizeof message, "nvJitLink: cannot read %.3000s", path);
        log_line(link, message);
        if (file)
            fclose(file);
        return INVALID_INPUT;
    }
    size_t bytes = (size_t)ftell(file);
    char *data = calloc(bytes + 1, 1);
    rewind(file);
    int result = data && fread(data, 1, bytes, file) == bytes ? link_AddData(link, type, data, bytes, path) : INTERNAL;
    fclose(file);
    free(data);
    return result;
}

/* The PTX of what NVIDIA's library optimises joins the other inputs. */
static int optimize(struct link *link)
{
    int (*complete)(void *) = real_function(LIBRARY_FILE, "nvJitLinkComplete"),
                         (*size)(void *, size_t *) = real_function(LIBRARY_FILE, "nvJitLinkGetLinkedPtxSize"),
                         (*get)(void *, char *) = real_function(LIBRARY_FILE, "nvJitLinkGetLinkedPtx");
    size_t bytes = 0;
    if (!complete || !size || !get)
        return INTERNAL;
    int result = complete(link->optimizer);
    if (result == SUCCESS)
        result = size(link->optimizer, &bytes);
    char *text = result == SUCCESS ? calloc(bytes + 1, 1) : NULL;
    if (text)
        result = get(link->optimizer, text);
    if (result == SUCCESS)
        result = text ? add_to_driver(link, text, bytes, "link-time optimisation") : INTERNAL;
    else
        log_line(link, "nvJitLink: NVIDIA's library cannot optimise the code");
    free(text);
    return result;
}

static int link_Complete(void *handle)
{
    char message[LOG_BYTES];
    struct link *link = handle;
    lockstep_link_complete_fn *complete = driver_function(LOCKSTEP_LINK_COMPLETE_NAME);
    if (!link || !complete)
        return link ? INTERNAL : NULL_INPUT;
    int result = link->optimizer ? optimize(link) : SUCCESS;
    if (result != SUCCESS)
        return result;
    if (complete(link->driver, &link->text, &link->length, message, sizeof message) == 0)
        return SUCCESS;
    log_line(link, message);
    return INVALID_INPUT;
}

/* With the NUL, which makes the "machine code" PTX text for cuModuleLoadData. */
static int link_GetLinkedPtxSize(void *handle, size_t *bytes)
{
    struct link *link = handle;
    if (!link || !bytes)
        return NULL_INPUT;
    if (!link->text)
        return INVALID_INPUT;
    *bytes = link->length + 1;
    return SUCCESS;
}

static int link_GetLinkedPtx(void *handle, char *text)
{
    struct link *link = handle;
    if (!link || !text)
        return NULL_INPUT;
    if (!link->text)
        return INVALID_INPUT;
    memcpy(text, link->text, link->length + 1);
    return SUCCESS;
}

static int link_GetLinkedCubinSize(void *link, size_t *bytes)
{
    return link_GetLinkedPtxSize(link, bytes);
}

static int link_GetLinkedCubin(void *link, void *code)
{
    return link_GetLinkedPtx(link, code);
}

static int refuse_ltoir(struct link *link)
{
    if (link)
        log_line(link, "nvJitLink: under `lockstep exec` the result of a link is PTX, not LTO-IR");
    return INVALID_INPUT;
}

static int link_GetLinkedLTOIRSize(void *link, size_t *bytes)
{
    (void)bytes;
    return refuse_ltoir(link);
}

static int link_GetLinkedLTOIR(void *link, void *code)
{
    (void)code;
    return refuse_ltoir(link);
}

static int link_GetErrorLogSize(void *handle, size_t *bytes)
{
    struct link *link = handle;
    if (!link || !bytes)
        return NULL_INPUT;
    *bytes = strlen(link->log) + 1;
    return SUCCESS;
}

static int link_GetErrorLog(void *handle, char *text)
{
    struct link *link = handle;
    if (!link || !text)
        return NULL_INPUT;
    strcpy(text, link->log);
    return SUCCESS;
}

static int link_GetInfoLogSize(void *link, size_t *bytes)
{
    if (!link || !bytes)
        return NULL_INPUT;
    *bytes = 1;
    return SUCCESS;
}

static int link_GetInfoLog(void *link, char *text)
{
    if (!link || !text)
        return NULL_INPUT;
    *text = '\0';
    return SUCCESS;
}

EXPORT int nvJitLinkVersion(unsigned *major, unsigned *minor);
int nvJitLinkVersion(unsigned *major, unsigned *minor)
{
    int (*version)(unsigned *, unsigned *) = real_function(LIBRARY_FILE, "nvJitLinkVersion");
    return version ? version(major, minor) : INTERNAL;
}

#define EXPORTED(exported, name, parameters, arguments) \
    EXPORT int exported parameters;                     \
    int exported parameters                             \
    {                                                   \
        return link_##name arguments;                   \
    }
#define LINK(name, parameters, arguments)                  \
    EXPORTED(nvJitLink##name, name, parameters, arguments) \
    VERSIONED(name, parameters, arguments)
#define NUMBERED(minor, name, parameters, arguments)           NUMBERED_OF(NVJITLINK_MAJOR, minor, name, parameters, arguments)
#define NUMBERED_OF(major, minor, name, parameters, arguments) NUMBERED_AS(major, minor, name, parameters, arguments)
#define NUMBERED_AS(major, minor, name, parameters, arguments) \
    EXPORTED(__nvJitLink##name##_##major##_##minor, name, parameters, arguments)
#define VERSIONED(name, parameters, arguments) \
    NUMBERED(0, name, parameters, arguments)   \
    NUMBERED(1, name, parameters, arguments)   \
    NUMBERED(2, name, parameters, arguments)   \
    NUMBERED(3, name, parameters, arguments)   \
    NUMBERED(4, name, parameters, arguments)   \
    NUMBERED(5, name, parameters, arguments)   \
    NUMBERED(6, name, parameters, arguments)   \
    NUMBERED(7, name, parameters, arguments)   \
    NUMBERED(8, name, parameters, arguments)   \
    NUMBERED(9, name, parameters, arguments)
#include "runtime/emulator/stand_ins/nvjitlink.def"
