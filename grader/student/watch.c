#include "grader/student/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/seed.h"
#include "grader/compile/compile_server.h"
#include "grader/compile/submission.h"
#include "grader/grading/progress.h"
#include "grader/grading/regrade.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/student/hint.h"
#include "grader/student/standing.h"
#include "grader/student/subject.h"

#define KEYS "h hint  l list  n next  r again  q quit" /* 39 columns: it fits the narrowest terminal */

enum page { PAGE_REPORT, PAGE_HINT, PAGE_LIST };

struct watch {
    struct subject subject;
    struct watch_file file;
    struct regrade regrade;
    struct hint_memory memory;
    json_t *latest;   /* the verdict that is shown; NULL: none yet. Owned */
    char graded[65];  /* sha256 of what is graded, or is being graded; "" none */
    char running[65]; /* of what is being graded */
    bool resized;     /* the running grading is only for another width: it is not news */
    char news[400];
    char problem[400]; /* why there is no verdict: the file is gone, or cannot be read; "" none */
    char *text;        /* hint or list; owned */
    enum page page;
    int first; /* line that the page begins with */
    uint64_t seed;
    bool gpu, plain, colour, ended;
    sigset_t open_mask;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_solved(const json_t *latest)
{
    return latest && strcmp(text_of(latest, "state"), "pass") == 0 && !json_is_object(json_object_get(latest, "cause"));
}

/* ---- what is shown ------------------------------------------------------------------------------------------------ */

/* "FAIL 6/100", or why there is no verdict. */
static char *verdict_of(const struct watch *watch)
{
    static const struct {
        const char *state, *word;
    } words[] = {
        {"pass", "pass"},
        {"fail", "FAIL"},
        {"error", "ERROR"},
        {"harness_error", "NOT GRADED"},
    };
    if (watch->problem[0] != '\0')
        return allocate_format("no verdict");
    for (size_t i = 0; watch->latest && i < sizeof words / sizeof *words; i++)
        if (strcmp(text_of(watch->latest, "state"), words[i].state) == 0)
            return allocate_format("%s %lld/%lld", words[i].word,
                                   (long long)json_integer_value(json_object_get(watch->latest, "score")),
                                   (long long)json_integer_value(json_object_get(watch->latest, "max_score")));
    return allocate_format("-");
}

/* "graded 14:03:22", in the time of this place. */
static void write_when(const struct watch *watch, char *text, size_t text_bytes)
{
    struct tm utc = {0}, here;
    int fields = sscanf(text_of(watch->latest, "when"), "%d-%d-%dT%d:%d:%d", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
                        &utc.tm_hour, &utc.tm_min, &utc.tm_sec);
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    time_t when = timegm(&utc);
    text[0] = '\0';
    if (fields == 6 && localtime_r(&when, &here))
        strftime(text, text_bytes, "graded %H:%M:%S", &here);
}

static const char *next_step(const struct watch *watch)
{
    if (watch->page == PAGE_HINT && json_is_object(json_object_get(watch->latest, "cause")))
        return "h: one more hint. Any other key: back to the verdict.";
    if (watch->page != PAGE_REPORT)
        return "Any key: back to the verdict.";
    if (watch->problem[0] != '\0')
        return "Save the file, and it is graded again.";
    if (!watch->latest)
        return "";
    if (is_solved(watch->latest))
        return "All points! n: the next lab. h: what there is to find out about this one.";
    return "Fix the first problem, then save. Stuck? h gives a hint.";
}

static void draw(struct watch *watch)
{
    char right[64] = "";
    char *frame = NULL, *verdict = verdict_of(watch);
    size_t bytes = 0;
    FILE *file = open_memstream(&frame, &bytes);
    if (watch->regrade.pid != 0)
        snprintf(right, sizeof right, "grading ...");
    else
        write_when(watch, right, sizeof right);
    char *bar = allocate_format("%s  %s", watch->subject.key.lab->name, verdict);
    struct watch_screen screen = {.bar = bar,
                                  .right = right,
                                  .news = watch->news,
                                  .keys = KEYS,
                                  .next = next_step(watch),
                                  .first = watch->first,
                                  .colour = watch->colour};
    screen.body = watch->page != PAGE_REPORT  ? watch->text
                  : watch->problem[0] != '\0' ? watch->problem
                  : watch->latest             ? text_of(json_object_get(watch->latest, "report"), "text")
                                              : "The first grading is under way.";
    terminal_size(&screen.columns, &screen.rows);
    if (file) {
        watch_screen_draw(file, &screen);
        fclose(file);
        terminal_show(frame, bytes);
    }
    watch->first = screen.first;
    free(frame);
    free(bar);
    free(verdict);
}

/* Without a screen: what came out, one after the other. */
static void print_plainly(const struct watch *watch)
{
    char when[64];
    write_when(watch, when, sizeof when);
    printf("---- %s%s%s\n", watch->problem[0] == '\0' ? when : watch->problem, watch->news[0] != '\0' ? ": " : "",
           watch->news);
    if (watch->problem[0] == '\0')
        fputs(text_of(json_object_get(watch->latest, "report"), "text"), stdout);
    if (watch->problem[0] == '\0' && !is_solved(watch->latest)) {
        char *name = progress_key_words(&watch->subject.key);
        printf("Fix the first problem, then save. Stuck? %s hint %s\n\n", kit_program(), name);
        free(name);
    }
    fflush(stdout);
}

static void show(struct watch *watch)
{
    if (!watch->plain)
        draw(watch);
}

static void set_page(struct watch *watch, enum page page, char *text)
{
    free(watch->text);
    watch->text = text;
    watch->page = page;
    watch->first = 0;
}

/* ---- grading ------------------------------------------------------------------------------------------------------ */

static struct progress_view view_of(const struct watch *watch)
{
    return (struct progress_view){paint_width(), watch->colour, watch->seed};
}

static void say_problem(struct watch *watch, const char *message)
{
    regrade_cancel(&watch->regrade);
    watch->graded[0] = watch->news[0] = '\0';
    snprintf(watch->problem, sizeof watch->problem, "%.200s: %.180s", watch->subject.key.path, message);
    if (watch->plain)
        print_plainly(watch);
}

static void start_grading(struct watch *watch, const char *sha256, bool resized)
{
    struct regrade_request request = {
        .lab = watch->subject.key.lab,
        .path = watch->subject.key.path,
        .seed = watch->seed,
        .gpu = watch->gpu,
        .colour = watch->colour,
        .signal_mask = &watch->open_mask,
    };
    regrade_cancel(&watch->regrade);
    snprintf(watch->graded, sizeof watch->graded, "%s", sha256);
    snprintf(watch->running, sizeof watch->running, "%s", sha256);
    watch->resized = resized;
    if (!regrade_start(&request, &watch->regrade))
        say_problem(watch, "no process could be started for the grading");
}

/* Grades the file unless it is the one that was graded last; `again`: even then. */
static void grade(struct watch *watch, bool again)
{
    struct submission submission;
    submission_read(watch->subject.key.path, &submission);
    if (submission.status == SUBMISSION_UNREADABLE) {
        say_problem(watch, submission.message);
    } else if (again || submission.sha256[0] == '\0' || strcmp(submission.sha256, watch->graded) != 0) {
        watch->problem[0] = '\0';
        start_grading(watch, submission.sha256, false);
    }
    submission_clear(&submission);
}

/* Shows a grading; what is different from the one before is the news. */
static void take_verdict(struct watch *watch)
{
    json_t *answer = regrade_take(&watch->regrade);
    if (!answer) {
        say_problem(watch, "the grading ended without a verdict");
        return;
    }
    struct progress_view view = view_of(watch);
    json_t *latest = progress_latest(answer, watch->running, &view);
    json_decref(answer);
    if (!latest)
        return;
    if (!watch->resized) {
        changes_write(watch->latest, latest, watch->news, sizeof watch->news);
        if (watch->page != PAGE_REPORT)
            set_page(watch, PAGE_REPORT, NULL);
        watch->first = 0;
    }
    progress_record(&watch->subject.workspace, &watch->subject.key, latest);
    json_decref(watch->latest);
    watch->latest = latest;
    if (watch->plain)
        print_plainly(watch);
}

/* A verdict that was kept and is still right is shown as it was, when it was written for this width. */
static void begin(struct watch *watch)
{
    struct submission submission;
    struct progress_view view = view_of(watch);
    json_t *content = progress_read(&watch->subject.workspace);
    const json_t *entry = progress_entry(content, &watch->subject.key);
    submission_read(watch->subject.key.path, &submission);
    json_decref(watch->latest);
    watch->latest = NULL;
    watch->graded[0] = watch->news[0] = watch->problem[0] = '\0';
    if (json_is_object(json_object_get(entry, "latest")))
        watch->latest = json_incref(json_object_get(entry, "latest"));
    const json_t *report = json_object_get(watch->latest, "report");
    bool fits = json_integer_value(json_object_get(report, "columns")) == view.columns
                && json_is_true(json_object_get(report, "colour")) == view.colour;
    if (progress_is_current(entry, submission.sha256) && fits) {
        snprintf(watch->graded, sizeof watch->graded, "%s", submission.sha256);
        if (watch->plain)
            print_plainly(watch);
    }
    submission_clear(&submission);
    json_decref(content);
    if (watch->graded[0] == '\0')
        grade(watch, true);
}

/* ---- keys --------------------------------------------------------------------------------------------------------- */

static char *capture_hint(struct watch *watch)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return allocate_format("%s", "");
    hint_write(file, &watch->subject, watch->latest, &watch->memory, watch->colour);
    fclose(file);
    return text;
}

static char *capture_list(const struct watch *watch)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return allocate_format("%s", "");
    standing_write(file, &watch->subject.workspace, false, watch->colour);
    fclose(file);
    return text;
}

/* Goes on to the next lab that is not solved. */
static void go_on(struct watch *watch)
{
    char message[KIT_PATH_BYTES];
    json_t *content = progress_read(&watch->subject.workspace);
    const struct lab *next = standing_next(&watch->subject.workspace, content, watch->subject.key.lab);
    json_decref(content);
    if (!next) {
        snprintf(watch->news, sizeof watch->news, "every other lab is solved");
        return;
    }
    if (!subject_take_lab(&watch->subject, next, message, sizeof message)) {
        snprintf(watch->news, sizeof watch->news, "%.380s", message);
        return;
    }
    regrade_cancel(&watch->regrade);
    watch_file_close(&watch->file);
    watch_file_open(watch->subject.key.path, &watch->file);
    watch->memory = (struct hint_memory){.step = 0};
    set_page(watch, PAGE_REPORT, NULL);
    begin(watch);
}

static void scroll(struct watch *watch, int pages, int lines)
{
    struct watch_screen screen = {.news = watch->news, .next = next_step(watch), .colour = watch->colour};
    terminal_size(&screen.columns, &screen.rows);
    watch->first += lines + pages * watch_screen_page(&screen);
    if (watch->first < 0)
        watch->first = 0;
}

static void press(struct watch *watch, char key)
{
    bool other_page = watch->page != PAGE_REPORT;
    switch (key) {
    case 'q': watch->ended = true; break;
    case ' ': scroll(watch, 1, 0); break;
    case 'b': scroll(watch, -1, 0); break;
    case 'j': scroll(watch, 0, 1); break;
    case 'k': scroll(watch, 0, -1); break;
    case 'h':
        if (watch->latest && watch->regrade.pid == 0 && watch->problem[0] == '\0')
            set_page(watch, PAGE_HINT, capture_hint(watch));
        break;
    case 'l': set_page(watch, PAGE_LIST, capture_list(watch)); break;
    case 'n': go_on(watch); break;
    case 'r':
        set_page(watch, PAGE_REPORT, NULL);
        watch->seed = seed_draw();
        grade(watch, true);
        break;
    default:
        if (other_page)
            set_page(watch, PAGE_REPORT, NULL);
        break;
    }
}

/* Keys that come as several characters are worth one of ours. */
static void read_keys(struct watch *watch)
{
    static const struct {
        const char *sequence;
        char key;
    } rows[] = {
        {"\033[A", 'k'}, {"\033[B", 'j'}, {"\033OA", 'k'}, {"\033OB", 'j'}, {"\033[5~", 'b'}, {"\033[6~", ' '},
    };
    char keys[64];
    ssize_t count = read(STDIN_FILENO, keys, sizeof keys - 1);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) { /* the terminal is gone */
        watch->ended = true;
        return;
    }
    keys[count > 0 ? count : 0] = '\0';
    for (const char *at = keys; *at != '\0' && !watch->ended;) {
        size_t length = 1;
        char key = *at == '\033' ? '\0' : *at;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (strncmp(at, rows[i].sequence, strlen(rows[i].sequence)) == 0) {
                length = strlen(rows[i].sequence);
                key = rows[i].key;
            }
        if (*at == '\033' && key == '\0' && (at[1] == '[' || at[1] == 'O')) /* another function key: nothing of ours */
            length = strcspn(at + 2, "ABCDEFGHPQRS~") + 2 + (strpbrk(at + 2, "ABCDEFGHPQRS~") != NULL);
        press(watch, key);
        at += length;
    }
}

/* ---- the loop ----------------------------------------------------------------------------------------------------- */

/* Another width needs another report, which only a grading can write. */
static void resize(struct watch *watch)
{
    int before = paint_width();
    paint_wanted(stdout);
    if (watch->page != PAGE_REPORT)
        set_page(watch, PAGE_REPORT, NULL);
    if (paint_width() != before && watch->graded[0] != '\0')
        start_grading(watch, watch->graded, watch->regrade.pid == 0 || watch->resized);
}

static void step_aside(struct watch *watch)
{
    bool grading = watch->regrade.pid != 0;
    regrade_cancel(&watch->regrade); /* stopped, it would run out of time */
    if (!watch->plain)
        terminal_leave();
    terminal_stop();
    if (!watch->plain)
        watch->ended |= !terminal_enter();
    resize(watch);
    if (grading)
        start_grading(watch, watch->running, watch->resized);
}

static void heed(struct watch *watch)
{
    struct terminal_news news = terminal_take();
    if (news.end != 0) {
        regrade_cancel(&watch->regrade);
        terminal_end_by(news.end);
    }
    if (news.stop)
        step_aside(watch);
    else if (news.continued && !watch->plain) { /* stopped from outside: the shell has had the terminal */
        terminal_leave();
        watch->ended |= !terminal_enter();
    }
    if (news.resized && !watch->plain)
        resize(watch);
}

static void watch_once(struct watch *watch)
{
    enum { EVENTS, ANSWER, USER, COUNT };
    struct pollfd ready[COUNT] = {
        {watch->file.events, POLLIN, 0},
        {watch->regrade.channel, POLLIN, 0},
        {watch->plain ? STDOUT_FILENO : STDIN_FILENO, watch->plain ? 0 : POLLIN, 0},
    };
    int wait = watch_file_wait_ms(&watch->file);
    struct timespec limit = {wait / 1000, wait % 1000 * 1000000L};
    int count = ppoll(ready, COUNT, &limit, &watch->open_mask);
    pid_t graded_by = watch->regrade.pid; /* a grading that begins below has no answer yet, whatever its descriptor */
    heed(watch);
    watch_file_look(&watch->file);
    bool changed = watch_file_take(&watch->file);
    if (changed && watch->file.there)
        grade(watch, false);
    else if (changed)
        say_problem(watch, "it is gone. It is graded as soon as it is back.");
    if (count > 0 && ready[ANSWER].revents != 0 && graded_by != 0 && watch->regrade.pid == graded_by)
        take_verdict(watch);
    if (count > 0 && ready[USER].revents != 0 && watch->plain)
        watch->ended = true; /* the reader is gone */
    else if (count > 0 && ready[USER].revents != 0)
        read_keys(watch);
    if (count != 0 || changed || graded_by != watch->regrade.pid)
        show(watch);
}

/* What stays on the terminal when the screen is gone. */
static void say_goodbye(const struct watch *watch)
{
    char *verdict = verdict_of(watch);
    if (watch->latest && watch->problem[0] == '\0')
        printf("%s  %s  %s\n", watch->subject.key.lab->name, verdict, watch->subject.key.path);
    char *name = progress_key_words(&watch->subject.key);
    printf("To go on: %s watch %s\n", kit_program(), name);
    free(name);
    free(verdict);
}

/* On a terminal one screen, redrawn in place, with keys; else a plain report at each save. A grading that is running when
 * the file is saved again is cancelled. Progress is kept, and a verdict that is still right when `watch` starts is shown as
 * it is. */
int watch_run(const struct options *options)
{
    struct watch watch = {.regrade = {0, -1}, .plain = !terminal_is_there(), .gpu = options->device == LOCKSTEP_GPU};
    if (kit_root()[0] == '\0') {
        fprintf(stderr, "lockstep: %s\n", kit_missing());
        return EXIT_STATUS_HARNESS;
    }
    if (!subject_find(options, &watch.subject))
        return EXIT_STATUS_USAGE;
    watch.colour = paint_wanted(stdout);
    watch.seed = options->has_seed ? options->seed : seed_draw();
    compile_server_warm();
    terminal_take_signals(&watch.open_mask);
    if (watch.plain)
        fprintf(stderr, "lockstep: not a terminal: a report is printed each time %s is saved. Ctrl-C ends it.\n",
                watch.subject.key.path);
    watch_file_open(watch.subject.key.path, &watch.file);
    if (!watch.plain && !terminal_enter())
        watch.plain = true;
    begin(&watch);
    show(&watch);
    while (!watch.ended)
        watch_once(&watch);
    regrade_cancel(&watch.regrade);
    terminal_leave();
    if (!watch.plain)
        say_goodbye(&watch);
    watch_file_close(&watch.file);
    free(watch.text);
    json_decref(watch.latest);
    return EXIT_STATUS_FULL_SCORE;
}
