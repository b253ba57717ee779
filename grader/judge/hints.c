#include "grader/judge/hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/kit.h"
#include "grader/result/diagnose.h"

static FILE *open_kit_file(const char *path)
{
    char *whole = allocate_format("%s/%s", kit_root(), path);
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

/* The steps below the heading "## code" or "## code pattern" of a file of the kit. Returns whether it has any. */
static bool read_ladder(const char *path, const char *heading, struct hints_ladder *ladder)
{
    FILE *file = open_kit_file(path);
    char *line = NULL;
    size_t room = 0;
    bool inside = false, passed = false;
    memset(ladder, 0, sizeof *ladder);
    while (file && !passed && getline(&line, &room, file) > 0) {
        trim(line);
        if (strncmp(line, "## ", 3) == 0) {
            passed = inside;
            inside = strcmp(line + 3, heading) == 0;
        } else if (inside && ladder->count < HINTS_STEPS && line[0] == '1' + ladder->count
                   && strncmp(line + 1, ". ", 2) == 0) {
            copy_plain(ladder->steps[ladder->count++], HINTS_STEP_BYTES, line + 3);
        }
    }
    free(line);
    if (file)
        fclose(file);
    snprintf(ladder->heading, sizeof ladder->heading, "%s", heading);
    return ladder->count > 0;
}

static const char every_lab[] = "labs/hints.md";

static bool find_in_lab(const struct lab *lab, const char *heading, struct hints_ladder *ladder)
{
    char *path = allocate_format("labs/%s/hints.md", lab->name);
    bool found = read_ladder(path, heading, ladder);
    free(path);
    return found;
}

/* "wrong_value" of "wrong_value tail". */
static void first_word(const char *heading, char word[80])
{
    snprintf(word, 80, "%.*s", (int)strcspn(heading, " "), heading);
}

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

bool hints_ladder(const struct lab *lab, const char *heading, struct hints_ladder *ladder)
{
    char word[sizeof ladder->heading];
    first_word(heading, word);
    return find_in_lab(lab, heading, ladder) || read_ladder(every_lab, heading, ladder) || find_in_lab(lab, word, ladder)
           || read_ladder(every_lab, word, ladder) || ladder_of_table(word, ladder);
}

bool hints_find(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes)
{
    struct hints_ladder ladder;
    char heading[sizeof ladder.heading];
    snprintf(heading, sizeof heading, "%s%s%s", finding->code, finding->pattern[0] != '\0' ? " " : "", finding->pattern);
    bool found = find_in_lab(lab, heading, &ladder)
                 || (finding->pattern[0] != '\0' && read_ladder(every_lab, heading, &ladder))
                 || find_in_lab(lab, finding->code, &ladder);
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

void hints_section(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes)
{
    if ((finding->pattern[0] == '\0' || !find_section(lab->handout, finding->pattern, text, text_bytes))
        && !find_section(lab->handout, finding->code, text, text_bytes)
        && !find_section("handouts/reference.md", finding->code, text, text_bytes)
        && !find_section(lab->handout, "any", text, text_bytes))
        text[0] = '\0';
}

void hints_apply(const struct lab *lab, struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct result_finding *finding = &findings->list[i];
        char step[sizeof finding->hint];
        if (hints_find(lab, finding, step, sizeof step))
            snprintf(finding->hint, sizeof finding->hint, "%s", step);
        hints_section(lab, finding, finding->handout, sizeof finding->handout);
    }
}
