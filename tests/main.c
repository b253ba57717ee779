/* The test runner: every suite of suites.def, each in a process of its own, several at a time.
 *
 *   build/tests/run [OPTION]... [SUITE|SUITE/TEST]...
 *     --list          names of all suites and tests
 *     --class LIST    tests of these classes (classes.def): fast,host; without it: fast. A suite or test that is named
 *                     runs whole, whatever its class
 *     --all           tests of every class
 *     --without LIST  leaves out these suites: a,b,c
 *     --slowest N     names the N tests that took most processor time, at the end; default 10
 *     --jobs N        suites at a time; default: processors
 *     --in-process    one suite after another in this process, for a debugger (C suites only)
 *     --timeout N     seconds after which a suite hangs; default 3600
 *
 * A process of its own means: a crash ends one suite, and is a failed test; environment variables and the emulated driver
 * are each suite's own. What a suite prints is shown only when it fails.
 *
 * The suite tells the runner what happens in lines on a pipe (Python suites through report.py):
 *   plan N       how many tests there are          test NAME    a test starts
 *   fail TEXT    something in it is wrong          end SECONDS  it is over, and took so much processor time
 *   skip TEXT    it does not apply here, or a part of it
 *   left N       so many tests of other classes were left out
 *
 * Exit status 0 only if tests ran, all passed, and every suite was set up, cleaned up and ended with status 0.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support.h"

struct suite {
    const char *name;
    enum support_class needs;    /* of each test that has no class of its own */
    bool alone;                  /* runs while no other suite does */
    int (*register_suite)(void); /* NULL: a Python script */
};

static const struct suite suites[] = {
#define SUITE(needs, name)  {#name, CLASS_##needs, false, name##_suite_register},
#define SCRIPT(needs, name) {#name, CLASS_##needs, false, NULL},
#define ALONE(needs, name)  {#name, CLASS_##needs, true, NULL},
#include SUPPORT_SUITES
#undef SUITE
#undef SCRIPT
#undef ALONE
};

#define JOBS_LIMIT         64
#define SHOWN_OUTPUT_BYTES 6000

struct options {
    bool list, in_process;
    unsigned classes; /* a bit each */
    int jobs, slowest;
    double timeout_seconds;
    const char *without; /* names with commas between them; NULL: no suite is left out */
    char **filters;
    int filter_count;
};

struct totals {
    int passed, failed, skipped;
    int left; /* of other classes: left out */
};

/* A suite that runs in a child process, as the runner sees it. */
struct job {
    const struct suite *suite;
    pid_t child;
    int report;   /* the pipe's reading end; -1 when it has ended */
    FILE *output; /* what the suite prints: a deleted file */
    double start;
    bool timed_out;
    int planned, ended, failed, skipped, left;
    bool in_test, test_failed, test_skipped;
    char test[256];  /* the test that runs, or ran last */
    char line[4096]; /* the report's unfinished line */
    size_t line_bytes;
    char failures[16000]; /* text to show */
    size_t failures_bytes;
};

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- filters ------------------------------------------------------------------------------------------------------ */

static const char *const class_names[] = {
#define CLASS(name) #name,
#include "tests/classes.def"
#undef CLASS
};

/* Is a test of another class than those asked for? */
static bool is_left_out(const struct options *options, const struct suite *suite, const char *test)
{
    enum support_class own = support_class_of(suite->name, test);
    unsigned bit = 1u << (own == CLASS_OF_SUITE ? suite->needs : own);
    return options->filter_count == 0 && (options->classes & bit) == 0;
}

/* Is the name one of the list, which has commas between names? */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; list && *list; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
            return true;
    return false;
}

/* Does a filter ask for this suite (test NULL) or this test of it? "lexer" asks for all tests of lexer. */
static bool is_selected(const struct options *options, const char *suite, const char *test)
{
    if (is_listed(options->without, suite))
        return false;
    for (int i = 0; i < options->filter_count; i++) {
        const char *filter = options->filters[i];
        size_t length = strcspn(filter, "/");
        if (strlen(suite) != length || strncmp(filter, suite, length) != 0)
            continue;
        if (!test || filter[length] == '\0' || strcmp(filter + length + 1, test) == 0)
            return true;
    }
    return options->filter_count == 0;
}

static bool filters_name_suites(const struct options *options)
{
    for (int i = 0; i < options->filter_count; i++) {
        size_t length = strcspn(options->filters[i], "/");
        bool found = false;
        for (size_t s = 0; s < SUPPORT_COUNT(suites); s++)
            found = found || (strlen(suites[s].name) == length && strncmp(options->filters[i], suites[s].name, length) == 0);
        if (!found) {
            fprintf(stderr, "tests: no suite %s (see --list)\n", options->filters[i]);
            return false;
        }
    }
    size_t listed = 0, known = 0;
    for (const char *at = options->without; at && *at; at++)
        listed += at == options->without || at[-1] == ',';
    for (size_t s = 0; s < SUPPORT_COUNT(suites); s++)
        known += is_listed(options->without, suites[s].name);
    if (known != listed)
        fprintf(stderr, "tests: --without names a suite that there is not, or one twice: %s (see --list)\n",
                options->without);
    return known == listed;
}

/* ---- in the suite's process --------------------------------------------------------------------------------------- */

static FILE *report; /* NULL with --in-process */
static unsigned wrong_count;
static double test_start; /* processor seconds */

/* Of this process and of its children that have ended. */
static double processor_seconds(void)
{
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec)
           + 1e-6
                 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec
                            + children.ru_stime.tv_usec);
}

static void report_line(const char *kind, const char *text)
{
    FILE *to = report ? report : stdout;
    fprintf(to, "%s ", kind);
    for (const char *at = text; *at != '\0'; at++)
        fputc(*at == '\n' ? ' ' : *at, to);
    fputc('\n', to);
    fflush(to);
}

static void on_test_start(CU_pTest test, CU_pSuite suite)
{
    (void)suite;
    test_start = processor_seconds();
    report_line("test", test->pName);
}

static void on_test_complete(CU_pTest test, CU_pSuite suite, CU_pFailureRecord failures)
{
    (void)test;
    (void)suite;
    for (const CU_FailureRecord *record = failures; record; record = record->pNext) {
        char text[3000];
        const char *file = record->strFileName ? record->strFileName : "?";
        const char *condition = record->strCondition ? record->strCondition : "";
        snprintf(text, sizeof text, "%s:%u: %s", file, record->uiLineNumber, condition);
        report_line("fail", text);
        wrong_count++;
    }
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", processor_seconds() - test_start);
    report_line("end", seconds);
}

static void on_set_up_failure(CU_pSuite suite)
{
    report_line("fail", "the suite could not be set up");
    (void)suite;
    wrong_count++;
}

static void on_clean_up_failure(CU_pSuite suite)
{
    report_line("fail", "the suite could not be cleaned up");
    (void)suite;
    wrong_count++;
}

/* Runs one registered suite; returns whether all is well. */
static bool run_suite(const struct options *options, const struct suite *chosen)
{
    int planned = 0, left = 0;
    for (CU_pSuite suite = CU_get_registry()->pSuite; suite; suite = suite->pNext) {
        CU_set_suite_active(suite, strcmp(suite->pName, chosen->name) == 0 ? CU_TRUE : CU_FALSE);
        for (CU_pTest test = suite->pTest; test; test = test->pNext) {
            bool left_out = is_left_out(options, chosen, test->pName);
            bool wanted = is_selected(options, suite->pName, test->pName) && !left_out;
            left += suite->fActive && left_out;
            CU_set_test_active(test, wanted ? CU_TRUE : CU_FALSE);
            planned += suite->fActive && wanted;
        }
    }
    char text[32];
    snprintf(text, sizeof text, "%d", planned);
    report_line("plan", text);
    snprintf(text, sizeof text, "%d", left);
    report_line("left", text);
    CU_set_fail_on_inactive(CU_FALSE);
    CU_set_test_start_handler(on_test_start);
    CU_set_test_complete_handler(on_test_complete);
    CU_set_suite_init_failure_handler(on_set_up_failure);
    CU_set_suite_cleanup_failure_handler(on_clean_up_failure);
    wrong_count = 0;
    CU_ErrorCode error = CU_run_all_tests();
    bool well = error == CUE_SUCCESS && wrong_count == 0 && CU_get_number_of_failure_records() == 0;
    return well && CU_get_number_of_tests_run() == (unsigned)planned;
}

static _Noreturn void become_suite(const struct options *options, const struct job *job, int report_end)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (!freopen("/dev/null", "r", stdin) || dup2(fileno(job->output), 1) < 0 || dup2(fileno(job->output), 2) < 0)
        _exit(125);
    if (!job->suite->register_suite) {
        const char *arguments[JOBS_LIMIT + 8] = {"python3", "tests/report.py", NULL};
        char descriptor[16], file[256], build[SUPPORT_PATH_BYTES];
        support_build_path("tests", build);
        *strrchr(build, '/') = '\0';
        setenv("LOCKSTEP_BUILD", build, 1); /* a Python test tries the variant that it is a test of */
        snprintf(descriptor, sizeof descriptor, "%d", report_end);
        snprintf(file, sizeof file, "tests/%s_test.py", job->suite->name);
        int count = 2;
        arguments[count++] = descriptor;
        arguments[count++] = file;
        char classes[128] = "";
        for (int c = 0; c < CLASS_COUNT; c++)
            if (options->filter_count > 0 || (options->classes & 1u << c) != 0)
                snprintf(classes + strlen(classes), sizeof classes - strlen(classes), ",%s", class_names[c]);
        arguments[count++] = class_names[job->suite->needs];
        arguments[count++] = classes + 1;
        for (int i = 0; i < options->filter_count && count < JOBS_LIMIT; i++) { /* those of this suite */
            const char *filter = options->filters[i];
            size_t length = strlen(job->suite->name);
            if (strncmp(filter, job->suite->name, length) == 0 && filter[length] == '/')
                arguments[count++] = filter + length + 1;
        }
        execvp(arguments[0], (char *const *)(void *)arguments);
        perror("python3");
        _exit(127);
    }
    report = fdopen(report_end, "w");
    if (!report)
        _exit(125);
    support_report_to(report);
    bool well = run_suite(options, job->suite);
    CU_cleanup_registry();
    exit(well ? 0 : 1); /* exit, not _exit: the leak check of a sanitized build runs there */
}

/* ---- in the runner ------------------------------------------------------------------------------------------------ */

/* Adds a line to the text to show; drops what no longer fits. */
static void add_failure(struct job *job, const char *text)
{
    size_t left = sizeof job->failures - job->failures_bytes;
    int wanted = snprintf(job->failures + job->failures_bytes, left, "    %s: %s\n",
                          job->test[0] != '\0' ? job->test : "set-up", text);
    if (wanted > 0 && (size_t)wanted < left)
        job->failures_bytes += (size_t)wanted;
    job->failures[job->failures_bytes] = '\0';
}

/* What the closing lines tell. */
struct note {
    char text[1024];
    double seconds;
};

static struct notes {
    struct note *list; /* [count]; lives as long as the program */
    size_t count, capacity;
} skips, times;

static void add_note(struct notes *notes, const struct job *job, const char *text, double seconds)
{
    if (notes->count == notes->capacity) {
        notes->capacity = 2 * notes->capacity + 64;
        notes->list = realloc(notes->list, notes->capacity * sizeof *notes->list);
        if (!notes->list)
            abort();
    }
    struct note *note = &notes->list[notes->count++];
    snprintf(note->text, sizeof note->text, "%s/%s%s%s", job->suite->name, job->test, text[0] ? ": " : "", text);
    note->seconds = seconds;
}

static void take_line(struct job *job, const char *line)
{
    if (strncmp(line, "plan ", 5) == 0) {
        job->planned = atoi(line + 5);
    } else if (strncmp(line, "left ", 5) == 0) {
        job->left = atoi(line + 5);
    } else if (strncmp(line, "test ", 5) == 0) {
        snprintf(job->test, sizeof job->test, "%s", line + 5);
        job->in_test = true;
        job->test_failed = job->test_skipped = false;
    } else if (strncmp(line, "fail ", 5) == 0) {
        add_failure(job, line + 5);
        job->test_failed = true;
    } else if (strncmp(line, "skip ", 5) == 0) {
        job->test_skipped = true;
        add_note(&skips, job, line + 5, 0);
    } else if (strncmp(line, "end", 3) == 0) {
        job->ended++;
        job->failed += job->test_failed;
        job->skipped += job->test_skipped && !job->test_failed;
        job->in_test = false;
        add_note(&times, job, "", line[3] == ' ' ? atof(line + 4) : 0);
    }
}

/* Reads what the suite reported. Closes the pipe at its end. */
static void take_report(struct job *job)
{
    char bytes[4096];
    ssize_t got = read(job->report, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        close(job->report);
        job->report = -1;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            job->line[job->line_bytes] = '\0';
            take_line(job, job->line);
            job->line_bytes = 0;
        } else if (job->line_bytes < sizeof job->line - 1) {
            job->line[job->line_bytes++] = bytes[i];
        }
    }
}

static bool start_job(const struct options *options, struct job *job, const struct suite *suite)
{
    *job = (struct job){.suite = suite, .start = now_seconds(), .report = -1, .planned = -1};
    int ends[2];
    job->output = tmpfile();
    if (!job->output || pipe(ends) != 0)
        return false;
    fflush(NULL);
    job->child = fork();
    if (job->child == 0) {
        close(ends[0]);
        become_suite(options, job, ends[1]);
    }
    close(ends[1]);
    job->report = ends[0];
    return job->child > 0;
}

static void show_output(FILE *output)
{
    char bytes[SHOWN_OUTPUT_BYTES + 1];
    fseek(output, 0, SEEK_END);
    long size = ftell(output);
    fseek(output, size > SHOWN_OUTPUT_BYTES ? size - SHOWN_OUTPUT_BYTES : 0, SEEK_SET);
    size_t got = fread(bytes, 1, SHOWN_OUTPUT_BYTES, output);
    if (got > 0)
        printf("    ---- it printed%s:\n%.*s\n    ----\n", size > SHOWN_OUTPUT_BYTES ? " (the end)" : "", (int)got, bytes);
}

/* Waits for a suite whose report has ended and prints its line. Adds its tests to the totals. */
static void finish_job(struct job *job, struct totals *totals)
{
    int status = 0;
    while (waitpid(job->child, &status, 0) < 0 && errno == EINTR)
        ;
    char text[128] = "";
    if (job->timed_out)
        snprintf(text, sizeof text, "took longer than it may");
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (job->in_test || job->planned != job->ended)
        snprintf(text, sizeof text, "ended with status %d before all tests had run", WEXITSTATUS(status));
    else if (WEXITSTATUS(status) != 0 && job->failures_bytes == 0)
        snprintf(text, sizeof text, "ended with status %d after its tests", WEXITSTATUS(status));
    else if (job->ended == 0 && job->left == 0)
        snprintf(text, sizeof text, "no test ran");
    if (text[0] != '\0')
        add_failure(job, text);
    int missing = job->planned > job->ended ? job->planned - job->ended : 0;
    int wrong = job->failed + missing;
    if (wrong == 0 && job->failures_bytes > 0)
        wrong = 1; /* the suite as a whole: set-up, clean-up, a leak */
    int right = job->ended - job->failed - job->skipped;
    totals->left += job->left;
    if (wrong == 0 && job->planned == 0) { /* all its tests are of other classes */
        fclose(job->output);
        return;
    }
    printf("%s %-24s %3d passed", wrong == 0 ? "ok  " : "FAIL", job->suite->name, right);
    if (wrong > 0)
        printf(", %d failed", wrong);
    if (job->skipped > 0)
        printf(", %d skipped", job->skipped);
    if (job->left > 0)
        printf(", %d left out", job->left);
    printf("  %.2f s\n%s", now_seconds() - job->start, job->failures);
    if (wrong > 0)
        show_output(job->output);
    fflush(stdout);
    totals->passed += right;
    totals->failed += wrong;
    totals->skipped += job->skipped;
    fclose(job->output);
}

/* Waits until a report says something or a suite's time is over. */
static void wait_for_reports(const struct options *options, struct job *jobs, int count)
{
    struct pollfd polled[JOBS_LIMIT];
    for (int i = 0; i < count; i++)
        polled[i] = (struct pollfd){jobs[i].report, POLLIN, 0};
    poll(polled, (nfds_t)count, 500);
    for (int i = 0; i < count; i++) {
        if (polled[i].revents != 0)
            take_report(&jobs[i]);
        if (!jobs[i].timed_out && now_seconds() - jobs[i].start > options->timeout_seconds) {
            jobs[i].timed_out = true;
            kill(-jobs[i].child, SIGKILL);
        }
    }
}

static void run_jobs(const struct options *options, struct totals *totals)
{
    static struct job jobs[JOBS_LIMIT];
    int running = 0;
    size_t next = 0;
    while (running > 0 || next < SUPPORT_COUNT(suites)) {
        while (running < options->jobs && next < SUPPORT_COUNT(suites)) {
            if (running > 0 && (suites[next].alone || jobs[0].suite->alone))
                break;
            const struct suite *suite = &suites[next++];
            if (!is_selected(options, suite->name, NULL))
                continue;
            if (!start_job(options, &jobs[running++], suite)) {
                fprintf(stderr, "tests: cannot start %s: %s\n", suite->name, strerror(errno));
                exit(3);
            }
        }
        wait_for_reports(options, jobs, running);
        for (int i = 0; i < running; i++) {
            if (jobs[i].report >= 0)
                continue;
            finish_job(&jobs[i], totals);
            jobs[i--] = jobs[--running];
        }
    }
}

static void run_in_process(const struct options *options, struct totals *totals)
{
    for (size_t i = 0; i < SUPPORT_COUNT(suites); i++) {
        if (!suites[i].register_suite || !is_selected(options, suites[i].name, NULL))
            continue;
        printf("suite %s\n", suites[i].name);
        bool well = run_suite(options, &suites[i]);
        int wrong = (int)CU_get_number_of_tests_failed();
        totals->passed += (int)CU_get_number_of_tests_run() - wrong;
        totals->failed += wrong + (!well && wrong == 0);
    }
}

static void list_tests(const struct options *options)
{
    for (size_t i = 0; i < SUPPORT_COUNT(suites); i++) {
        if (!is_selected(options, suites[i].name, NULL))
            continue;
        if (!suites[i].register_suite)
            printf("%s/ (tests/%s_test.py)\n", suites[i].name, suites[i].name);
        CU_pSuite suite = CU_get_suite(suites[i].name);
        for (CU_pTest test = suite ? suite->pTest : NULL; test; test = test->pNext)
            printf("%s/%s\n", suites[i].name, test->pName);
    }
}

/* A list of classes with commas between them, as bits. */
static bool parse_classes(const char *list, unsigned *classes)
{
    size_t listed = *list != '\0', known = 0;
    for (const char *at = list; *at; at++)
        listed += *at == ',';
    *classes = 0;
    for (int c = 0; c < CLASS_COUNT; c++) {
        if (is_listed(list, class_names[c])) {
            *classes |= 1u << c;
            known++;
        }
    }
    if (known != listed || known == 0)
        fprintf(stderr, "tests: --class names a class that there is not, or one twice: %s (tests/classes.def has them)\n",
                list);
    return known == listed && known > 0;
}

static bool parse_options(int count, char **arguments, struct options *options)
{
    static const struct option known[] = {{"list", no_argument, NULL, 'l'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"without", required_argument, NULL, 'w'},
                                          {"slowest", required_argument, NULL, 's'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"in-process", no_argument, NULL, 'p'},
                                          {"timeout", required_argument, NULL, 't'},
                                          {"class", required_argument, NULL, 'c'},
                                          {NULL, 0, NULL, 0}};
    cpu_set_t allowed;
    *options = (struct options){.jobs = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1,
                                .classes = 1u << CLASS_fast,
                                .slowest = 10,
                                .timeout_seconds = 3600};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        if (option == 'l')
            options->list = true;
        else if (option == 'a')
            options->classes = (1u << CLASS_COUNT) - 1;
        else if (option == 'c' && !parse_classes(optarg, &options->classes))
            return false;
        else if (option == 'c')
            continue;
        else if (option == 'w')
            options->without = optarg;
        else if (option == 's')
            options->slowest = atoi(optarg);
        else if (option == 'j')
            options->jobs = atoi(optarg);
        else if (option == 'p')
            options->in_process = true;
        else if (option == 't')
            options->timeout_seconds = atof(optarg);
        else
            return false;
    }
    if (options->jobs < 1 || options->timeout_seconds <= 0) {
        fprintf(stderr, "tests: --jobs and --timeout take a number above 0\n");
        return false;
    }
    options->jobs = options->jobs > JOBS_LIMIT ? JOBS_LIMIT : options->jobs;
    options->filters = arguments + optind;
    options->filter_count = count - optind;
    return filters_name_suites(options);
}

static int compare_seconds(const void *a, const void *b)
{
    const struct note *first = a, *second = b;
    return (first->seconds < second->seconds) - (first->seconds > second->seconds);
}

/* What was skipped and why, what took long, what was left out; the last line is "N passed, N failed[, N skipped]". */
static void print_closing(const struct options *options, const struct totals *totals)
{
    if (options->slowest > 0 && times.count > 0)
        qsort(times.list, times.count, sizeof *times.list, compare_seconds);
    for (size_t i = 0; i < times.count && i < (size_t)options->slowest; i++)
        printf("took %6.2f s of processor time  %s\n", times.list[i].seconds, times.list[i].text);
    for (size_t i = 0; i < skips.count; i++)
        printf("skipped  %s\n", skips.list[i].text);
    if (totals->left > 0)
        printf("tests of other classes, left out: %d (--all runs all)\n", totals->left);
    if (options->without)
        printf("suites left out: %s\n", options->without);
    printf("%d passed, %d failed", totals->passed, totals->failed);
    if (totals->skipped > 0)
        printf(", %d skipped", totals->skipped);
    printf("\n");
}

int main(int count, char **arguments)
{
    /* What steers the emulated driver must come from the tests, not from the shell that starts them. */
    static const char *const steering[] = {"LOCKSTEP_CHECKS",   "LOCKSTEP_FINDINGS", "LOCKSTEP_COUNTERS",
                                           "LOCKSTEP_SCHEDULE", "LOCKSTEP_FUEL",     "LOCKSTEP_GPU"};
    for (size_t i = 0; i < SUPPORT_COUNT(steering); i++)
        unsetenv(steering[i]);
    setenv("LOCKSTEP_TEST_SEED", "20240917", 1); /* where no --seed is given: what a test sees must not be drawn by lot */
    setenv("LOCKSTEP_FOLDER", "", 1);            /* the kit's own labs/, and no progress of theirs is kept */
    /* Compiled once for all suites and all runs; the cache of the user who runs them is left alone. */
    char cache[SUPPORT_PATH_BYTES];
    setenv("LOCKSTEP_CACHE", support_build_path("tests/cache", cache), 1);
    struct options options;
    if (!parse_options(count, arguments, &options))
        return 2;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 3;
    for (size_t i = 0; i < SUPPORT_COUNT(suites); i++) {
        if (suites[i].register_suite && suites[i].register_suite() != 0) {
            fprintf(stderr, "tests: suite %s cannot be registered: %s\n", suites[i].name, CU_get_error_msg());
            return 3;
        }
    }
    struct totals totals = {0};
    if (options.list) {
        list_tests(&options);
    } else {
        if (options.in_process)
            run_in_process(&options, &totals);
        else
            run_jobs(&options, &totals);
        print_closing(&options, &totals);
    }
    CU_cleanup_registry();
    return options.list || (totals.passed > 0 && totals.failed == 0) ? 0 : 1;
}
