#include "grader/sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MB (UINT64_C(1) << 20)

struct profile {
    const char *name;
    uint64_t address_space_mb; /* 0: unlimited */
    uint32_t cpu_seconds;      /* 0: unlimited */
    uint32_t descriptors;      /* 0: as it is */
    uint64_t file_mb;          /* of any one file: only memory files can be written, so this bounds a flood of printf */
    uint64_t data_mb;          /* memory of its own that it may write, where address space is not limited; 0: unlimited */
    bool alone;                /* never has a second process or thread */
};

/* The compiler: NVRTC 13 maps about 300 MB before it compiles anything; what the server has mapped comes on top. The
 * emulated run: up to 0.8 GB over the labs; four times that is left to labs with larger arrays. NVIDIA's driver reserves
 * more address space than any machine has memory. */
static const struct profile profiles[] = {
    [SANDBOX_COMPILE] = {"compile", 1536, 10, 64, 1, 0, true},
    [SANDBOX_EMULATED] = {"emulated", 4096, 600, 64, 256, 0, true},
    [SANDBOX_GPU] = {"gpu", 0, 600, 0, 256, 0, false},
    /* nvcc and what it starts, which is many processes */
    [SANDBOX_BUILD] = {"build", 2048, 20, 256, 256, 0, false},
    /* may have threads */
    [SANDBOX_PROGRAM] = {"program", 2048, 10, 64, 64, 0, false},
    /* the driver opens some 30 files; opening a GPU takes most of a second of the processor on some machines */
    [SANDBOX_DEVICE] = {"program_gpu", 0, 20, 256, 64, 4096, false},
    [SANDBOX_OWN] = {"own", 0, 0, 0, 256, 0, false},
};

static const struct {
    const char *word, *meaning;
} part_words[] = {
#define PART(symbol, word, meaning) {word, meaning},
#include "grader/sandbox/sandbox.def"
#undef PART
};

/* What LOCKSTEP_SANDBOX said. */
static struct {
    unsigned unwanted; /* parts */
    bool no_landlock, no_namespaces;
    bool allow_unconfined;
    uint64_t compile_memory_mb; /* 0: the profile's */
    uint32_t compile_cpu_seconds;
} settings;

/* ---- settings ----------------------------------------------------------------------------------------------------- */

static bool read_number(const char *word, size_t length, const char *name, uint64_t *number)
{
    size_t skip = strlen(name);
    char *end;
    if (length <= skip || strncmp(word, name, skip) != 0 || word[skip] < '1' || word[skip] > '9')
        return false;
    *number = strtoull(word + skip, &end, 10);
    return end == word + length && *number <= 1000000;
}

static bool read_word(const char *word, size_t length)
{
    uint64_t number;
    if (length == 3 && strncmp(word, "off", 3) == 0) {
        settings.unwanted = (1u << SANDBOX_PARTS) - 1;
        return true;
    }
    for (int i = 0; i < SANDBOX_PARTS; i++)
        if (length == 3 + strlen(part_words[i].word) && strncmp(word, "no-", 3) == 0
            && strncmp(word + 3, part_words[i].word, length - 3) == 0) {
            settings.unwanted |= 1u << i;
            return true;
        }
    if (length == 11 && strncmp(word, "no-landlock", 11) == 0)
        return settings.no_landlock = true;
    if (length == 13 && strncmp(word, "no-namespaces", 13) == 0)
        return settings.no_namespaces = true;
    if (read_number(word, length, "compile-cpu=", &number)) {
        settings.compile_cpu_seconds = (uint32_t)number;
        return true;
    }
    if (read_number(word, length, "compile-memory=", &number)) {
        settings.compile_memory_mb = number;
        return true;
    }
    return false;
}

bool sandbox_configure(bool allow_unconfined, char *message, size_t message_bytes)
{
    const char *words = getenv("LOCKSTEP_SANDBOX");
    memset(&settings, 0, sizeof(settings));
    settings.allow_unconfined = allow_unconfined;
    while (words && *words != '\0') {
        size_t length = strcspn(words, ",");
        if (!read_word(words, length)) {
            snprintf(message, message_bytes,
                     "LOCKSTEP_SANDBOX: \"%.*s\" is not known. Use off, no-process, no-environment, no-rlimits, no-seccomp, "
                     "no-files, no-landlock, no-namespaces, compile-cpu=SECONDS and compile-memory=MB, separated by commas.",
                     (int)(length < 60 ? length : 60), words);
            return false;
        }
        words += length + (words[length] == ',');
    }
    (void)sandbox_parts(); /* asks the kernel, so that no child has to */
    return true;
}

/* ---- what is in force --------------------------------------------------------------------------------------------- */

/* How files are held. */
enum file_layer { FILES_UNKNOWN, FILES_NOT_HELD, FILES_BY_LANDLOCK, FILES_BY_NAMESPACES };

/* Landlock where the kernel has it; it is asked once. The settings only choose between the two. */
static enum file_layer file_layer(void)
{
    static enum file_layer found;
    if (found == FILES_UNKNOWN) /* by the grader; its children find it answered (sandbox_configure) */
        found = !settings.no_landlock && sandbox_landlock_version() > 0 ? FILES_BY_LANDLOCK
                : !settings.no_namespaces && sandbox_has_namespaces()   ? FILES_BY_NAMESPACES
                                                                        : FILES_NOT_HELD;
    return found;
}

/* Landlock refuses to open a file, and still tells of each whether it exists, how large it is and when it was changed. Native code,
 * and compilers, can ask for that (stat), so where namespaces can be had, too, what is not on the list does not exist for them.
 * On a GPU the driver looks at more than it opens. */
static bool hides_files(enum sandbox_layer layer)
{
    static int found = -1; /* by the grader, in child_start: it takes some milliseconds that other labs do not need */
    if ((layer != SANDBOX_BUILD && layer != SANDBOX_PROGRAM) || file_layer() != FILES_BY_LANDLOCK || settings.no_namespaces)
        return false;
    if (found < 0)
        found = sandbox_has_namespaces();
    return found;
}

static bool is_shown_only(enum sandbox_layer layer)
{
    return file_layer() == FILES_BY_NAMESPACES || hides_files(layer);
}

void sandbox_prepare(enum sandbox_layer layer)
{
    (void)hides_files(layer);
}

/* What the kernel has; it is asked once. */
static unsigned offered_parts(void)
{
    static unsigned offered;
    if (offered == 0)
        offered = (1u << SANDBOX_PROCESS) | (1u << SANDBOX_ENVIRONMENT) | (1u << SANDBOX_LIMITS)
                  | (sandbox_has_seccomp() ? 1u << SANDBOX_CALLS : 0)
                  | (file_layer() != FILES_NOT_HELD ? 1u << SANDBOX_FILES : 0);
    return offered;
}

unsigned sandbox_parts(void)
{
    return offered_parts() & ~settings.unwanted;
}

const char *sandbox_part_in_force(enum sandbox_part part)
{
    return part != SANDBOX_FILES ? part_words[part].word : file_layer() == FILES_BY_NAMESPACES ? "namespaces" : "landlock";
}

const char *sandbox_part_word(enum sandbox_part part)
{
    return part_words[part].word;
}

const char *sandbox_part_meaning(enum sandbox_part part)
{
    return part_words[part].meaning;
}

const char *sandbox_layer_name(enum sandbox_layer layer)
{
    return profiles[layer].name;
}

/* "rlimits, seccomp" */
static void list_parts(unsigned parts, const char *files, char list[128])
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < SANDBOX_PARTS; i++)
        if (parts >> i & 1 && used < 128)
            used += (size_t)snprintf(list + used, 128 - used, "%s%s", used > 0 ? ", " : "",
                                     i == SANDBOX_FILES ? files : part_words[i].word);
}

bool sandbox_is_reduced(char *message, size_t message_bytes)
{
    char list[128];
    unsigned unwanted = settings.unwanted;
    if ((settings.no_landlock || settings.no_namespaces) && file_layer() == FILES_NOT_HELD)
        unwanted |= 1u << SANDBOX_FILES;
    bool all = settings.unwanted >> SANDBOX_FILES & 1;
    list_parts(unwanted,
               all || settings.no_landlock == settings.no_namespaces ? "landlock and namespaces"
               : settings.no_landlock                                ? "landlock"
                                                                     : "namespaces",
               list);
    snprintf(message, message_bytes,
             "LOCKSTEP_SANDBOX switches off %s: a submission could get out of its process (`lockstep doctor`).", list);
    return unwanted != 0;
}

bool sandbox_permits_hidden(char *why, size_t why_bytes)
{
    unsigned missing = ~sandbox_parts() & ((1u << SANDBOX_PARTS) - 1);
    char list[128];
    why[0] = '\0';
    if (settings.allow_unconfined || missing == 0)
        return true;
    list_parts(missing, "landlock and namespaces", list);
    snprintf(why, why_bytes,
             "Hidden tests do not run: the sandbox lacks %s here. `lockstep doctor` says why; --allow-unconfined runs them.",
             list);
    return false;
}

static bool has(enum sandbox_part part)
{
    return sandbox_parts() >> part & 1;
}

bool sandbox_opens_paths(void)
{
    return has(SANDBOX_FILES) || settings.allow_unconfined;
}

static bool compiles(enum sandbox_layer layer)
{
    return layer == SANDBOX_COMPILE || layer == SANDBOX_BUILD;
}

uint64_t sandbox_address_space_mb(enum sandbox_layer layer)
{
    uint64_t own = profiles[layer].address_space_mb, wanted = compiles(layer) ? settings.compile_memory_mb : 0;
    return wanted > 0 && wanted < own ? wanted : own;
}

uint32_t sandbox_cpu_seconds(enum sandbox_layer layer)
{
    uint32_t own = profiles[layer].cpu_seconds, wanted = compiles(layer) ? settings.compile_cpu_seconds : 0;
    return wanted > 0 && wanted < own ? wanted : own;
}

/* ---- in the child ------------------------------------------------------------------------------------------------- */

/* What a child keeps of the environment until it is closed: where toolkit, drivers and cache are, and how the emulator is
 * steered. */
static const char *const kept_variables[] = {
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "LD_LIBRARY_PATH",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "LC_ALL",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "LSAN_OPTIONS",
};

static bool is_kept(const char *entry)
{
    if (strncmp(entry, "LOCKSTEP_", 9) == 0)
        return true;
    for (size_t i = 0; i < sizeof kept_variables / sizeof *kept_variables; i++) {
        size_t length = strlen(kept_variables[i]);
        if (strncmp(entry, kept_variables[i], length) == 0 && entry[length] == '=')
            return true;
    }
    return false;
}

/* Removes variables, and overwrites them where they were. */
static void clear_environment(bool all)
{
    char *kept[128];
    size_t count = 0;
    for (char **entry = environ; entry && *entry; entry++)
        if (!all && count < sizeof kept / sizeof *kept && is_kept(*entry))
            kept[count++] = *entry;
        else
            explicit_bzero(*entry, strlen(*entry));
    clearenv();
    for (size_t i = 0; i < count; i++)
        putenv(kept[i]);
}

static bool limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit bound = {soft, hard}, now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max < hard) /* never more than the grader itself has */
        bound = (struct rlimit){soft < now.rlim_max ? soft : now.rlim_max, now.rlim_max};
    return setrlimit(resource, &bound) == 0;
}

/* Raises the limit to what is needed. Returns false where it may not be raised so far; *most is what there is. */
static bool raise_limit(int resource, uint64_t needed, uint64_t *most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0 || now.rlim_cur >= needed)
        return true;
    *most = now.rlim_max < needed ? now.rlim_max : now.rlim_cur;
    struct rlimit raised = {needed, now.rlim_max};
    return now.rlim_max >= needed && setrlimit(resource, &raised) == 0;
}

bool sandbox_raise_limits(char *why, size_t why_bytes)
{
    enum { DESCRIPTORS = 64 };
    const uint64_t file_mb = profiles[SANDBOX_EMULATED].file_mb;
    uint64_t most;
    signal(SIGXFSZ, SIG_IGN);
    if (!raise_limit(RLIMIT_FSIZE, file_mb * MB, &most)) {
        snprintf(why, why_bytes, "no file may be larger than %llu KB here (ulimit -f), and gradings need %llu KB",
                 (unsigned long long)(most / 1024), (unsigned long long)(file_mb * 1024));
        return false;
    }
    if (!raise_limit(RLIMIT_NOFILE, DESCRIPTORS, &most)) {
        snprintf(why, why_bytes, "no more than %llu files may be open here (ulimit -n), and gradings need %d",
                 (unsigned long long)most, DESCRIPTORS);
        return false;
    }
    return true;
}

static bool set_limits(enum sandbox_layer layer)
{
    const struct profile *profile = &profiles[layer];
    uint64_t bytes = sandbox_address_space_mb(layer) * MB;
    bool good = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, profile->file_mb * MB, profile->file_mb * MB);
    if (profile->cpu_seconds > 0)
        good = good && limit(RLIMIT_CPU, sandbox_cpu_seconds(layer), sandbox_cpu_seconds(layer) + 1);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails; the kernel's flood is cut, the run goes on */
    if (profile->descriptors > 0)
        good = good && limit(RLIMIT_NOFILE, profile->descriptors, profile->descriptors);
    /* AddressSanitizer reserves terabytes of address space, which a limit would forbid. */
    if (bytes > 0 && !CHILD_SANITIZED)
        good = good && limit(RLIMIT_AS, bytes, bytes);
    if (profile->data_mb > 0 && !CHILD_SANITIZED)
        good = good && limit(RLIMIT_DATA, profile->data_mb * MB, profile->data_mb * MB);
    return good;
}

/* Closes all descriptors but the child's own. Kernels before 5.9 have no call for that. */
static bool close_others(void)
{
    if (close_range(CHILD_DESCRIPTORS, ~0u, 0) == 0)
        return true;
    DIR *folder = errno == ENOSYS ? opendir("/proc/self/fd") : NULL;
    if (!folder)
        return false;
    for (struct dirent *entry; (entry = readdir(folder));) {
        int descriptor = atoi(entry->d_name);
        if (descriptor >= CHILD_DESCRIPTORS && descriptor != dirfd(folder))
            close(descriptor);
    }
    return closedir(folder) == 0;
}

static bool begun;

bool sandbox_has_begun(void)
{
    return begun;
}

bool sandbox_begin(enum sandbox_layer layer)
{
    bool good = true;
    begun = true;
    /* First: it needs to be the only thread, and to open files. */
    if (has(SANDBOX_FILES) && layer != SANDBOX_OWN && is_shown_only(layer))
        good = sandbox_enter_namespaces();
    if (has(SANDBOX_PROCESS))
        good = good && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && close_others();
    /* The filters below need this too, where the grader is not root. */
    if (has(SANDBOX_PROCESS) || has(SANDBOX_CALLS) || has(SANDBOX_FILES))
        good = good && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (has(SANDBOX_LIMITS))
        good = good && set_limits(layer);
    if (has(SANDBOX_ENVIRONMENT))
        clear_environment(false);
    return good;
}

bool sandbox_close(enum sandbox_layer layer, const struct sandbox_path *paths, size_t count)
{
    bool good = true, may_open = sandbox_opens_paths() && count > 0;
    if (has(SANDBOX_ENVIRONMENT))
        clear_environment(true);
    /* The number is compared with the user's processes altogether, so it stops this one and does not touch others. */
    if (has(SANDBOX_LIMITS) && profiles[layer].alone)
        good = limit(RLIMIT_NPROC, 0, 0);
    if (has(SANDBOX_FILES))
        good = good && (!is_shown_only(layer) || sandbox_show_only(layer, paths, count)) /* Landlock forbids to mount */
               && (file_layer() != FILES_BY_LANDLOCK || sandbox_restrict_files(paths, count));
    if (has(SANDBOX_PROCESS))
        good = good && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
    if (has(SANDBOX_CALLS))
        good = good && sandbox_filter_calls(layer, may_open);
    return good;
}
