#include "grader/program/program_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* Files of NVRTC. */
struct compiler_paths {
    char library[512], folder[512], headers[2][512];
};

/* A program has its limit of processor time (sandbox.c); the clock is for one that sleeps. */
enum { RUN_WALL_MS = 30000 };

/* Runs it, for what is left to all runs. Those that come after the last are given no time worth the name. */
static void run_in_time(const struct program_job *job, struct execution_request *request, struct execution *execution)
{
    int64_t left = *job->left_ms;
    request->wall_ms = left > RUN_WALL_MS ? RUN_WALL_MS : left > 0 ? (int)left : 1;
    execution_run(request, execution);
    execution->is_last = left < RUN_WALL_MS;
    *job->left_ms -= execution->had_ms;
}

/* A program that compiles its kernels when it runs needs NVRTC. Adds what it may open, and returns the variable that says where
 * NVRTC is, owned by the caller; NULL: there is none. */
static char *allow_compiler(struct compiler_paths *compiler, struct sandbox_path *paths, size_t *count)
{
    int version;
    lockstep_error error;
    if (lockstep_compiler_find(&version, compiler->library, sizeof compiler->library, &error) != LOCKSTEP_OK
        || compiler->library[0] != '/')
        return NULL;
    snprintf(compiler->folder, sizeof compiler->folder, "%s", compiler->library);
    *strrchr(compiler->folder, '/') = '\0';
    paths[(*count)++] = (struct sandbox_path){compiler->folder, SANDBOX_READ};
    lockstep_compiler_headers(compiler->headers);
    for (int i = 0; i < 2; i++)
        if (compiler->headers[i][0] != '\0')
            paths[(*count)++] = (struct sandbox_path){compiler->headers[i], SANDBOX_READ};
    return allocate_format("LOCKSTEP_NVRTC=%s", compiler->library);
}

void program_run(const struct program_job *job, const struct exchange *exchange, const char *failure,
                 struct execution *execution)
{
    const struct build *build = job->build;
    struct compiler_paths compiler_paths;
    struct sandbox_path paths[] = {
        {build->folder, SANDBOX_READ},
        {build->program, SANDBOX_READ | SANDBOX_EXECUTE},
        {build->emulated, SANDBOX_READ},
        {"/lib", SANDBOX_READ},
        {"/lib64", SANDBOX_READ},
        {"/usr/lib", SANDBOX_READ},
        {"/usr/lib64", SANDBOX_READ},
        {"/lib64/ld-linux-x86-64.so.2", SANDBOX_READ | SANDBOX_EXECUTE}, /* the loader, which starts every program */
        {"/etc/ld.so.cache", SANDBOX_READ},
        {"/proc/self", SANDBOX_READ},
        {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
        {"/dev/urandom", SANDBOX_READ},
        {NULL, 0}, /* for a compiler at run time */
        {NULL, 0},
        {NULL, 0},
    };
    size_t path_count = sizeof paths / sizeof *paths - 3;
    char *compiler = build->on_runtime ? allow_compiler(&compiler_paths, paths, &path_count) : NULL;
    char *libraries = allocate_format("LD_LIBRARY_PATH=%s", build->emulated);
    char *driver = allocate_format("LOCKSTEP_EMULATED_DRIVER=%s/libcuda.so.1", build->emulated);
    char *fail = failure ? allocate_format("LOCKSTEP_FAIL=%s", failure) : NULL;
    char *environment[] = {libraries,
                           driver,
                           "LOCKSTEP_CHECKS=all",
                           "LOCKSTEP_FINDINGS=" EXECUTION_FINDINGS,
                           "LOCKSTEP_CALLS=" EXECUTION_CALLS,
                           "LC_ALL=C",
                           fail ? fail : compiler,
                           fail ? compiler : NULL,
                           NULL};
    char *input = exchange_write(exchange), *arguments[] = {(char *)build->program, NULL};
    struct execution_request request = {.layer = SANDBOX_PROGRAM,
                                        .folder = build->folder,
                                        .arguments = arguments,
                                        .environment = environment,
                                        .paths = paths,
                                        .path_count = path_count,
                                        .input = input,
                                        .input_bytes = strlen(input)};
    run_in_time(job, &request, execution);
    free(input);
    free(libraries);
    free(driver);
    free(fail);
    free(compiler);
}

/* ---- on a GPU ------------------------------------------------------------------------------------------------------- */

enum { MOST_GPUS = 16, MOST_VARIABLES = 12 };

/* What NVIDIA's driver opens: its devices, and what the system says of the machine. */
static const struct sandbox_path driver_paths[] = {
    {"/lib", SANDBOX_READ},
    {"/lib64", SANDBOX_READ},
    {"/usr/lib", SANDBOX_READ},
    {"/usr/lib64", SANDBOX_READ},
    {"/lib64/ld-linux-x86-64.so.2", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/etc/ld.so.cache", SANDBOX_READ},
    {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/urandom", SANDBOX_READ},
    {"/dev/nvidiactl", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/nvidia-uvm", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/dxg", SANDBOX_READ | SANDBOX_WRITE}, /* the GPU of a Windows machine, in WSL */
    {"/proc/self", SANDBOX_READ},
    {"/proc/self/task", SANDBOX_READ | SANDBOX_MAKE}, /* it does not start unless it can name its threads */
    {"/proc/cpuinfo", SANDBOX_READ},
    {"/proc/meminfo", SANDBOX_READ},
    {"/proc/devices", SANDBOX_READ},
    {"/proc/sys/vm", SANDBOX_READ},
    {"/proc/driver/nvidia", SANDBOX_READ},
    {"/sys/module", SANDBOX_READ},
    {"/sys/devices", SANDBOX_READ},
    {"/sys/bus/pci", SANDBOX_READ},
};
enum { DRIVER_PATHS = sizeof driver_paths / sizeof *driver_paths };

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return allocate_text(path, slash ? (size_t)(slash - path) : 0);
}

/* Texts of one run, which are freed together. */
struct texts {
    char *list[MOST_GPUS + MOST_VARIABLES + 8];
    size_t count;
};

static char *keep(struct texts *texts, char *text)
{
    texts->list[texts->count++] = text;
    return text;
}

/* Where the libraries are: the meter first, where there is one, then what the program was built with, then the driver. */
static char *library_folders(const struct build *build, const char *driver, enum program_clock clock)
{
    const char *emulated = clock != PROGRAM_UNTIMED ? build->emulated : "",
               *meter = clock != PROGRAM_UNTIMED ? "/meter:" : "";
    if (build->toolkit[0] == '\0')
        return allocate_format("LD_LIBRARY_PATH=%s%s%s", emulated, meter, driver);
    return allocate_format("LD_LIBRARY_PATH=%s%s%s/lib64:%s/lib:%s", emulated, meter, build->toolkit, build->toolkit,
                           driver);
}

void program_run_on_gpu(const struct program_job *job, const lockstep_device_info *device, const char *input,
                        enum program_clock clock, struct execution *execution)
{
    const struct build *build = job->build;
    struct compiler_paths compiler_paths;
    struct sandbox_path paths[DRIVER_PATHS + MOST_GPUS + 12];
    struct texts texts = {.count = 0};
    size_t count = DRIVER_PATHS, variables = 0;
    char *environment[MOST_VARIABLES], whole[TOOLS_PATH_BYTES];
    memcpy(paths, driver_paths, sizeof driver_paths);
    for (int i = 0; i < MOST_GPUS; i++)
        paths[count++] = (struct sandbox_path){keep(&texts, allocate_format("/dev/nvidia%d", i)),
                                               SANDBOX_READ | SANDBOX_WRITE};
    if (!realpath(device->driver_path, whole)) /* the name may be a link into another folder */
        snprintf(whole, sizeof whole, "%s", device->driver_path);
    char *driver = keep(&texts, folder_of(device->driver_path[0] == '/' ? device->driver_path : whole));
    paths[count++] = (struct sandbox_path){driver, SANDBOX_READ};
    paths[count++] = (struct sandbox_path){keep(&texts, folder_of(whole)), SANDBOX_READ};
    paths[count++] = (struct sandbox_path){build->folder, SANDBOX_READ};
    paths[count++] = (struct sandbox_path){build->program, SANDBOX_READ | SANDBOX_EXECUTE};
    environment[variables++] = keep(&texts, library_folders(build, driver, clock));
    environment[variables++] = "LC_ALL=C";
    environment[variables++] = "CUDA_CACHE_DISABLE=1";      /* through which one submission could reach the next */
    environment[variables++] = "CUDA_MODULE_LOADING=EAGER"; /* not while the clock runs */
    if (build->toolkit[0] != '\0') {
        static const char *const folders[] = {"lib64", "lib", "targets"};
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            paths[count++] = (struct sandbox_path){keep(&texts, allocate_format("%s/%s", build->toolkit, folders[i])),
                                                   SANDBOX_READ};
    } else if (!build->on_runtime) { /* linked with the kit's runtime library, which works beside any driver */
        char *runtime = keep(&texts, allocate_format("%s/libcudart.so.13", build->emulated));
        paths[count++] = (struct sandbox_path){runtime, SANDBOX_READ};
        environment[variables++] = keep(&texts, allocate_format("LD_PRELOAD=%s", runtime));
    }
    if (clock != PROGRAM_UNTIMED) {
        paths[count++] = (struct sandbox_path){keep(&texts, allocate_format("%s/meter", build->emulated)), SANDBOX_READ};
        environment[variables++] = keep(&texts, allocate_format("LOCKSTEP_METER_DRIVER=%s", whole));
        environment[variables++] = "LOCKSTEP_METER=" EXECUTION_CALLS;
        if (clock == PROGRAM_IN_A_ROW)
            environment[variables++] = "LOCKSTEP_METER_ROW=1";
    }
    if (getenv("CUDA_VISIBLE_DEVICES"))
        environment[variables++] = keep(&texts, allocate_format("CUDA_VISIBLE_DEVICES=%s", getenv("CUDA_VISIBLE_DEVICES")));
    char *compiler = build->on_runtime ? allow_compiler(&compiler_paths, paths, &count) : NULL;
    if (compiler)
        environment[variables++] = keep(&texts, compiler);
    environment[variables] = NULL;
    char *arguments[] = {(char *)build->program, NULL};
    struct execution_request request = {.layer = SANDBOX_DEVICE,
                                        .folder = build->folder,
                                        .arguments = arguments,
                                        .environment = environment,
                                        .paths = paths,
                                        .path_count = count,
                                        .input = input,
                                        .input_bytes = strlen(input)};
    run_in_time(job, &request, execution);
    for (size_t i = 0; i < texts.count; i++)
        free(texts.list[i]);
}

/* ---- how it ended --------------------------------------------------------------------------------------------------- */

bool program_run_timed_out(const struct execution *execution)
{
    bool by_limit = execution->end.signalled && (execution->end.code == SIGXCPU || execution->end.code == SIGKILL);
    return execution->timed_out || by_limit;
}

/* Did it take most of the memory that it may? Then that is likely what ended it. */
static bool took_much(const struct execution *execution, uint64_t *most_mb)
{
    *most_mb = sandbox_address_space_mb(execution->layer);
    return *most_mb > 0 && execution->end.resident_mb > *most_mb / 2;
}

void program_run_describe_end(const struct execution *execution, char *text, size_t text_bytes)
{
    uint64_t most_mb;
    if (execution->refused)
        snprintf(text, text_bytes, "cannot be started: the system says \"%s\"", strerror(execution->refused));
    else if (execution->timed_out && execution->is_last)
        snprintf(text, text_bytes, "does not end in time: all its runs together may take %d s", PROGRAM_RUNS_MS / 1000);
    else if (program_run_timed_out(execution))
        snprintf(text, text_bytes, "does not end: it was stopped after %d s",
                 execution->timed_out ? RUN_WALL_MS / 1000 : (int)sandbox_cpu_seconds(execution->layer));
    else if (execution->end.signalled)
        snprintf(text, text_bytes, "is ended by signal %d (%s)", execution->end.code, strsignal(execution->end.code));
    else
        snprintf(text, text_bytes, "ends with status %d", execution->end.code);
    size_t used = strlen(text);
    if (!execution->refused && !program_run_timed_out(execution) && took_much(execution, &most_mb))
        snprintf(text + used, text_bytes - used,
                 "; it had taken %llu MB of memory, and may take %llu MB, the driver's included",
                 (unsigned long long)execution->end.resident_mb, (unsigned long long)most_mb);
}
