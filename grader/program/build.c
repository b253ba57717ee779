#include "grader/program/build.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/compile/compile_step.h"
#include "grader/lab/kit.h"
#include "grader/program/execution.h"
#include "grader/program/split.h"
#include "runtime/base/printable.h"
#include "runtime/compile/diagnostics.h"

/* The runtime library in one piece, beside the emulated driver. */
#define RUNTIME_OBJECT "lockstep.o"

enum { BUILD_WALL_MS = 60000, MOST_WORDS = 24, LINES_WALL_MS = 20000 };

/* What compilers and linkers may open beside the build's folder: the system's tools, libraries and headers. */
static const struct sandbox_path tool_paths[] = {
    {"/bin", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/usr/bin", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/lib", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/usr/lib", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/lib64", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/usr/lib64", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/usr/libexec", SANDBOX_READ | SANDBOX_EXECUTE},
    {"/usr/include", SANDBOX_READ},
    {"/etc/alternatives", SANDBOX_READ}, /* links: cc is one of them */
    {"/etc/ld.so.cache", SANDBOX_READ},
    {"/etc/ld.so.conf", SANDBOX_READ},
    {"/etc/ld.so.conf.d", SANDBOX_READ},
    {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/urandom", SANDBOX_READ},
};
enum { TOOL_PATHS = sizeof tool_paths / sizeof *tool_paths };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Makes the folder and puts the source into it. */
static bool prepare(const struct submission *submission, struct build *build)
{
    if (!scratch_make("build", &build->scratch)) {
        snprintf(build->message, sizeof build->message, "no folder for building could be made: %s", strerror(errno));
        return false;
    }
    snprintf(build->folder, sizeof build->folder, "%s", build->scratch.path);
    snprintf(build->program, sizeof build->program, "%s/program", build->folder);
    snprintf(build->source, sizeof build->source, "%.200s", base_name(submission->path));
    char *path = allocate_format("%s/%s", build->folder, build->source);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = file >= 0 && write(file, submission->source, submission->source_bytes) == (ssize_t)submission->source_bytes;
    if (!good)
        snprintf(build->message, sizeof build->message, "the source could not be written to %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    free(path);
    return good;
}

/* Runs a tool in the build's folder.
 *   toolkit   NULL: no CUDA toolkit is used */
static void run_tool(const struct build *build, const char *toolkit, char *const *arguments, const char *input,
                     struct execution *execution)
{
    struct sandbox_path paths[TOOL_PATHS + 4];
    memcpy(paths, tool_paths, sizeof tool_paths);
    size_t count = TOOL_PATHS;
    paths[count++] = (struct sandbox_path){build->folder, SANDBOX_READ | SANDBOX_MAKE};
    char *header = allocate_format("%s/runtime/lockstep.h", kit_root());
    paths[count++] = (struct sandbox_path){build->emulated, SANDBOX_READ};
    paths[count++] = (struct sandbox_path){header, SANDBOX_READ};
    if (toolkit)
        paths[count++] = (struct sandbox_path){toolkit, SANDBOX_READ | SANDBOX_EXECUTE};
    char *path = allocate_format("PATH=%s%s/usr/bin:/bin", toolkit ? toolkit : "", toolkit ? "/bin:" : "");
    char *temporary = allocate_format("TMPDIR=%s", build->folder);
    char *environment[] = {path, temporary, "LC_ALL=C", NULL};
    struct execution_request request = {.layer = SANDBOX_BUILD,
                                        .folder = build->folder,
                                        .arguments = arguments,
                                        .environment = environment,
                                        .paths = paths,
                                        .path_count = count,
                                        .input = input,
                                        .input_bytes = input ? strlen(input) : 0,
                                        .wall_ms = BUILD_WALL_MS};
    execution_run(&request, execution);
    free(header);
    free(path);
    free(temporary);
}

/* ---- what compilers say ------------------------------------------------------------------------------------------- */

/* Is it a severity? The assembler writes it with a capital. */
static bool is_error_word(const char *text, size_t *length)
{
    static const char *const words[] = {"error: ", "fatal error: "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        *length = strlen(words[i]);
        if (strncasecmp(text, words[i], *length) == 0)
            return true;
    }
    return false;
}

/* What tools say that know little of the source: the assembler "file:12: Error: words", the linker "file:12:(.text+0x1f): words",
 * and any of them "cc1plus: fatal error: words". NVIDIA's "file(12): error: words" is none of these. A place outside of the source
 * is left out: it is in a file that is gone, or in a header that the linker blames for what the source asks for. Returns false
 * when the line says nothing of the kind. */
static bool put_late_line(FILE *file, const struct build *build, const char *text)
{
    static const char too_far[] = "relocation truncated to fit";
    char name[300], section[100];
    int number = 0, used = 0;
    size_t skip = 0;
    const char *ending = "";
    if (sscanf(text, "%299[^: ]:%d:(%99[^)]): %n", name, &number, section, &used) == 3 && used > 0
        && strncmp(text + used, too_far, sizeof too_far - 1) == 0)
        ending = " (the code and the static variables of a program must fit in 2 GB)";
    else if (!(sscanf(text, "%299[^: ]:%d: %n", name, &number, &used) == 2 && used > 0 && is_error_word(text + used, &skip))
             && !(sscanf(text, "%299[^:( ]: %n", name, &used) == 1 && used > 0 && is_error_word(text + used, &skip)
                  && strncmp(name, "collect2", 8) != 0)) /* which only says that the linker failed */
        return false;
    if (number > 0 && strcmp(base_name(name), build->source) == 0)
        fprintf(file, "%s(%d): ", name, number);
    fprintf(file, "error: %s%s\n", text + used + skip, ending);
    return true;
}

/* "file:12:5: error: words" of the host's compiler becomes "file(12): error: words", which NVIDIA's say. */
static void put_line(FILE *file, const struct build *build, const char *line, size_t length)
{
    char name[300], severity[20];
    int number, column, used = 0;
    char *text = allocate_text(line, length);
    if (sscanf(text, "%299[^:]:%d:%d: %19[a-z ]: %n", name, &number, &column, severity, &used) == 4 && used > 0)
        fprintf(file, "%s(%d): %s: %s\n", name, number, severity, text + used);
    else if (!put_late_line(file, build, text))
        fprintf(file, "%s\n", text);
    free(text);
}

static char *as_one_form(const struct build *build, const char *log)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return allocate_text(log, strlen(log));
    for (const char *at = log; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        put_line(file, build, at, length);
        at += length + (at[length] == '\n');
    }
    fclose(file);
    return text;
}

/* What a tool printed, without the folder's name, which differs each time. */
static char *read_log(const struct execution *execution, const struct build *build)
{
    char *log = allocate_format("%s%s", execution->output, execution->errors);
    char *folder = allocate_format("%s/", build->folder);
    size_t length = strlen(folder);
    for (char *at = log; (at = strstr(at, folder));)
        memmove(at, at + length, strlen(at + length) + 1);
    free(folder);
    return log;
}

/* The linker says what is missing, seldom where. */
static void find_undefined(const char *log, const char *file, struct diagnostics *diagnostics)
{
    static const char words[] = "undefined reference to ";
    const char *hit = strstr(log, words);
    char name[200] = "", message[512];
    if (!hit || diagnostics_have_error(diagnostics))
        return;
    sscanf(hit + sizeof words - 1, "%*1[`']%199[^'\n]", name);
    if (strcmp(name, "main") == 0)
        snprintf(message, sizeof message, "The file has no function main: a program begins there.");
    else
        snprintf(message, sizeof message, "%s is used, but nothing defines it.", name);
    diagnostics_add(diagnostics, LOCKSTEP_ERROR, file, 0, 0, message);
}

/* Returns whether an error names a line of the source. */
static bool take_diagnostics(const struct submission *submission, const char *log, struct build *build)
{
    struct diagnostics found = {0};
    bool placed = false;
    char *text = as_one_form(build, log);
    diagnostics_parse(text, strlen(text), &found);
    find_undefined(text, submission->path, &found);
    free(text);
    for (size_t i = 0; i < found.count; i++) {
        lockstep_diagnostic *entry = &found.entries[i];
        bool in_source = strcmp(base_name(entry->file), build->source) == 0;
        if (in_source || entry->file[0] == '\0')
            snprintf(entry->file, sizeof entry->file, "%.255s", submission->path);
        placed = placed || (in_source && entry->line > 0 && entry->severity == LOCKSTEP_ERROR);
    }
    build->diagnostics = found.entries;
    build->diagnostic_count = found.count;
    return placed;
}

/* The lines in which a tool says what stopped it, in one: those that name it ("cc1plus: out of memory ..."); else all. */
static void quote_tool(const char *log, char *quoted, size_t quoted_bytes)
{
    static const char *const tools[] = {"cc1", "as:", "ld:", "/usr/bin/ld", "collect2", "nvcc",  "gcc",
                                        "g++", "c++", "cc:", "cudafe",      "cicc",     "ptxas", "fatbinary"};
    quoted[0] = '\0';
    for (int all = 0; all < 2 && quoted[0] == '\0'; all++)
        for (const char *at = log; *at != '\0';) {
            size_t length = strcspn(at, "\n");
            bool taken = all && length > 0;
            for (size_t i = 0; i < sizeof tools / sizeof *tools && !taken; i++)
                taken = strncmp(at, tools[i], strlen(tools[i])) == 0 && memchr(at, ':', length);
            size_t used = strlen(quoted);
            if (taken && used + 8 < quoted_bytes) {
                if (used > 0)
                    used = printable_append(quoted, quoted_bytes, "; ", 2);
                printable_append(quoted, quoted_bytes, at, length);
            }
            at += length + (at[length] == '\n');
        }
}

/* Memory that the program takes before it runs, in MB: its code and static variables. 0: it cannot be read. */
static uint64_t static_mb(const struct build *build)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    uint64_t bytes = 0;
    int file = open(build->program, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && pread(file, &header, sizeof header, 0) == (ssize_t)sizeof header
                && header.e_phentsize == sizeof segment;
    for (unsigned i = 0; good && i < header.e_phnum; i++) {
        off_t at = (off_t)(header.e_phoff + i * sizeof segment);
        good = pread(file, &segment, sizeof segment, at) == (ssize_t)sizeof segment;
        if (good && segment.p_type == PT_LOAD && __builtin_add_overflow(bytes, segment.p_memsz, &bytes))
            bytes = UINT64_MAX;
    }
    if (file >= 0)
        close(file);
    return good ? bytes >> 20 : 0;
}

/* The system would end it before it begins, and not say why. */
static void check_static(struct build *build)
{
    uint64_t takes = static_mb(build), most = sandbox_address_space_mb(SANDBOX_PROGRAM);
    if (takes < most)
        return;
    build->built = false;
    snprintf(build->message, sizeof build->message,
             "The static variables of the program take %llu MB. A program may take %llu MB of memory.",
             (unsigned long long)takes, (unsigned long long)most);
}

/* Takes the verdict of the last tool. What it could not do is the source's fault if a line of it is named; else
 * `build_program` looks whether anything can be built here. */
static void judge_tool(const struct submission *submission, const struct execution *execution, struct build *build)
{
    struct diagnostics said;
    char quoted[500];
    build->built = execution->started && !execution->timed_out && !execution->end.signalled && execution->end.code == 0
                   && access(build->program, X_OK) == 0;
    if (!execution->started) {
        build->harness = true;
        snprintf(build->message, sizeof build->message, "%s", execution->message);
        return;
    }
    char *log = read_log(execution, build);
    build->unplaced = !take_diagnostics(submission, log, build) && !build->built;
    said = (struct diagnostics){build->diagnostics, build->diagnostic_count, build->diagnostic_count};
    if (!build->built && execution->timed_out) {
        build->unplaced = true;
        snprintf(build->message, sizeof build->message, "The compiler did not finish within %d s.", BUILD_WALL_MS / 1000);
    } else if (!build->built && !diagnostics_have_error(&said)) {
        quote_tool(log, quoted, sizeof quoted);
        snprintf(build->message, sizeof build->message,
                 "The compiler gave up and named no line. %s%s%sEach of its steps may take %llu MB of memory and %u s of "
                 "processor time.",
                 quoted[0] != '\0' ? "It said: \"" : "", quoted, quoted[0] != '\0' ? "\". " : "",
                 (unsigned long long)sandbox_address_space_mb(SANDBOX_BUILD), sandbox_cpu_seconds(SANDBOX_BUILD));
    } else if (build->built) {
        check_static(build);
    }
    free(log);
}

/* ---- without nvcc -------------------------------------------------------------------------------------------------- */

static bool write_file(const struct build *build, const char *name, const char *text)
{
    char *path = allocate_format("%s/%s", build->folder, name);
    FILE *file = fopen(path, "we");
    bool good = file && fputs(text, file) >= 0;
    good = file && fclose(file) == 0 && good;
    free(path);
    return good;
}

/* The PTX names the source by the folder in which the compiler ran: it lies in the build's folder. */
static char *name_source(const struct build *build, const char *ptx)
{
    char *text = NULL, *wanted = allocate_format("/%s\"", build->source);
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    for (const char *at = ptx; file && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        const char *quote = memchr(at, '"', length),
                   *hit = quote ? memmem(quote, length - (size_t)(quote - at), wanted, strlen(wanted)) : NULL;
        if (hit && memmem(at, length, ".file", 5))
            fprintf(file, "%.*s\"%s%.*s", (int)(quote - at), at, build->folder, (int)(at + length - hit), hit);
        else
            fwrite(at, 1, length, file);
        fputc('\n', file);
        at += length + (at[length] == '\n');
    }
    if (file)
        fclose(file);
    free(wanted);
    return text;
}

/* Puts the diagnostics of NVRTC into the build. */
static void take_device(const struct submission *submission, struct compile_result *device, struct build *build)
{
    build->diagnostics = device->diagnostics;
    build->diagnostic_count = device->diagnostic_count;
    device->diagnostics = NULL;
    device->diagnostic_count = 0;
    for (size_t i = 0; i < build->diagnostic_count; i++)
        if (strcmp(base_name(build->diagnostics[i].file), build->source) == 0)
            snprintf(build->diagnostics[i].file, sizeof build->diagnostics->file, "%.255s", submission->path);
    build->harness = device->outcome == COMPILE_HARNESS;
    if (device->outcome != COMPILE_REJECTED)
        snprintf(build->message, sizeof build->message, "%.1000s", device->message);
}

static void build_host(const struct submission *submission, const struct split *split, struct build *build)
{
    char *library = allocate_format("%s/libcudart.so.13", build->emulated),
         *headers = allocate_format("-I%s/include", build->emulated);
    char *arguments[MOST_WORDS] = {"/usr/bin/c++",
                                   "-std=c++17",
                                   "-g",
                                   "-D__CUDACC__",
                                   headers,
                                   "-fno-diagnostics-show-caret",
                                   "-ftrack-macro-expansion=0",
                                   "-o",
                                   "program",
                                   "host.cpp",
                                   library,
                                   "-Wl,--allow-shlib-undefined",
                                   NULL};
    struct execution execution;
    build->harness = !write_file(build, "host.cpp", split->host);
    if (build->harness) {
        snprintf(build->message, sizeof build->message, "the host's part could not be written to %.900s", build->folder);
    } else {
        run_tool(build, NULL, arguments, NULL, &execution);
        judge_tool(submission, &execution, build);
        execution_clear(&execution);
    }
    free(library);
    free(headers);
}

/* The device's part by NVRTC, the host's by the system's C++ compiler. */
static void build_in_parts(const struct submission *submission, struct build *build)
{
    struct split split;
    struct compile_result *device = allocate_zeroed(sizeof *device);
    build->harness = true;
    if (access("/usr/bin/c++", X_OK) != 0) {
        snprintf(
            build->message, sizeof build->message,
            "Your machine has neither nvcc nor a C++ compiler (/usr/bin/c++), and a lab in which you write a whole program "
            "needs one of them. Install one (Debian, Ubuntu: apt install g++; `ci/setup` does it for you).");
    } else if (!split_source(submission->source, submission->source_bytes, build->source, &split)) {
        snprintf(build->message, sizeof build->message, "Line %d: %s", split.line, split.message);
        split_clear(&split);
    } else {
        struct compile_input input = {
            .source = split.device, .source_bytes = strlen(split.device), .file_name = build->source};
        compile_step(&input, device);
        if (device->outcome != COMPILE_DONE) {
            take_device(submission, device, build);
        } else {
            const char **entries = allocate_zeroed((device->summary.entry_count + 1) * sizeof *entries);
            for (size_t i = 0; i < device->summary.entry_count; i++)
                entries[i] = device->summary.entries[i].name;
            char *ptx = name_source(build, device->ptx);
            bool registered = split_register(&split, ptx, entries, device->summary.entry_count);
            build_host(submission, &split, build); /* where the host's part is wrong, that says more */
            if (build->built && !registered) {
                build->built = false;
                build->harness = true;
                snprintf(build->message, sizeof build->message, "%s", split.message);
            }
            free(ptx);
            free(entries);
        }
        split_clear(&split);
    }
    compile_step_clear(device);
    free(device);
}

/* ---- in C ----------------------------------------------------------------------------------------------------------- */

/* Does it include the kit's runtime library? */
static bool is_on_runtime(const struct submission *submission)
{
    char *text = allocate_text(submission->source, submission->source_bytes);
    bool found = false;
    for (const char *at = strstr(text, "lockstep.h"); at && !found; at = strstr(at + 1, "lockstep.h")) {
        const char *line = at;
        int used = 0;
        while (line > text && line[-1] != '\n')
            line--;
        sscanf(line, " # include %*1[<\"]%n", &used);
        found = used > 0 && line + used <= at;
    }
    free(text);
    return found;
}

/* A program in C on runtime/lockstep.h. */
static void build_in_c(const struct submission *submission, struct build *build)
{
    char *headers = allocate_format("-I%s", kit_root()), *library = allocate_format("%s/" RUNTIME_OBJECT, build->emulated);
    char *arguments[] = {"/usr/bin/cc",
                         "-std=gnu17",
                         "-g",
                         "-Wall",
                         headers,
                         "-fno-diagnostics-show-caret",
                         "-ftrack-macro-expansion=0",
                         "-pthread",
                         "-o",
                         "program",
                         "-x",
                         "c",
                         build->source,
                         "-x",
                         "none",
                         library,
                         "-liberty",
                         "-lmd",
                         "-lutf8proc",
                         "-ldl",
                         "-lm",
                         NULL};
    struct execution execution;
    build->on_runtime = true;
    build->harness = true;
    if (access("/usr/bin/cc", X_OK) != 0) {
        snprintf(build->message, sizeof build->message,
                 "A program in C needs a C compiler, and /usr/bin/cc is not there. `ci/setup` installs one.");
    } else if (access(library, R_OK) != 0) {
        snprintf(build->message, sizeof build->message, "%.900s is missing: run `ninja`", library);
    } else {
        build->harness = false;
        run_tool(build, NULL, arguments, NULL, &execution);
        judge_tool(submission, &execution, build);
        execution_clear(&execution);
    }
    free(library);
    free(headers);
}

static void build_once(const struct submission *submission, struct build *build)
{
    char toolkit[TOOLS_PATH_BYTES];
    memset(build, 0, sizeof *build);
    build->harness = true;
    if (!tools_find_driver(build->emulated)) {
        snprintf(build->message, sizeof build->message, "the emulated driver is missing: run `ninja`");
        return;
    }
    bool has_toolkit = tools_find_toolkit(toolkit);
    if (!prepare(submission, build))
        return;
    build->harness = false;
    if (is_on_runtime(submission)) {
        build_in_c(submission, build);
        return;
    }
    if (!has_toolkit) {
        build_in_parts(submission, build);
        return;
    }
    snprintf(build->toolkit, sizeof build->toolkit, "%s", toolkit);
    char *nvcc = allocate_format("%s/bin/nvcc", toolkit);
    char *arguments[MOST_WORDS] = {nvcc,          "-std=c++17",
                                   "-g",          "-lineinfo",
                                   "-cudart",     "shared",
                                   "-gencode",    "arch=compute_75,code=compute_75",
                                   "-Xcompiler",  "-fno-diagnostics-show-caret",
                                   "-o",          "program",
                                   build->source, NULL};
    struct execution execution;
    run_tool(build, toolkit, arguments, NULL, &execution);
    judge_tool(submission, &execution, build);
    execution_clear(&execution);
    free(nvcc);
}

bool build_nothing(const struct build *like, struct build *build)
{
    static const char cuda[] =
        "__global__ void nothing()\n{\n}\n\nint main()\n{\n    nothing<<<1, 1>>>();\n    return 0;\n}\n",
                      in_c[] = "#include \"runtime/lockstep.h\"\n\nint main(void)\n{\n    return 0;\n}\n";
    struct submission *nothing = allocate_zeroed(sizeof *nothing);
    nothing->status = SUBMISSION_READ;
    snprintf(nothing->path, sizeof nothing->path, "%s", like->on_runtime ? "nothing.c" : "nothing.cu");
    nothing->source = allocate_format("%s", like->on_runtime ? in_c : cuda);
    nothing->source_bytes = strlen(nothing->source);
    build_once(nothing, build);
    free(nothing->source);
    free(nothing);
    return build->built;
}

/* Is it the machine that builds nothing? */
static void suspect_machine(struct build *build)
{
    struct build *nothing = allocate_zeroed(sizeof *nothing);
    if (!build_nothing(build, nothing)) {
        build->harness = true;
        snprintf(build->message, sizeof build->message,
                 "No program is built on this machine, not even one that does nothing. %.800s",
                 nothing->message[0] != '\0'     ? nothing->message
                 : nothing->diagnostic_count > 0 ? nothing->diagnostics[0].message
                                                 : "");
    }
    build_clear(nothing);
    free(nothing);
}

void build_program(const struct submission *submission, struct build *build)
{
    build_once(submission, build);
    if (!build->built && !build->harness && build->unplaced)
        suspect_machine(build);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

bool build_find_places(const struct build *build, const uint64_t *addresses, size_t count, struct build_place *places)
{
    char *text = NULL;
    size_t bytes = 0;
    memset(places, 0, count * sizeof *places);
    FILE *input = open_memstream(&text, &bytes);
    for (size_t i = 0; input && i < count; i++)
        fprintf(input, "0x%" PRIx64 "\n", addresses[i]);
    if (!input || fclose(input) != 0 || count == 0) {
        free(text);
        return count == 0;
    }
    char *arguments[] = {"/usr/bin/addr2line", "-f", "-e", "program", NULL};
    struct execution execution;
    run_tool(build, NULL, arguments, text, &execution);
    free(text);
    bool good = execution.started && !execution.timed_out && !execution.end.signalled && execution.end.code == 0;
    const char *at = good ? execution.output : "";
    for (size_t i = 0; i < 2 * count && *at != '\0'; i++) { /* a line with the function, a line with the place */
        size_t length = strcspn(at, "\n");
        char *line = allocate_text(at, length), *colon = strrchr(line, ':');
        struct build_place *place = &places[i / 2];
        if (i % 2 == 0) {
            snprintf(place->function, sizeof place->function, "%s", line);
        } else if (colon) {
            *colon = '\0';
            place->line = strcmp(base_name(line), build->source) == 0 ? atoi(colon + 1) : 0;
        }
        free(line);
        at += length + (at[length] == '\n');
    }
    execution_clear(&execution);
    return good;
}

/* ---- the end ------------------------------------------------------------------------------------------------------ */

void build_clear(struct build *build)
{
    scratch_remove(&build->scratch);
    free(build->diagnostics);
    memset(build, 0, sizeof *build);
}
