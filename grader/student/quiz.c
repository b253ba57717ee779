/* The command quiz: a few questions that find out where in the course to begin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/lab/map.h"
#include "grader/options/commands.h"

enum { NOT_KNOWN = -1, CHOICES = 3 };

struct question {
    const char *step; /* its name on the map: who cannot answer begins there, or before */
    const char *text, *choices[CHOICES];
    int right;       /* which choice, from 0 */
    const char *why; /* one sentence or two */
};

static const struct question questions[] = {
#define QUESTION(step, text, a, b, c, right, why) {step, text, {a, b, c}, (right) - 'a', why},
#include "grader/student/quiz.def"
#undef QUESTION
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* 'a', 'B' or '-': the number of the choice, NOT_KNOWN for "-" and "?". Returns false for anything else. */
static bool read_letter(char letter, int *choice)
{
    if (letter == '-' || letter == '?') {
        *choice = NOT_KNOWN;
        return true;
    }
    *choice = (letter | 0x20) - 'a';
    return *choice >= 0 && *choice < CHOICES;
}

static void write_question(FILE *file, const struct question *question, int number, int count, bool colour)
{
    char *text = allocate_format("%d of %d. %s", number, count, question->text);
    paint_wrapped(file, 0, text, colour, PAINT_BOLD);
    free(text);
    for (int i = 0; i < CHOICES; i++) {
        text = allocate_format("%c) %s", 'a' + i, question->choices[i]);
        paint_wrapped(file, 3, text, colour, PAINT_PLAIN);
        free(text);
    }
}

/* Asks on the terminal. The input's end leaves the rest unknown. */
static void ask(int *choices)
{
    bool colour = paint_wanted(stdout), ended = false;
    char *line = NULL;
    size_t room = 0;
    printf("%d questions. Answer a, b or c, or - where you do not know: guessing helps nobody.\n", QUESTIONS);
    for (int i = 0; i < QUESTIONS; i++) {
        choices[i] = NOT_KNOWN;
        if (ended)
            continue;
        fputc('\n', stdout);
        write_question(stdout, &questions[i], i + 1, QUESTIONS, colour);
        for (bool answered = false; !answered && !ended;) {
            printf("   a, b, c or -: ");
            fflush(stdout);
            ended = getline(&line, &room, stdin) <= 0;
            answered = !ended && strspn(line + 1, " \r\n") == strlen(line + 1) && read_letter(line[0], &choices[i]);
        }
        choices[i] = ended ? NOT_KNOWN : choices[i];
    }
    fputs(ended ? "\n\n" : "\n", stdout);
    free(line);
}

/* Where there is nobody to ask. */
static void show(void)
{
    bool colour = paint_wanted(stdout);
    for (int i = 0; i < QUESTIONS; i++) {
        write_question(stdout, &questions[i], i + 1, QUESTIONS, colour);
        fputc('\n', stdout);
    }
    printf("Answer with one letter for each question, - where you do not know:\n    %s quiz --answers ", kit_program());
    for (int i = 0; i < QUESTIONS; i++)
        fputc("abc-"[i % 4], stdout);
    fputc('\n', stdout);
}

static bool read_answers(const char *text, int *choices)
{
    bool good = strlen(text) == (size_t)QUESTIONS;
    for (int i = 0; i < QUESTIONS && good; i++)
        good = read_letter(text[i], &choices[i]);
    if (!good)
        fprintf(stderr, "lockstep: --answers %s: expected %d letters, each a, b, c or -.\n", text, QUESTIONS);
    return good;
}

static void write_mistakes(const int *choices, bool colour)
{
    int right = 0;
    for (int i = 0; i < QUESTIONS; i++)
        right += choices[i] == questions[i].right;
    printf("%d of %d right.\n", right, QUESTIONS);
    for (int i = 0; i < QUESTIONS; i++) {
        const struct question *question = &questions[i];
        if (choices[i] == question->right)
            continue;
        char *text = allocate_format("Question %d: %c) %s. %s", i + 1, 'a' + question->right,
                                     question->choices[question->right], question->why);
        fputc('\n', stdout);
        paint_wrapped(stdout, 2, text, colour, PAINT_PLAIN);
        free(text);
    }
}

/* Where the first gap is. A page comes before the labs that need it. */
static void propose(const int *choices, bool colour)
{
    const struct map_step *step = NULL;
    char *text;
    for (int i = 0; i < QUESTIONS && !step; i++)
        if (choices[i] != questions[i].right)
            step = map_find(questions[i].step);
    const struct lab *lab = step && !step->title ? labs_find(step->name) : NULL;
    const struct lab *first = labs_count() > 0 ? labs_get(0) : NULL;
    fputc('\n', stdout);
    if (!step && first)
        text = allocate_format(
            "Nothing here is new to you: take the labs in any order. %s shows in a few minutes how a lab goes:",
            first->name);
    else if (lab == first && map_count() > 0)
        text = allocate_format("Begin at the beginning: read %s, then take the first lab:", map_get(0)->name);
    else if (lab)
        text = allocate_format("Begin with %s; you seem to know what the labs before it teach. Read %s, then:", lab->name,
                               lab->handout);
    else
        text =
            allocate_format("Begin with %s (\"%s\"); you seem to know what comes before it. It has an exercise. Then go on "
                            "with the labs that need it:",
                            step->name, step->title);
    paint_wrapped(stdout, 0, text, colour, PAINT_BOLD);
    free(text);
    if (!step)
        lab = first;
    if (lab)
        printf("    %s watch %s\n", kit_program(), lab->name);
    else
        printf("    %s list\n", kit_program());
}

int quiz_run(const struct options *options)
{
    bool colour = paint_wanted(stdout);
    int *choices = allocate_zeroed(QUESTIONS * sizeof *choices);
    enum exit_status status = EXIT_STATUS_FULL_SCORE;
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), answered = options->answers || terminal;
    if (options->answers && !read_answers(options->answers, choices))
        status = EXIT_STATUS_USAGE;
    else if (!options->answers && terminal)
        ask(choices);
    else if (!options->answers)
        show();
    if (status == EXIT_STATUS_FULL_SCORE && answered) {
        write_mistakes(choices, colour);
        propose(choices, colour);
    }
    free(choices);
    return status;
}
