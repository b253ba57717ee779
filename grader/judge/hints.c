#include "grader/judge/hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/kit.h"
#include "grader/result/cause.h"
#include "grader/result/diagnose.h"

/* Opens a file by its path from the kit's root, or by its absolute path. */
static FILE *open_kit_file(const char *path)
{
    char *whole = allocate_format("%s%s%s", path[0] == '/' ? "" : kit_root(), path[0] == '/' ? "" : "/", path);
    FILE *file = fopen(whole, "re");
    free(whole);
    return file;
}

/* Takes the line's end off. */
static void trim(char *line)
{
    size_t length = strlen(line);
    while (length > 0 && strchr("\r\n ", line[length - 1]))
        line[--length] = '\0';
}

/* Copies the text without Markdown's marks for code. */
static void copy_plain(char *text, size_t text_bytes, const char *from)
{
    size_t length = 0;
    for (; *from != '\0' && length + 1 < text_bytes; from++)
        if (*from != '`')
            text[length++] = *from;
    text[length] = '\0';
}

/* ---- which heading fits --------------------------------------------------------------------------------------------- */

enum { WORD_BYTES = 120 };

/* Takes the next word of a text. Returns false at its end. */
static bool next_word(const char **text, char word[WORD_BYTES])
{
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, " ");
    snprintf(word, WORD_BYTES, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

static bool has_fact(const char *facts, const char *word)
{
    char one[WORD_BYTES];
    while (next_word(&facts, one))
        if (strcmp(one, word) == 0)
            return true;
    return false;
}

/* How much a word of a heading narrows it down. */
static int weight_of(const char *word)
{
    static const struct {
        const char *key;
        int weight;
    } rows[] = {{"kernel=", 8}, {"output=", 4}, {"array=", 4}, {"plan=", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(word, rows[i].key, strlen(rows[i].key)) == 0)
            return rows[i].weight;
    return 32;
}

/* How well a heading fits the facts; 0: not at all. */
static int fit(const char *heading, const char *facts)
{
    char word[WORD_BYTES], code[WORD_BYTES];
    const char *at = facts;
    if (!next_word(&at, code) || !next_word(&heading, word))
        return 0;
    bool any_race = strcmp(word, "race") == 0 && strncmp(code, "race_", 5) == 0;
    bool any_barrier = strcmp(word, "barrier") == 0 && result_code_is_barrier(code);
    if (!any_race && !any_barrier && strcmp(word, code) != 0)
        return 0;
    int fits = any_race || any_barrier ? 1 : 16;
    while (next_word(&heading, word)) {
        if (!has_fact(at, word))
            return 0;
        fits += weight_of(word);
    }
    return fits;
}

/* The first or the last one in the text of the lines that the facts name; 0: none. */
static int outer_line(const char *facts, bool is_last)
{
    int found = 0;
    char word[WORD_BYTES];
    while (next_word(&facts, word)) {
        int line = strncmp(word, "line=", 5) == 0 ? atoi(word + 5) : strncmp(word, "line2=", 6) == 0 ? atoi(word + 6) : 0;
        if (line > 0 && (found == 0 || (line > found) == is_last))
            found = line;
    }
    return found;
}

/* Puts the facts where a step has {array} and the like. */
static void fill_in(char step[HINTS_STEP_BYTES], const char *facts)
{
    static const struct {
        const char *name, *key, *unknown;
    } rows[] = {{"{array}", "array=", "the array"},
                {"{kernel}", "kernel=", "the kernel"},
                {"{line}", "line=", "the line in the message"},
                {"{line2}", "line2=", "the other line"},
                {"{first}", "first", "the line of the other access"},
                {"{last}", "last", "the line of the second access"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char value[WORD_BYTES] = "", word[WORD_BYTES], whole[HINTS_STEP_BYTES];
        bool is_last = strcmp(rows[i].key, "last") == 0, outer = is_last || strcmp(rows[i].key, "first") == 0;
        int line = outer ? outer_line(facts, is_last) : 0;
        if (line > 0)
            snprintf(value, sizeof value, "line %d", line);
        for (const char *at = facts; next_word(&at, word);)
            if (strncmp(word, rows[i].key, strlen(rows[i].key)) == 0)
                snprintf(value, sizeof value, "%s%s", strncmp(rows[i].key, "line", 4) == 0 ? "line " : "",
                         word + strlen(rows[i].key));
        for (char *hit; (hit = strstr(step, rows[i].name));) {
            snprintf(whole, sizeof whole, "%.*s%s%s", (int)(hit - step), step, value[0] ? value : rows[i].unknown,
                     hit + strlen(rows[i].name));
            memcpy(step, whole, sizeof whole);
        }
    }
}

/* Reads the ladder of a file of the kit that fits better than `best`. Returns how well; `best` when none does. */
static int read_ladder(const char *path, const char *facts, int best, struct hints_ladder *ladder)
{
    FILE *file = open_kit_file(path);
    char *line = NULL;
    size_t room = 0;
    bool inside = false;
    while (file && getline(&line, &room, file) > 0) {
        trim(line);
        if (strncmp(line, "## ", 3) == 0) {
            int fits = fit(line + 3, facts);
            inside = fits > best;
            if (!inside)
                continue;
            best = fits;
            memset(ladder, 0, sizeof *ladder);
            snprintf(ladder->heading, sizeof ladder->heading, "%s", line + 3);
        } else if (inside && ladder->count < HINTS_STEPS && line[0] == '1' + ladder->count
                   && strncmp(line + 1, ". ", 2) == 0) {
            copy_plain(ladder->steps[ladder->count++], HINTS_STEP_BYTES, line + 3);
        }
    }
    free(line);
    if (file)
        fclose(file);
    return best;
}

static const char every_lab[] = "labs/hints.md";

/* What the table of findings says of a code for which nobody has written a ladder. */
static bool ladder_of_table(const char *code, struct hints_ladder *ladder)
{
    const char *steps[HINTS_STEPS];
    if (!diagnose_explain(code, steps))
        return false;
    *ladder = (struct hints_ladder){.count = HINTS_STEPS};
    snprintf(ladder->heading, sizeof ladder->heading, "%s", code);
    for (int i = 0; i < HINTS_STEPS; i++)
        copy_plain(ladder->steps[i], HINTS_STEP_BYTES, steps[i]);
    return true;
}

/* Reads the best ladder of both files. Returns how well it fits, 0: there is none; *own: it is the lab's. */
static int find_ladder(const struct lab *lab, const char *facts, struct hints_ladder *ladder, bool *own)
{
    char path[KIT_PATH_BYTES];
    kit_lab_part(lab, "hints.md", path);
    memset(ladder, 0, sizeof *ladder);
    int best = read_ladder(path, facts, 0, ladder);
    int any = read_ladder(every_lab, facts, best, ladder);
    *own = best > 0 && any == best;
    for (int i = 0; i < ladder->count; i++)
        fill_in(ladder->steps[i], facts);
    return any;
}

bool hints_ladder(const struct lab *lab, const char *facts, struct hints_ladder *ladder)
{
    char code[WORD_BYTES];
    bool own;
    const char *at = facts;
    return next_word(&at, code) && (find_ladder(lab, facts, ladder, &own) > 0 || ladder_of_table(code, ladder));
}

bool hints_find(const struct lab *lab, const char *plan, const struct result_finding *finding, char *text, size_t text_bytes)
{
    struct hints_ladder ladder;
    char facts[CAUSE_HEADING_BYTES];
    bool own;
    cause_facts(finding, plan, facts, sizeof facts);
    int fits = find_ladder(lab, facts, &ladder, &own);
    bool found = fits > 0 && (own || strchr(ladder.heading, ' '));
    snprintf(text, text_bytes, "%s", found ? ladder.steps[0] : "");
    return found;
}

/* Is the word among those of "<!-- out_of_bounds never_written -->"? */
static bool names_code(const char *comment, const char *code)
{
    size_t length = strlen(code);
    for (const char *at = strstr(comment, code); at; at = strstr(at + 1, code))
        if (at > comment && strchr(" -", at[-1]) && strchr(" -", at[length]))
            return true;
    return false;
}

/* The first heading of the page that names this word. Returns false when there is none. */
static bool find_section(const char *page, const char *word, char *text, size_t text_bytes)
{
    FILE *file = open_kit_file(page);
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) > 0) {
        char *comment = strstr(line, "<!--");
        if (line[0] != '#' || !comment || !names_code(comment, word))
            continue;
        *comment = '\0';
        trim(line);
        snprintf(text, text_bytes, "%s, \"%s\"", page, line + strspn(line, "# "));
        found = true;
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

void hints_section(const struct lab *lab, const char *plan, const struct result_finding *finding, char *text,
                   size_t text_bytes)
{
    bool values = strcmp(finding->code, "wrong_value") == 0 && finding->kernel[0] != '\0';
    if ((!plan || !find_section(lab->handout, plan, text, text_bytes))
        && (finding->pattern[0] == '\0' || !find_section(lab->handout, finding->pattern, text, text_bytes))
        && (!values || !find_section(lab->handout, finding->kernel, text, text_bytes))
        && !find_section(lab->handout, finding->code, text, text_bytes)
        && !find_section("handouts/reference.md", finding->code, text, text_bytes)
        && !find_section(lab->handout, "any", text, text_bytes))
        text[0] = '\0';
}

void hints_apply(const struct lab *lab, const char *plan, struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct result_finding *finding = &findings->list[i];
        char step[sizeof finding->hint];
        if (hints_find(lab, plan, finding, step, sizeof step))
            snprintf(finding->hint, sizeof finding->hint, "%s", step);
        hints_section(lab, plan, finding, finding->handout, sizeof finding->handout);
    }
}
