/* nvcc, as programs find it under `lockstep exec`: NVIDIA's, which is the next in the PATH, but asked for PTX wherever the
 * caller asks for machine code, and for source lines. PyCUDA's SourceModule asks for a cubin and hands it to the driver; the
 * driver takes PTX in its place. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/emulator/stand_ins/keep_source.h"

#define SELF "lockstep: nvcc: "

struct command {
    char **words; /* [count], then NULL; nothing is freed: the program is short-lived */
    size_t count;
    bool cubin;         /* --cubin asked for */
    bool lines;         /* -lineinfo or -G is there already */
    bool host_lines;    /* and debugging information of the host's code */
    bool runs;          /* something is compiled: not --version, --help, -E … */
    const char *output; /* of -o */
    const char *folder; /* of -odir */
    const char *input;  /* the only source; NULL: none, or several */
    size_t inputs;
    const char *machine; /* architecture of the last -gencode */
    bool has_ptx;        /* a -gencode asks for PTX, too */
};

static void *need(void *memory)
{
    if (!memory) {
        fputs(SELF "out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

__attribute__((format(printf, 1, 2))) static char *format(const char *text, ...)
{
    va_list arguments;
    char *made = NULL;
    va_start(arguments, text);
    int length = vasprintf(&made, text, arguments);
    va_end(arguments);
    return need(length < 0 ? NULL : made);
}

static void push(struct command *command, const char *word)
{
    command->words = need(realloc(command->words, (command->count + 2) * sizeof *command->words));
    command->words[command->count++] = (char *)word;
    command->words[command->count] = NULL;
}

/* Is the word this option? With a value behind '=' or in the next word, *value is set, and *index moved past it. */
static bool takes(char **arguments, int *index, const char *const *names, const char **value)
{
    const char *word = arguments[*index];
    for (; *names; names++) {
        size_t length = strlen(*names);
        if (strncmp(word, *names, length) != 0)
            continue;
        if (word[length] == '=') {
            *value = word + length + 1;
            return true;
        }
        if (word[length] == '\0' && arguments[*index + 1]) {
            *value = arguments[++*index];
            return true;
        }
    }
    return false;
}

static bool is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

static const char
    *const ARCHITECTURE[] = {"-arch", "--gpu-architecture", NULL},
           *const CODE[] = {"-code", "--gpu-code", NULL}, *const GENERATE[] = {"-gencode", "--generate-code", NULL},
           *const OUTPUT[] = {"-o", "--output-file", NULL}, *const FOLDER[] = {"-odir", "--output-directory", NULL},
           *const CUBIN[] = {"-cubin", "--cubin", NULL}, *const HOST_LINES[] = {"-g", "--debug", NULL},
           *const LINES[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug", NULL},
           *const ONLY_SAYS[] = {"-V",
                                 "--version",
                                 "-h",
                                 "--help",
                                 "-E",
                                 "--preprocess",
                                 "-M",
                                 "-MM",
                                 "--generate-dependencies",
                                 "--list-gpu-arch",
                                 "--list-gpu-code",
                                 "-dryrun",
                                 "--dryrun",
                                 NULL},
           *const WITH_VALUE[] = {"-I",
                                  "-L",
                                  "-l",
                                  "-D",
                                  "-U",
                                  "-x",
                                  "--x",
                                  "-ccbin",
                                  "--compiler-bindir",
                                  "-Xcompiler",
                                  "--compiler-options",
                                  "-Xptxas",
                                  "--ptxas-options",
                                  "-Xlinker",
                                  "--linker-options",
                                  "-std",
                                  "--std",
                                  "-maxrregcount",
                                  "--maxrregcount",
                                  "--include-path",
                                  "-include",
                                  "--pre-include",
                                  "-cudart",
                                  "--cudart",
                                  "-Xfatbin",
                                  "-Xnvlink",
                                  "-isystem",
                                  "--system-include",
                                  "-MF",
                                  "-m",
                                  NULL};

/* sm_80 → compute_80, in new memory; anything else as it is. */
static const char *virtual_of(const char *architecture)
{
    return strncmp(architecture, "sm_", 3) == 0 ? format("compute_%s", architecture + 3) : architecture;
}

/* The value of arch= in "arch=compute_80,code=sm_80". */
static const char *architecture_of(const char *generate)
{
    const char *value = strstr(generate, "arch=");
    return value ? format("%.*s", (int)strcspn(value + 5, ","), value + 5) : NULL;
}

static bool has_suffix(const char *word, const char *suffix)
{
    size_t length = strlen(word), tail = strlen(suffix);
    return length > tail && strcmp(word + length - tail, suffix) == 0;
}

/* Architecture options: of a cubin, PTX for the architecture that was asked for; else with PTX beside the machine code. */
static bool take_architecture(struct command *command, char **arguments, int *index)
{
    const char *value = NULL;
    if (takes(arguments, index, ARCHITECTURE, &value)) {
        push(command, "-arch");
        push(command, command->cubin ? virtual_of(value) : value);
    } else if (takes(arguments, index, CODE, &value)) {
        if (!command->cubin) {
            push(command, "-code");
            push(command, strstr(value, "compute_") || strncmp(value, "sm_", 3) != 0
                              ? value
                              : format("%s,%s", value, virtual_of(format("%.*s", (int)strcspn(value, ","), value))));
        }
    } else if (takes(arguments, index, GENERATE, &value)) {
        const char *architecture = architecture_of(value), *code = strstr(value, "code=");
        if (command->cubin && architecture) {
            push(command, "-arch");
            push(command, architecture);
        } else {
            push(command, "-gencode");
            push(command, value);
            command->has_ptx |= code && strstr(code, "compute_");
            if (architecture && code && !strstr(code, "lto_"))
                command->machine = architecture;
        }
    } else {
        return false;
    }
    return true;
}

static void read_arguments(struct command *command, char **arguments)
{
    const char *value;
    for (int i = 1; arguments[i]; i++)
        command->cubin |= is_one_of(arguments[i], CUBIN);
    command->runs = arguments[1] != NULL;
    for (int i = 1; arguments[i]; i++) {
        if (take_architecture(command, arguments, &i))
            continue;
        command->lines |= is_one_of(arguments[i], LINES);
        command->host_lines |= is_one_of(arguments[i], HOST_LINES) || strstr(arguments[i], "-Xcompiler=-g");
        command->runs &= !is_one_of(arguments[i], ONLY_SAYS);
        if (is_one_of(arguments[i], CUBIN)) {
            push(command, "-ptx");
        } else if (takes(arguments, &i, OUTPUT, &command->output)) {
            push(command, "-o");
            push(command, command->output);
        } else if (takes(arguments, &i, FOLDER, &command->folder)) {
            push(command, "-odir");
            push(command, command->folder);
        } else if (is_one_of(arguments[i], WITH_VALUE) && arguments[i + 1]) {
            push(command, arguments[i]);
            push(command, arguments[++i]);
            command->host_lines |= strncmp(arguments[i], "-g", 2) == 0 || strstr(arguments[i], ",-g");
        } else {
            value = arguments[i];
            push(command, value);
            if (value[0] != '-' && (has_suffix(value, ".cu") || has_suffix(value, ".ptx"))) {
                command->input = command->inputs++ == 0 ? value : NULL;
            }
        }
    }
    if (command->machine && !command->has_ptx) {
        push(command, "-gencode");
        push(command, format("arch=%s,code=%s", command->machine, command->machine));
    }
}

/* What nvcc would call the file: NAME.cubin, here or in the folder of -odir. */
static const char *default_output(const struct command *command)
{
    const char *slash = strrchr(command->input, '/'), *name = slash ? slash + 1 : command->input;
    int stem = (int)(strrchr(name, '.') - name);
    return command->folder ? format("%s/%.*s.cubin", command->folder, stem, name) : format("%.*s.cubin", stem, name);
}

/* The next nvcc in the PATH that is not this file. */
static const char *find_real(void)
{
    struct stat own, other;
    const char *path = getenv("PATH");
    bool known = stat("/proc/self/exe", &own) == 0;
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        const char *file = format("%.*s/nvcc", length, path);
        if (access(file, X_OK) == 0 && stat(file, &other) == 0 && S_ISREG(other.st_mode)
            && !(known && own.st_dev == other.st_dev && own.st_ino == other.st_ino))
            return file;
        path += length + (path[length] == ':');
    }
    /* Where NVIDIA's packages put it, which not every PATH names. */
    return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 ? "/usr/local/cuda/bin/nvcc" : NULL;
}

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    if (!file)
        return NULL;
    char *text = fstat(fileno(file), &status) == 0 ? need(malloc((size_t)status.st_size + 1)) : NULL;
    if (text) {
        *bytes = fread(text, 1, (size_t)status.st_size, file);
        text[*bytes] = '\0';
    }
    fclose(file);
    return text;
}

/* The source may be gone when a finding is reported (PyCUDA compiles in a folder that it deletes): the PTX names a copy. */
static void keep_the_source(const struct command *command, const char *output)
{
    char whole[PATH_MAX], copy[PATH_MAX];
    size_t bytes, ptx_bytes;
    char *source = realpath(command->input, whole) ? read_file(whole, &bytes) : NULL;
    char *ptx = source ? read_file(output, &ptx_bytes) : NULL;
    if (!ptx || keep_source(source, bytes, whole, copy, sizeof copy) != 0)
        return;
    char *changed = keep_source_rename(ptx, whole, copy);
    FILE *file = changed ? fopen(output, "we") : NULL;
    if (!file)
        return;
    size_t length = strlen(changed);
    bool good = fwrite(changed, 1, length, file) == length;
    if (fclose(file) != 0 || !good) {
        fprintf(stderr, SELF "cannot write %s: %s\n", output, strerror(errno));
        exit(1);
    }
}

static int run(const struct command *command, const char *real)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execv(real, command->words);
        fprintf(stderr, SELF "cannot run %s: %s\n", real, strerror(errno));
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child < 0) {
        fprintf(stderr, SELF "cannot start a process: %s\n", strerror(errno));
        return 1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
    struct command command = {0};
    const char *real = find_real();
    (void)count;
    if (!real) {
        fputs(SELF "NVIDIA's compiler is not in the PATH. Install the CUDA toolkit, or add its bin folder to the PATH.\n",
              stderr);
        return 127;
    }
    push(&command, real);
    read_arguments(&command, arguments);
    if (command.runs && !command.lines && command.inputs > 0)
        push(&command, "-lineinfo");
    if (command.runs && !command.cubin && !command.host_lines && command.inputs > 0) {
        push(&command, "-Xcompiler");
        push(&command, "-g1"); /* lines of calls, for findings about the host */
    }
    if (!command.cubin || !command.runs || command.inputs != 1) {
        if (command.cubin && command.inputs > 1) {
            fputs(SELF "-cubin takes one source at a time here, since each becomes PTX.\n", stderr);
            return 1;
        }
        execv(real, command.words);
        fprintf(stderr, SELF "cannot run %s: %s\n", real, strerror(errno));
        return 127;
    }
    const char *output = command.output ? command.output : default_output(&command);
    if (!command.output) {
        push(&command, "-o");
        push(&command, output);
    }
    int status = run(&command, real);
    if (status == 0)
        keep_the_source(&command, output);
    return status;
}
