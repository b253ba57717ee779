#include "grader/doctor.h"

#include <linux/landlock.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/kit.h"
#include "grader/labs.h"
#include "grader/paint.h"
#include "grader/probe.h"
#include "grader/words.h"
#include "runtime/cache.h"
#include "runtime/lockstep.h"

enum { DETAIL_COLUMN = 27 };

enum verdict { VERDICT_GOOD, VERDICT_FINE, VERDICT_MISSING };

/* What, verdict, detail; long details go on in the detail's column. */
static void line(const char *what, enum verdict verdict, const char *detail)
{
    static const char *const words[] = {"yes", "-", "MISSING"};
    static const enum paint styles[] = {PAINT_GREEN, PAINT_DIM, PAINT_RED};
    bool colour = paint_wanted(stdout);
    char *wrapped = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&wrapped, &bytes);
    if (file == NULL)
        return;
    paint_wrapped(file, DETAIL_COLUMN, detail, false, PAINT_PLAIN);
    fclose(file);
    printf("%-18s %s%-8s%s%s", what, paint_on(colour, styles[verdict]), words[verdict], paint_off(colour),
           wrapped + DETAIL_COLUMN);
    free(wrapped);
}

static bool check_compiler(void)
{
    int version = 0;
    char path[512], message[1700], detail[1700];
    bool found = probe_compiler(&version, path, sizeof(path), message, sizeof(message));
    if (found)
        snprintf(detail, sizeof(detail), "%d.%d, %s", version / 100, version % 100, path);
    else
        snprintf(detail, sizeof(detail), "%s", message);
    line("NVRTC (compiler)", found ? VERDICT_GOOD : VERDICT_MISSING, detail);
    return found;
}

static bool check_emulated(void)
{
    lockstep_device_info info;
    char message[1700], detail[1700];
    bool found = probe_device(LOCKSTEP_EMULATED, &info, message, sizeof(message));
    if (found)
        snprintf(detail, sizeof(detail), "%s (compute capability %d.%d), %s", info.name, info.major, info.minor,
                 info.driver_path);
    line("emulated driver", found ? VERDICT_GOOD : VERDICT_MISSING, found ? detail : message);
    return found;
}

static void check_gpu(void)
{
    lockstep_device_info info;
    char message[1700], detail[1800];
    bool found = probe_device(LOCKSTEP_GPU, &info, message, sizeof(message));
    if (found)
        snprintf(detail, sizeof(detail), "%s, %.0f GiB, compute capability %d.%d, driver API %d.%d", info.name,
                 (double)info.memory_bytes / (1u << 30), info.major, info.minor, info.driver_version / 1000,
                 info.driver_version % 1000 / 10);
    else
        snprintf(detail, sizeof(detail), "%s\nNone is needed: without a GPU everything is graded but time.", message);
    line("GPU", found ? VERDICT_GOOD : VERDICT_FINE, detail);
}

static bool check_kit(void)
{
    char detail[KIT_PATH_BYTES + 64];
    bool found = kit_root()[0] != '\0';
    if (found)
        snprintf(detail, sizeof(detail), "%s, %d labs", kit_root(), labs_count());
    else
        snprintf(detail, sizeof(detail), "labs/ and solutions/ are not above this program. Build it inside the kit.");
    line("labs", found ? VERDICT_GOOD : VERDICT_MISSING, detail);
    return found;
}

/* The nearest folder above `path` that exists decides whether the cache can be made. */
static bool can_be_written(const char *path)
{
    char folder[CACHE_PATH_BYTES];
    snprintf(folder, sizeof(folder), "%s", path);
    while (access(folder, F_OK) != 0) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            return false;
        *slash = '\0';
    }
    return access(folder, W_OK) == 0;
}

static void check_machine(void)
{
    char detail[CACHE_PATH_BYTES + 128], folder[CACHE_PATH_BYTES];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(detail, sizeof(detail), "%ld; as many submissions are graded at once", cores);
    line("cores", VERDICT_GOOD, detail);
    bool cached = cache_folder(folder);
    bool writable = cached && can_be_written(folder);
    if (!cached)
        snprintf(detail, sizeof(detail), "none (LOCKSTEP_CACHE, XDG_CACHE_HOME, HOME): every file is compiled anew");
    else
        snprintf(detail, sizeof(detail), "%s%s", folder, writable ? "" : " cannot be written: every file is compiled anew");
    line("module cache", writable ? VERDICT_GOOD : VERDICT_FINE, detail);
}

/* The layers around the processes that touch a submission: which are in use, and what the kernel has for further ones. */
static void check_sandbox(void)
{
    char detail[160];
    line("own processes", VERDICT_GOOD, "compiler and kernels run in children with limits");
    line("no new rights", VERDICT_GOOD, "children cannot gain privileges (no_new_privs)");
    bool seccomp = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
    line("seccomp", VERDICT_FINE, seccomp ? "the kernel has it; not used yet" : "the kernel lacks it; not used yet");
    long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (landlock > 0)
        snprintf(detail, sizeof(detail), "the kernel has it (version %ld); not used yet", landlock);
    else
        snprintf(detail, sizeof(detail), "the kernel lacks it; not used yet");
    line("Landlock", VERDICT_FINE, detail);
}

enum exit_status doctor_run(void)
{
    printf("lockstep %s\n\nto grade\n", KIT_VERSION);
    bool compiler = check_compiler(), emulated = check_emulated(), kit = check_kit();
    puts("\nuseful");
    check_gpu();
    check_machine();
    puts("\naround a submission");
    check_sandbox();
    bool ready = compiler && emulated && kit;
    puts(ready ? "\nThis machine can grade." : "\nThis machine cannot grade yet: see what is MISSING above.");
    return ready ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_HARNESS;
}
