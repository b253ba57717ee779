/* The help: of all commands in short, of one with its options. */
#include <stdlib.h>
#include <string.h>

#include "grader/lab/labs.h"
#include "grader/options/options_table.h"

enum { COLUMNS = 80, INDENT = 2, HELP_COLUMN = 32 };

/* Writes text from column `column` on, where the line ends now, wrapped at blanks. */
static void write_wrapped(FILE *file, const char *text, int column)
{
    int at = column;
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (at > column && at + 1 + (int)word > COLUMNS) {
            fprintf(file, "\n%*s", column, "");
            at = column;
        }
        at += fprintf(file, "%s%.*s", at > column ? " " : "", (int)word, text);
        text += word + strspn(text + word, " ");
    }
    fputc('\n', file);
}

/* "  --seed N                      the same inputs again …". Long values are wrapped at their bars. */
static void write_option(FILE *file, const struct options_row *row)
{
    char value[300], head[360];
    options_value_word(row, value, sizeof value);
    int width = snprintf(head, sizeof head, "%s%s%s", row->name, value[0] == '\0' ? "" : row->set ? " " : "=", value);
    if (INDENT + width > COLUMNS) { /* the choices have lines of their own below */
        fprintf(file, "%*s%-*s", INDENT, "", HELP_COLUMN - INDENT, row->name);
        write_wrapped(file, row->help, HELP_COLUMN);
        for (char *bar = value; (bar = strchr(bar, '|')) != NULL;)
            *bar = ' ';
        fprintf(file, "%*s", HELP_COLUMN, "");
        write_wrapped(file, value, HELP_COLUMN);
        return;
    }
    fprintf(file, "%*s%s", INDENT, "", head);
    if (INDENT + width + 2 > HELP_COLUMN)
        fprintf(file, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(file, "%*s", HELP_COLUMN - INDENT - width, "");
    write_wrapped(file, row->help, HELP_COLUMN);
}

static void write_rows(FILE *file, enum options_command command, bool variables)
{
    bool any = false;
    for (size_t i = 0; i < options_row_count; i++) {
        const struct options_row *row = &options_rows[i];
        if ((row->commands >> command & 1) == 0 || (row->set == NULL) != variables)
            continue;
        if (!any)
            fputs(variables ? "\nVariables:\n" : "\nOptions:\n", file);
        any = true;
        write_option(file, row);
    }
}

/* What LAB may be, after the first lab of the course: "doublify or 1". */
static void write_lab_words(FILE *file)
{
    if (labs_count() == 0)
        return;
    const struct lab *lab = labs_get(0);
    if (lab->number > 0)
        fprintf(file, "\nLAB is the name of a lab, or its number on the map of `lockstep list`:\n%s or %d.\n", lab->name,
                lab->number);
    else
        fprintf(file, "\nLAB is the name of a lab: %s.\n", lab->name);
}

/* What `decide` can decide. */
static void write_decisions(FILE *file)
{
    static const struct {
        const char *name, *form, *what;
    } rows[] = {
#define DECISION(name, lab, value, counts, form, what, words) {#name, form, what},
#include "grader/options/decisions.def"
#undef DECISION
    };
    fputs("\nWHAT and VALUE, in the order in which they are applied:\n", file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int width = fprintf(file, "%*s%s%s%s", INDENT, "", rows[i].name, rows[i].form[0] != '\0' ? " " : "", rows[i].form);
        fprintf(file, "%*s", HELP_COLUMN - width, "");
        write_wrapped(file, rows[i].what, HELP_COLUMN);
    }
}

static void write_command(FILE *file, enum options_command command)
{
    const struct options_command_row *row = &options_commands[command];
    bool options = false;
    for (size_t i = 0; i < options_row_count; i++)
        options |= (options_rows[i].commands >> command & 1) != 0 && options_rows[i].set;
    /* What follows the word export, or --, is not ours. */
    bool before = strncmp(row->arguments, "--", 2) == 0;
    fprintf(file, "lockstep %s%s%s%s%s\n\n", row->name, options && before ? " [OPTION]..." : "",
            row->arguments[0] != '\0' ? " " : "", row->arguments, options && !before ? " [OPTION]..." : "");
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory) {
        fprintf(memory, "%c%s.%s%s", row->summary[0] - 'a' + 'A', row->summary + 1, row->more[0] != '\0' ? " " : "",
                row->more);
        fclose(memory);
        write_wrapped(file, text, 0);
        free(text);
    }
    if (command == OPTIONS_DECIDE)
        write_decisions(file);
    write_rows(file, command, false);
    write_rows(file, command, true);
    if (strstr(row->arguments, "LAB"))
        write_lab_words(file);
}

static void write_commands(FILE *file)
{
    fputs("lockstep - GPU exercises, graded with or without a GPU\n\n", file);
    for (int i = 0; i < OPTIONS_COMMAND_COUNT; i++)
        fprintf(file, "  lockstep %-8s %s\n", options_commands[i].name, options_commands[i].summary);
    fputs("  lockstep COMMAND --help    the arguments and options of a command\n"
          "  lockstep --version\n",
          file);
    write_lab_words(file);
    fputs("\nExit status: 0 full score; 1 something is wrong with the file; 2 bad usage;\n"
          "3 the kit itself failed (never a student's fault).\n",
          file);
}

void options_print_help(FILE *file, const struct options *options)
{
    if (options->command == OPTIONS_NONE)
        write_commands(file);
    else
        write_command(file, options->command);
}
