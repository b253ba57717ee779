#include "grader/student/hint.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/seed.h"
#include "grader/compile/compile_server.h"
#include "grader/compile/submission.h"
#include "grader/grading/regrade.h"
#include "grader/judge/hints.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/result/cause.h"
#include "grader/student/skeleton.h"
#include "grader/student/standing.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void write_line(FILE *file, int indent, bool colour, enum paint style, char *text)
{
    paint_wrapped(file, indent, text, colour, style);
    free(text);
}

/* Does the handout have a section of that name? */
static bool has_section(const struct lab *lab, const char *heading)
{
    char *path = allocate_format("%s/%s", kit_root(), lab->handout), *line = NULL;
    FILE *file = fopen(path, "re");
    size_t room = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) > 0)
        found = strncmp(line, "## ", 3) == 0 && strncmp(line + 3, heading, strlen(heading)) == 0;
    if (file)
        fclose(file);
    free(line);
    free(path);
    return found;
}

void hint_write_next(FILE *file, const struct subject *subject, bool colour)
{
    static const char *const sections[] = {"How fast can it be?", "Questions"};
    const struct lab *lab = subject->key.lab;
    char handout[KIT_PATH_BYTES];
    kit_handout(lab, handout);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (has_section(lab, sections[i]))
            write_line(file, 2, colour, PAINT_PLAIN,
                       allocate_format(i == 0 ? "%s, \"%s\": what versions of this lab reach on a GPU."
                                              : "%s, \"%s\": what only a measurement can answer.",
                                       handout, sections[i]));
    json_t *content = progress_read(&subject->workspace);
    const struct lab *next = standing_next(&subject->workspace, content, lab);
    char path[KIT_PATH_BYTES];
    if (next)
        kit_handout(next, handout);
    if (!next)
        write_line(
            file, 2, colour, PAINT_BOLD,
            allocate_format("Every other lab is solved.%s", kit_has_solutions() ? " Compare yours with solutions/." : ""));
    else
        write_line(file, 2, colour, PAINT_BOLD,
                   allocate_format("Next lab: %s. Read %s, then: %s %s %s", next->name, handout, kit_program(),
                                   workspace_lab_file(&subject->workspace, next, path) ? "watch" : "start", next->name));
    json_decref(content);
}

/* "hint 2 of 3: out of bounds, scan.cu:17", and what the grader said. */
static void write_heading(FILE *file, const json_t *cause, int step, int count, bool colour)
{
    char place[400] = "";
    json_int_t line = json_integer_value(json_object_get(cause, "line"));
    if (line > 0 && text_of(cause, "file")[0] != '\0')
        snprintf(place, sizeof place, ", %.360s:%lld", text_of(cause, "file"), (long long)line);
    write_line(
        file, 0, colour, PAINT_BOLD,
        allocate_format("hint %d of %d: %s%s", step, count,
                        strcmp(text_of(cause, "code"), "budget") == 0 ? text_of(cause, "metric") : text_of(cause, "title"),
                        place));
    paint_wrapped(file, 2, text_of(cause, "message"), colour, PAINT_DIM);
    char *facts = allocate_format("%s", text_of(cause, "facts")), *rest = NULL;
    for (char *fact = strtok_r(facts, "\n", &rest); fact; fact = strtok_r(NULL, "\n", &rest))
        paint_wrapped(file, 2, fact, colour, PAINT_DIM);
    free(facts);
}

static void write_steps(FILE *file, const struct subject *subject, const json_t *cause, const struct hints_ladder *ladder,
                        int step, bool colour)
{
    static const char *const before_it_ran[] = {"compile", "kernel_missing", "signature", "launch"};
    bool ran = true;
    for (size_t i = 0; i < sizeof before_it_ran / sizeof *before_it_ran; i++)
        ran &= strcmp(text_of(cause, "code"), before_it_ran[i]) != 0;
    write_heading(file, cause, step, ladder->count, colour);
    fputc('\n', file);
    for (int i = 0; i < step; i++)
        write_line(file, 2, colour, i + 1 == step ? PAINT_BOLD : PAINT_PLAIN,
                   allocate_format("%d.  %s", i + 1, ladder->steps[i]));
    fputc('\n', file);
    char *name = progress_key_words(&subject->key);
    bool small = ran && strcmp(text_of(cause, "pattern"), "narrow") != 0; /* a small n shows nothing of that */
    if (step < ladder->count)
        write_line(file, 0, colour, PAINT_DIM, allocate_format("The next hint: %s hint %s", kit_program(), name));
    else
        write_line(
            file, 0, colour, PAINT_DIM,
            allocate_format("That was the last hint. Read %s%s.",
                            text_of(cause, "handout")[0] != '\0' ? text_of(cause, "handout") : subject->key.lab->handout,
                            small ? ", and work through a small case with a pencil" : ""));
    free(name);
}

void hint_write(FILE *file, const struct subject *subject, const json_t *latest, struct hint_memory *memory, bool colour)
{
    const json_t *cause = json_object_get(latest, "cause");
    struct hints_ladder ladder;
    if (!json_is_object(cause)) {
        bool solved = strcmp(text_of(latest, "state"), "pass") == 0;
        write_line(file, 0, colour, PAINT_BOLD,
                   solved
                       ? allocate_format("%s is solved: %lld of %lld points.", subject->key.lab->name,
                                         (long long)json_integer_value(json_object_get(latest, "score")),
                                         (long long)json_integer_value(json_object_get(latest, "max_score")))
                       : allocate_format("There is no hint: the last grading failed for a reason that is not in the file."));
        if (solved)
            hint_write_next(file, subject, colour);
        return;
    }
    char heading[CAUSE_HEADING_BYTES];
    cause_heading(cause, heading, sizeof heading);
    if (!hints_ladder(subject->key.lab, heading, &ladder)) {
        write_line(file, 0, colour, PAINT_BOLD, allocate_format("There is no hint for \"%s\".", text_of(cause, "code")));
        return;
    }
    if (text_of(cause, "question")[0] != '\0' && ladder.count > 0) /* what the report asks comes first */
        snprintf(ladder.steps[0], sizeof ladder.steps[0], "%s", text_of(cause, "question"));
    json_t *content = progress_read(&subject->workspace);
    int step = progress_hint_step(progress_entry(content, &subject->key), ladder.heading);
    json_decref(content);
    if (strcmp(memory->heading, ladder.heading) == 0 && memory->step > step)
        step = memory->step;
    bool more = step < ladder.count;
    step = more ? step + 1 : ladder.count;
    snprintf(memory->heading, sizeof memory->heading, "%s", ladder.heading);
    memory->step = step;
    if (more)
        progress_record_hint(&subject->workspace, &subject->key, ladder.heading, step);
    write_steps(file, subject, cause, &ladder, step, colour);
}

/* Grades, and keeps what came out, unless the file is still the skeleton. NULL, with the reason on stderr, when nothing did. New reference. */
static json_t *grade_afresh(const struct subject *subject, const char *sha256, const struct progress_view *view,
                            bool untouched)
{
    struct regrade_request request = {
        .lab = subject->key.lab, .path = subject->key.path, .seed = view->seed, .colour = view->colour};
    struct regrade regrade;
    compile_server_warm();
    json_t *answer = regrade_start(&request, &regrade) ? regrade_take(&regrade) : NULL;
    if (!answer) {
        fprintf(stderr, "lockstep: %s could not be graded.\n", subject->key.path);
        return NULL;
    }
    json_t *latest = progress_latest(answer, sha256, view);
    json_decref(answer);
    if (!untouched)
        progress_record(&subject->workspace, &subject->key, latest);
    return latest;
}

int hint_run(const struct options *options)
{
    struct subject subject;
    struct submission submission;
    struct hint_memory memory = {.step = 0};
    if (!subject_find(options, &subject))
        return EXIT_STATUS_USAGE;
    submission_read(subject.key.path, &submission);
    if (submission.status == SUBMISSION_UNREADABLE) {
        fprintf(stderr, "lockstep: %s: %s\n", subject.key.path, submission.message);
        submission_clear(&submission);
        return EXIT_STATUS_USAGE;
    }
    bool colour = paint_wanted(stdout), untouched = skeleton_is(subject.key.lab, &submission);
    struct progress_view view = {paint_width(), colour, options->has_seed ? options->seed : seed_draw()};
    json_t *content = progress_read(&subject.workspace);
    const json_t *entry = progress_entry(content, &subject.key);
    bool current = progress_is_current(entry, submission.sha256)
                   && (!options->has_seed || progress_has_seed(entry, options->seed));
    json_t *latest = current ? json_incref(json_object_get(entry, "latest"))
                             : grade_afresh(&subject, submission.sha256, &view, untouched);
    json_decref(content);
    submission_clear(&submission);
    if (!latest)
        return EXIT_STATUS_HARNESS;
    bool failed = strcmp(text_of(latest, "state"), "harness_error") == 0;
    if (untouched && !failed)
        write_line(stdout, 0, colour, PAINT_DIM,
                   allocate_format("%s is still the skeleton, so this is about what to write first. No grading is recorded.",
                                   subject.key.path));
    hint_write(stdout, &subject, latest, &memory, colour);
    json_decref(latest);
    return failed ? EXIT_STATUS_HARNESS : EXIT_STATUS_FULL_SCORE;
}
