#include "grader/hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/allocate.h"
#include "grader/kit.h"

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
    while (length > 0 && strchr("\r\n ", line[length - 1]) != NULL)
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

/* The first step below the heading "## code" or "## code pattern". */
static bool find_step(const struct lab *lab, const char *heading, char *text, size_t text_bytes)
{
    char *path = allocate_format("labs/%s/hints.md", lab->name);
    FILE *file = open_kit_file(path);
    char *line = NULL;
    size_t room = 0;
    bool inside = false, found = false;
    free(path);
    while (file != NULL && !found && getline(&line, &room, file) > 0) {
        trim(line);
        if (strncmp(line, "## ", 3) == 0)
            inside = strcmp(line + 3, heading) == 0;
        found = inside && strncmp(line, "1. ", 3) == 0;
        if (found)
            copy_plain(text, text_bytes, line + 3);
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

bool hints_find(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes)
{
    char heading[80];
    text[0] = '\0';
    if (finding->pattern[0] != '\0') {
        snprintf(heading, sizeof(heading), "%s %s", finding->code, finding->pattern);
        if (find_step(lab, heading, text, text_bytes))
            return true;
    }
    return find_step(lab, finding->code, text, text_bytes);
}

/* Is the word among those of "<!-- out_of_bounds never_written -->"? */
static bool names_code(const char *comment, const char *code)
{
    size_t length = strlen(code);
    for (const char *at = strstr(comment, code); at != NULL; at = strstr(at + 1, code))
        if (at > comment && strchr(" -", at[-1]) != NULL && strchr(" -", at[length]) != NULL)
            return true;
    return false;
}

void hints_section(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes)
{
    FILE *file = open_kit_file(lab->handout);
    char *line = NULL;
    size_t room = 0;
    text[0] = '\0';
    while (file != NULL && text[0] == '\0' && getline(&line, &room, file) > 0) {
        char *comment = strstr(line, "<!--");
        if (line[0] != '#' || comment == NULL || !(names_code(comment, finding->code) || names_code(comment, "any")))
            continue;
        *comment = '\0';
        trim(line);
        snprintf(text, text_bytes, "%s, \"%s\"", lab->handout, line + strspn(line, "# "));
    }
    free(line);
    if (file != NULL)
        fclose(file);
}

void hints_apply(const struct lab *lab, struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct result_finding *finding = &findings->list[i];
        char step[sizeof(finding->hint)];
        if (hints_find(lab, finding, step, sizeof(step)))
            snprintf(finding->hint, sizeof(finding->hint), "%s", step);
        hints_section(lab, finding, finding->handout, sizeof(finding->handout));
    }
}
