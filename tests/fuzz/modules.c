/* Fuzzer of modules that load: mutants of seeds are launched under random settings, which only a crash, a sanitizer's report,
 * a leak, a refusal without a reason or more processor time than the fuel explains can fail.
 *
 *     modules pack CORPUS FILE.ptx...               the kernels of all files, one by one, for `run`
 *     modules run CORPUS [OPTION]...                 mutants of the corpus
 *         --seconds N   how long (30)                 --jobs N    processes (1)
 *         --batches N   or how many batches of cases  --seed N    of all that is drawn (1)
 *         --case N      this one alone                --out DIR   where failing cases go (.)
 *     modules replay FILE...                        failing cases, or regressions (tests/fuzz/cases)
 *     modules minimize FILE OUT                     the smallest module that fails in the same way
 *
 * A case is a function of seed and number. A batch of cases shares a process, and so the settings that a process has; the
 * driver in it sees one context after the other. Exits 1 when something failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/language/ptx/printer.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/trial.h"

enum { CASES = 200, TRACED_CASES = 60, LONGEST_CASE = 512 << 10, OUTPUT_SHOWN = 6000, MOST_MUTATIONS = 24, MOST_STOPS = 50 };

/* What a worker and the processes of its batches share. */
struct board {
    uint64_t current; /* number of the case in its batch */
    uint64_t results[TRIAL_RESULTS];
    uint64_t stops;
    char text[LONGEST_CASE]; /* of the current case: its line, its PTX */
    struct mutate_memory memory;
};

struct options {
    double seconds;
    uint64_t batches, seed, only;
    unsigned jobs;
    bool has_only, has_batches;
    const char *out;
};

static struct board *board;
static FILE *output; /* stderr of the processes */

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void on_time_over(int number)
{
    static const char words[] = "fuzz: HANG: more processor time than the fuel explains\n";
    (void)number;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(125);
    abort();
}

static void limit_time(unsigned seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    signal(SIGPROF, on_time_over);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void redirect_output(void)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
    close(nothing);
}

/* ---- one case ---- */

/* Changes a seed; returns the text, or NULL when it does not fit. */
static char *make_mutant(const struct corpus *corpus, struct draw *draw, size_t *length)
{
    const struct corpus_seed *seed = corpus_draw(corpus, draw);
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};
    if (ptx_parse(seed->text, seed->length, &module, &diagnostic) != PTX_OK)
        return NULL;
    struct mutation mutation = {module, &corpus->stock, &board->memory, trial_loads, draw};
    size_t count = 1;
    while (count < MOST_MUTATIONS && !draw_once_in(draw, 4))
        count++;
    for (size_t done = 0, tries = 0; done < count && tries < 4 * count; tries++)
        done += mutate(&mutation);
    char *text = ptx_print(module, length);
    ptx_module_destroy(module);
    if (text && *length + 512 < LONGEST_CASE)
        return text;
    free(text);
    return NULL;
}

static void run_case(const struct corpus *corpus, struct trial *trial, uint64_t seed, uint64_t number)
{
    struct draw draw = draw_begin(seed, number);
    size_t length;
    char line[512];
    if (ftruncate(fileno(output), 0) != 0)
        abort();
    board->text[0] = 0;
    trial_begin();
    trial_draw_launch(trial, &draw);
    limit_time(trial_limit_s(trial));
    char *text = make_mutant(corpus, &draw, &length);
    if (text) {
        trial_print(trial, line);
        snprintf(board->text, sizeof board->text, "%s\n%s", line, text);
        board->results[trial_run(trial, text)]++;
    }
    free(text);
    trial_end();
    limit_time(0);
}

static uint64_t cases_of(const struct trial *trial)
{
    return trial->trace ? TRACED_CASES : CASES; /* only the first launches of a process are traced */
}

static struct trial process_of(uint64_t seed, uint64_t batch)
{
    struct trial trial;
    struct draw draw = draw_begin(seed ^ 0x5EED, batch);
    trial_draw_process(&trial, &draw);
    return trial;
}

/* ---- failures ---- */

/* Prints the line that says most of what a process wrote before it died. */
static void print_reason(FILE *to, const char *text)
{
    static const char *const marks[] = {"runtime error:", "ERROR: ", "Assertion", "fuzz:", "fuzz trial:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(text, marks[i]);
        if (!found)
            continue;
        const char *begin = found;
        while (begin > text && begin[-1] != '\n')
            begin--;
        fprintf(to, "%.*s\n", (int)strcspn(begin, "\n"), begin);
        return;
    }
    fprintf(to, "%s\n", *text ? "see its output" : "it wrote nothing");
}

static void read_output(char text[OUTPUT_SHOWN])
{
    rewind(output);
    size_t length = fread(text, 1, OUTPUT_SHOWN - 1, output);
    text[length] = 0;
}

static void save(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static void report(const struct options *options, uint64_t batch, uint64_t number, uint64_t cases, int status)
{
    static char said[OUTPUT_SHOWN];
    char path[1024];
    read_output(said);
    board->stops++;
    uint64_t case_number = batch * CASES + number;
    if (number == cases)
        printf("batch of case %llu ends wrongly (%d): ", (unsigned long long)(batch * CASES), status);
    else
        printf("case %llu, seed %llu (%s %d): ", (unsigned long long)case_number, (unsigned long long)options->seed,
               WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    print_reason(stdout, said);
    fflush(stdout);
    snprintf(path, sizeof path, "%s/case_%llu_%llu.ptx", options->out, (unsigned long long)options->seed,
             (unsigned long long)case_number);
    if (number < cases)
        save(path, board->text);
    strcat(path, ".txt");
    save(path, said);
}

/* ---- batches ---- */

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* Runs cases `first` to `end` of a batch, each failure ending a process. */
static void run_batch(const struct corpus *corpus, const struct options *options, uint64_t batch, uint64_t first,
                      uint64_t end)
{
    struct trial trial = process_of(options->seed, batch);
    while (first < end && board->stops < MOST_STOPS) {
        board->current = first;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            redirect_output();
            trial_begin_process(&trial);
            for (; board->current < end; board->current++)
                run_case(corpus, &trial, options->seed, batch * CASES + board->current);
            exit(0); /* with the sanitizer's search for leaks */
        }
        int status = wait_for(child);
        if (status != 0)
            report(options, batch, board->current, end, status);
        first = board->current + 1;
    }
}

static void print_totals(const char *who, const struct board *boards, unsigned jobs, double seconds)
{
    uint64_t results[TRIAL_RESULTS] = {0}, stops = 0, loaded = 0;
    for (unsigned i = 0; i < jobs; i++) {
        for (int r = 0; r < TRIAL_RESULTS; r++)
            results[r] += boards[i].results[r];
        stops += boards[i].stops;
    }
    for (int r = TRIAL_LOADED; r < TRIAL_RESULTS; r++)
        loaded += results[r];
    uint64_t all = loaded + results[TRIAL_REFUSED];
    printf(
        "%s: %llu mutants, %llu loaded (%.1f %%), %llu launched, %llu of them failed; %llu stops; %.0f s, %.0f loaded/s\n",
        who, (unsigned long long)all, (unsigned long long)loaded, all ? 100.0 * (double)loaded / (double)all : 0.0,
        (unsigned long long)(results[TRIAL_FAILED] + results[TRIAL_RAN]), (unsigned long long)results[TRIAL_FAILED],
        (unsigned long long)stops, seconds, seconds > 0 ? (double)loaded / seconds : 0.0);
    fflush(stdout);
}

static void *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void work(const struct corpus *corpus, const struct options *options, unsigned job, double start)
{
    output = tmpfile();
    if (!output)
        exit(2);
    fcntl(fileno(output), F_SETFL, O_APPEND);
    for (uint64_t batch = job; board->stops < MOST_STOPS; batch += options->jobs) {
        if (options->has_batches ? batch >= options->batches : now_s() - start >= options->seconds)
            return;
        struct trial trial = process_of(options->seed, batch);
        run_batch(corpus, options, batch, 0, cases_of(&trial));
    }
}

static int run(const struct corpus *corpus, const struct options *options)
{
    struct board *boards = share(options->jobs * sizeof *boards);
    double start = now_s();
    if (!boards)
        return 2;
    printf("fuzz: %zu seeds of %u files, %zu instructions to insert, seed %llu\n", corpus->count, corpus->groups,
           corpus->stock.count, (unsigned long long)options->seed);
    if (options->has_only) {
        board = boards;
        output = tmpfile();
        fcntl(fileno(output), F_SETFL, O_APPEND);
        run_batch(corpus, options, options->only / CASES, options->only % CASES, options->only % CASES + 1);
    } else {
        fflush(stdout);
        for (unsigned job = 0; job < options->jobs; job++) {
            board = &boards[job];
            if (fork() == 0) {
                work(corpus, options, job, start);
                _exit(0);
            }
        }
        while (wait(NULL) > 0)
            ;
    }
    print_totals("fuzz", boards, options->jobs, now_s() - start);
    uint64_t stops = 0;
    for (unsigned i = 0; i < options->jobs; i++)
        stops += boards[i].stops;
    return stops > 0;
}

/* ---- replay ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(1, LONGEST_CASE) : NULL;
    if (text)
        text[fread(text, 1, LONGEST_CASE - 1, file)] = 0;
    if (file)
        fclose(file);
    return text;
}

/* Runs a text in a process of its own; returns the status that it ends with, and what it wrote. */
static int try_text(const char *text, const struct trial *given, enum trial_result *result, char said[OUTPUT_SHOWN])
{
    struct trial trial = *given;
    fflush(NULL);
    if (ftruncate(fileno(output), 0) != 0)
        abort();
    board->current = TRIAL_RESULTS;
    pid_t child = fork();
    if (child == 0) {
        redirect_output();
        trial_begin_process(&trial);
        limit_time(trial_limit_s(&trial));
        trial_begin();
        board->current = trial_run(&trial, text);
        trial_end();
        exit(0);
    }
    int status = wait_for(child);
    *result = (enum trial_result)board->current;
    read_output(said);
    return status;
}

static int replay(const char *path)
{
    static const char *const words[] = {[TRIAL_REFUSED] = "refused",
                                        [TRIAL_LOADED] = "loaded, not launched",
                                        [TRIAL_FAILED] = "ran, with an error",
                                        [TRIAL_RAN] = "ran",
                                        [TRIAL_RESULTS] = "did not end"};
    static char said[OUTPUT_SHOWN];
    enum trial_result result;
    struct trial trial = {0};
    char *text = read_text(path);
    if (!text || !trial_parse(&trial, text)) {
        fprintf(stderr, "fuzz: %s: %s\n", path, text ? "no line \"" TRIAL_MARK " gpu=…\"" : strerror(errno));
        free(text);
        return 1;
    }
    int status = try_text(text, &trial, &result, said);
    printf("%s: %s", path, words[result]);
    if (status != 0) {
        printf("; %s %d: ", WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        print_reason(stdout, said);
        printf("%s", said);
    }
    printf("\n");
    if (status == 0 && getenv("FUZZ_OUTPUT"))
        printf("%s", said);
    free(text);
    return status != 0;
}

/* ---- minimize ---- */

/* What two failures of the same kind share: status and place. */
static void failure_of(int status, const char *said, char key[256])
{
    const char *summary = strstr(said, "SUMMARY: ");
    const char *runtime = strstr(said, "runtime error:");
    const char *at = runtime ? runtime : summary ? summary : said;
    while (runtime && at > said && at[-1] != '\n')
        at--;
    size_t length = strcspn(at, runtime ? " " : "\n");
    snprintf(key, 256, "%d %.*s", status, (int)(length < 200 ? length : 200), at);
}

static bool still_fails(const struct ptx_module *module, const struct trial *trial, const char *key, char **text)
{
    static char said[OUTPUT_SHOWN];
    size_t length;
    char other[256];
    enum trial_result result;
    char *printed = ptx_print(module, &length);
    if (!printed)
        return false;
    int status = try_text(printed, trial, &result, said);
    failure_of(status, said, other);
    if (status == 0 || strcmp(key, other) != 0) {
        free(printed);
        return false;
    }
    free(*text);
    *text = printed;
    return true;
}

/* Deletes up to `count` instructions at a place; false: there is none. */
static bool delete_at(struct ptx_module *module, size_t place, size_t count)
{
    for (size_t f = 0; f < module->function_count; f++) {
        struct ptx_function *function = module->functions[f];
        if (place < function->instruction_count) {
            size_t left = function->instruction_count - place;
            mutate_delete(function, place, count < left ? count : left);
            return true;
        }
        place -= function->instruction_count;
    }
    return false;
}

static void note_used(const struct ptx_operand *operands, unsigned count, bool *used)
{
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].index >= 0)
            used[operands[i].index] = true;
        if (operands[i].second >= 0)
            used[operands[i].second] = true;
        note_used(operands[i].elements, operands[i].count, used);
    }
}

static void renumber(struct ptx_operand *operands, unsigned count, const int *numbers)
{
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].index >= 0)
            operands[i].index = numbers[operands[i].index];
        if (operands[i].second >= 0)
            operands[i].second = numbers[operands[i].second];
        renumber(operands[i].elements, operands[i].count, numbers);
    }
}

static void drop_registers(struct ptx_function *function)
{
    bool *used = calloc(function->register_count + 1, sizeof *used);
    int *numbers = calloc(function->register_count + 1, sizeof *numbers);
    size_t kept = 0;
    for (size_t i = 0; i < function->instruction_count && used; i++) {
        if (function->instructions[i].guard >= 0)
            used[function->instructions[i].guard] = true;
        note_used(function->instructions[i].operands, function->instructions[i].operand_count, used);
    }
    for (size_t i = 0; i < function->register_count && used && numbers; i++)
        if (used[i]) {
            numbers[i] = (int)kept;
            function->registers[kept++] = function->registers[i];
        }
    for (size_t i = 0; i < function->instruction_count && numbers; i++) {
        if (function->instructions[i].guard >= 0)
            function->instructions[i].guard = numbers[function->instructions[i].guard];
        renumber(function->instructions[i].operands, function->instructions[i].operand_count, numbers);
    }
    function->register_count = kept;
    free(used);
    free(numbers);
}

/* What the text may do without: source lines, registers, variables of functions. */
static void drop(struct ptx_module *module, int what, const char *text)
{
    for (size_t f = 0; f < module->function_count; f++) {
        struct ptx_function *function = module->functions[f];
        size_t kept = 0;
        for (size_t i = 0; i < function->instruction_count && what == 0; i++)
            function->instructions[i].location = -1;
        if (what == 1)
            drop_registers(function);
        for (size_t i = 0; i < function->variable_count && what == 2; i++) {
            const char *first = strstr(text, function->variables[i]->name);
            if (first && strstr(first + 1, function->variables[i]->name))
                function->variables[kept++] = function->variables[i];
        }
        function->variable_count = what == 2 ? kept : function->variable_count;
    }
    if (what == 0)
        module->location_count = module->file_count = 0;
}

static struct ptx_module *parse(const char *text)
{
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};
    return ptx_parse(text, strlen(text), &module, &diagnostic) == PTX_OK ? module : NULL;
}

static int minimize(const char *path, const char *out)
{
    static char said[OUTPUT_SHOWN];
    char key[256], line[512];
    enum trial_result result;
    struct trial trial = {0};
    char *text = read_text(path);
    if (!text || !trial_parse(&trial, text))
        return 2;
    int status = try_text(text, &trial, &result, said);
    if (status == 0) {
        printf("%s does not fail\n", path);
        return 1;
    }
    failure_of(status, said, key);
    for (size_t count = 32; count; count /= 2)
        for (size_t place = 0;;) {
            struct ptx_module *module = parse(text);
            bool there = module && delete_at(module, place, count);
            if (!there || !still_fails(module, &trial, key, &text))
                place++;
            ptx_module_destroy(module);
            if (!there)
                break;
        }
    for (int what = 0; what < 3; what++) {
        struct ptx_module *module = parse(text);
        if (module) {
            drop(module, what, text);
            still_fails(module, &trial, key, &text);
            ptx_module_destroy(module);
        }
    }
    trial_print(&trial, line);
    FILE *file = fopen(out, "w");
    if (!file)
        return 2;
    fprintf(file, "%s\n// %s\n%s", line, key, strstr(text, ".version"));
    free(text);
    return fclose(file) == 0 ? 0 : 2;
}

/* ---- command line ---- */

static struct options read_options(char **words)
{
    struct options options = {.seconds = 30, .seed = 1, .jobs = 1, .out = "."};
    for (; words[0] && words[1]; words += 2) {
        const char *value = words[1];
        if (strcmp(words[0], "--seconds") == 0)
            options.seconds = strtod(value, NULL);
        else if (strcmp(words[0], "--jobs") == 0)
            options.jobs = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(words[0], "--seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        else if (strcmp(words[0], "--out") == 0)
            options.out = value;
        else if (strcmp(words[0], "--batches") == 0)
            options.batches = strtoull(value, NULL, 10), options.has_batches = true;
        else if (strcmp(words[0], "--case") == 0)
            options.only = strtoull(value, NULL, 10), options.has_only = true;
    }
    options.jobs = options.jobs ? options.jobs : 1;
    return options;
}

int main(int count, char **words)
{
    struct corpus corpus;
    int status = 0;
    if (count >= 3 && strcmp(words[1], "replay") == 0) {
        board = share(sizeof *board);
        output = tmpfile();
        for (int i = 2; i < count && board && output; i++)
            status |= replay(words[i]);
        return status;
    }
    if (count == 4 && strcmp(words[1], "minimize") == 0) {
        board = share(sizeof *board);
        output = tmpfile();
        return board && output ? minimize(words[2], words[3]) : 2;
    }
    bool pack = count >= 4 && strcmp(words[1], "pack") == 0;
    if (!pack && (count < 3 || strcmp(words[1], "run") != 0)) {
        fprintf(stderr,
                "usage: modules pack CORPUS FILE.ptx... | run CORPUS [OPTION]... | replay FILE... | minimize FILE OUT\n");
        return 2;
    }
    struct options options = read_options(words + 3);
    if (!corpus_read(&corpus, pack ? words + 3 : words + 2, pack ? (size_t)count - 3 : 1))
        return 2;
    if (!corpus.count)
        fprintf(stderr, "fuzz: no seeds\n");
    status = !corpus.count ? 2 : pack ? !corpus_write(&corpus, words[2]) : run(&corpus, &options);
    corpus_clear(&corpus);
    return status;
}
