/* The rows that the command line is made of, for the parser and the help. */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include "grader/options/options.h"

struct options_command_row {
    const char *name, *arguments, *summary, *more;
    int most; /* arguments; -1: any number */
};

/* [OPTIONS_COMMAND_COUNT] */
extern const struct options_command_row options_commands[];

/* One option, as some commands have it. Where it means different things, it has a row for each meaning. */
struct options_row {
    const char *name;           /* "--seed"; of a variable its name */
    const char *value;          /* word for its value; NULL: its choices; "": it takes none */
    const char *const *choices; /* words that it may have, NULL after the last; NULL: any */
    unsigned commands; /* that have it: bits 1 << OPTIONS_id; 0: none any more, and `help` says what to do instead */
    /* Takes the value (NULL where it takes none). Returns false with options->message set; NULL: an environment variable,
     * which is only in the help. */
    bool (*set)(const struct options_row *row, struct options *options, const char *value);
    size_t field; /* of struct options, for the setters that store a text or a flag */
    const char *help;
};

/* [options_row_count], in the order of the help. */
extern const struct options_row options_rows[];
extern const size_t options_row_count;

/* "--device auto|gpu|emulated" without the name: what represents the value in the help. */
void options_value_word(const struct options_row *row, char *text, size_t text_bytes);

#endif
