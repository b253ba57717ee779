/* The command doctor: what this machine has, what is missing, and how to get it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/paint.h"
#include "grader/base/words.h"
#include "grader/grading/workers.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/run/probe.h"
#include "grader/sandbox/sandbox.h"
#include "grader/sandbox/sandbox_attacks.h"
#include "runtime/compile/cache.h"
#include "runtime/lockstep.h"

enum { DETAIL_COLUMN = 27 };

enum verdict { VERDICT_GOOD, VERDICT_FINE, VERDICT_MISSING };

/* What, verdict, detail; long details go on in the detail's column. */
static void line(const char *what, enum verdict verdict, const char *detail)
{
    static const char *const words[] = {"yes", "-", "MISSING"};
    static const enum paint styles[] = {PAINT_GREEN, PAINT_DIM, PAINT_RED};
    bool colour = paint_wanted(stdout);
    printf("%-18s %s%-8s%s", what, paint_on(colour, styles[verdict]), words[verdict], paint_off(colour));
    paint_continued(stdout, DETAIL_COLUMN, detail);
}

static bool check_compiler(void)
{
    int version = 0;
    char path[512], message[1700], detail[1700];
    bool found = probe_compiler(&version, path, sizeof path, message, sizeof message);
    if (found)
        snprintf(detail, sizeof detail, "%d.%d, %s", version / 100, version % 100, path);
    else
        snprintf(detail, sizeof detail, "%s", message);
    line("NVRTC (compiler)", found ? VERDICT_GOOD : VERDICT_MISSING, detail);
    return found;
}

static bool check_emulated(void)
{
    lockstep_device_info info;
    char message[1700], detail[1700];
    bool found = probe_device(LOCKSTEP_EMULATED, &info, message, sizeof message);
    if (found)
        snprintf(detail, sizeof detail, "%s, %s", info.name, info.driver_path);
    line("emulated driver", found ? VERDICT_GOOD : VERDICT_MISSING, found ? detail : message);
    return found;
}

static void check_gpu(void)
{
    lockstep_device_info info;
    char message[1700], detail[1800];
    bool found = probe_device(LOCKSTEP_GPU, &info, message, sizeof message);
    if (found)
        snprintf(detail, sizeof detail, "%s, %.0f GiB, compute capability %d.%d, driver API %d.%d", info.name,
                 (double)info.memory_bytes / (1u << 30), info.major, info.minor, info.driver_version / 1000,
                 info.driver_version % 1000 / 10);
    else
        snprintf(detail, sizeof detail, "%s\nNo GPU is needed: without one everything but time is graded.", message);
    line("GPU", found ? VERDICT_GOOD : VERDICT_FINE, detail);
}

static bool check_kit(void)
{
    char detail[KIT_PATH_BYTES + 64];
    bool found = kit_root()[0] != '\0';
    if (found)
        snprintf(detail, sizeof detail, "%s, %d labs", kit_root(), labs_count());
    else
        snprintf(detail, sizeof detail, "%s", kit_missing());
    line("labs", found ? VERDICT_GOOD : VERDICT_MISSING, detail);
    return found;
}

/* The nearest folder above `path` that exists decides whether the cache can be made. */
static bool can_be_written(const char *path)
{
    char folder[CACHE_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", path);
    while (access(folder, F_OK) != 0) {
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder)
            return false;
        *slash = '\0';
    }
    return access(folder, W_OK) == 0;
}

static void check_machine(void)
{
    char detail[CACHE_PATH_BYTES + 128], folder[CACHE_PATH_BYTES];
    snprintf(detail, sizeof detail, "%zu; as many submissions are graded at once", workers_cores());
    line("cores", VERDICT_GOOD, detail);
    bool cached = cache_folder(folder);
    bool writable = cached && can_be_written(folder);
    if (!cached)
        snprintf(detail, sizeof detail, "none (LOCKSTEP_CACHE, XDG_CACHE_HOME, HOME): every file is compiled each time");
    else
        snprintf(detail, sizeof detail, "%s%s", folder,
                 writable ? "" : " cannot be written: every file is compiled each time");
    line("module cache", writable ? VERDICT_GOOD : VERDICT_FINE, detail);
}

/* ---- the sandbox -------------------------------------------------------------------------------------------------- */

/* What each layer is called here, in the order of enum sandbox_layer. */
static const char *const layer_words[SANDBOX_LAYERS] = {"compiler",      "emulated run", "GPU run",
                                                        "program build", "program run",  "program on a GPU"};

/* One layer: every attempt to break out of it is made. */
static bool check_layer(enum sandbox_layer layer)
{
    struct sandbox_attacks attacks;
    char *detail = NULL;
    size_t bytes = 0;
    if (!sandbox_attack(layer, &attacks)) {
        line(layer_words[layer], VERDICT_MISSING, "not tried: no folder for temporary files can be created (TMPDIR, /tmp)");
        return false;
    }
    FILE *text = open_memstream(&detail, &bytes);
    if (!text)
        return false;
    if (attacks.broken + attacks.untried == 0)
        fprintf(text, "locked in: %d of %d attempts to get out failed", attacks.held, SANDBOX_ATTACKS - attacks.granted);
    else if (attacks.broken == 0)
        fprintf(text, "no process could be started in it (%d of %d attempts)", attacks.untried,
                SANDBOX_ATTACKS - attacks.granted);
    else
        fprintf(text, "a submission could:");
    for (int i = 0; i < SANDBOX_ATTACKS; i++)
        if (attacks.ends[i] == SANDBOX_BROKEN)
            fprintf(text, "\n%s", sandbox_attack_meaning(i));
    fclose(text);
    bool held = attacks.broken + attacks.untried == 0;
    line(layer_words[layer], held ? VERDICT_GOOD : VERDICT_MISSING, detail);
    free(detail);
    return held;
}

/* Why a part is not there, and what to do about it. */
static void explain_part(enum sandbox_part part)
{
    static const char *const remedies[SANDBOX_PARTS] = {
        [SANDBOX_CALLS] =
            "The kernel has no seccomp filters, or a container forbids them (docker run --security-opt seccomp=... of an "
            "old Docker).",
        [SANDBOX_FILES] =
            "The kernel has no Landlock (5.13 and later have it; some need lsm=landlock,... on the kernel's command line), "
            "or a container forbids it; and users cannot make user namespaces with mounts (sysctl user.max_user_namespaces "
            "above 0; kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu), which would do instead. Until then the "
            "compiler cannot open files: submissions get the kit's own headers, not those of the CUDA toolkit.",
    };
    const char *name = sandbox_part_word(part);
    char detail[256];
    snprintf(detail, sizeof detail, "%s%s%s%s", sandbox_part_meaning(part), part == SANDBOX_FILES ? " (held by " : "",
             part == SANDBOX_FILES ? sandbox_part_in_force(part) : "", part == SANDBOX_FILES ? ")" : "");
    if (sandbox_parts() >> part & 1)
        line(name, VERDICT_GOOD, detail);
    else if (getenv("LOCKSTEP_SANDBOX"))
        line(name, VERDICT_MISSING, "LOCKSTEP_SANDBOX switches it off.");
    else
        line(name, VERDICT_MISSING, remedies[part] ? remedies[part] : sandbox_part_meaning(part));
}

/* The truth about a layer is what cannot be done in it, so that is tried; the parts say what it is made of. */
static bool check_sandbox(void)
{
    bool held = true;
    for (int layer = 0; layer < SANDBOX_LAYERS; layer++)
        held &= check_layer((enum sandbox_layer)layer);
    for (int part = 0; part < SANDBOX_PARTS; part++)
        explain_part((enum sandbox_part)part);
    char why[512];
    bool permitted = sandbox_permits_hidden(why, sizeof why);
    line("hidden tests", permitted ? VERDICT_GOOD : VERDICT_MISSING,
         permitted ? "run, where there is a seed for them" : why);
    return held;
}

int doctor_run(const struct options *options)
{
    (void)options;
    printf("lockstep %s\n\nto grade\n", KIT_VERSION);
    bool compiler = check_compiler(), emulated = check_emulated(), kit = check_kit();
    puts("\nuseful");
    check_gpu();
    check_machine();
    puts("\naround a submission");
    bool confined = check_sandbox();
    bool ready = compiler && emulated && kit;
    puts(ready ? "\nThis machine can grade." : "\nThis machine cannot grade yet: see what is MISSING above.");
    if (ready && !confined)
        puts("Grade only what you trust: a submission could get out of its process, as shown above.");
    return ready ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_HARNESS;
}
