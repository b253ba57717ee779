#include "runtime/compile/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/printable.h"

struct text {
    const char *start;
    size_t length;
};

static bool starts_with(struct text text, const char *prefix)
{
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.start, prefix, length) == 0;
}

static struct text skip(struct text text, size_t count)
{
    return (struct text){text.start + count, text.length - count};
}

static struct text trim_left(struct text text)
{
    while (text.length > 0 && (*text.start == ' ' || *text.start == '\t'))
        text = skip(text, 1);
    return text;
}

static const struct severity_word {
    const char *word;
    lockstep_severity severity;
} severity_words[] = {
    {"error", LOCKSTEP_ERROR},       {"catastrophic error", LOCKSTEP_ERROR}, {"internal error", LOCKSTEP_ERROR},
    {"fatal error", LOCKSTEP_ERROR}, {"warning", LOCKSTEP_WARNING},          {"note", LOCKSTEP_NOTE},
    {"remark", LOCKSTEP_NOTE},
};

/* Reads "error: message" or "warning #177-D: message" and leaves the message in *text. */
static bool read_severity(struct text *text, lockstep_severity *severity)
{
    for (size_t at = 0; at < sizeof severity_words / sizeof severity_words[0]; at++) {
        if (!starts_with(*text, severity_words[at].word))
            continue;
        struct text rest = skip(*text, strlen(severity_words[at].word));
        if (starts_with(rest, " #")) {
            rest = skip(rest, 2);
            while (rest.length > 0 && *rest.start != ':' && *rest.start != ' ')
                rest = skip(rest, 1);
        }
        if (!starts_with(rest, ":"))
            continue;
        *severity = severity_words[at].severity;
        *text = trim_left(skip(rest, 1));
        return true;
    }
    return false;
}

/* Reads "file(12): error: message": the first "(digits): " that a severity follows. */
static bool read_place(struct text line, struct text *file, int *number, lockstep_severity *severity, struct text *message)
{
    for (size_t open = 1; open < line.length; open++) {
        if (line.start[open] != '(')
            continue;
        size_t at = open + 1;
        int value = 0;
        while (at < line.length && line.start[at] >= '0' && line.start[at] <= '9' && value < 100000000)
            value = 10 * value + (line.start[at++] - '0');
        struct text rest = skip(line, at);
        if (at == open + 1 || !starts_with(rest, "): "))
            continue;
        rest = skip(rest, 3);
        if (!read_severity(&rest, severity))
            continue;
        *file = (struct text){line.start, open};
        *number = value;
        *message = rest;
        return true;
    }
    return false;
}

static lockstep_diagnostic *append(struct diagnostics *diagnostics)
{
    if (diagnostics->count == diagnostics->room) {
        size_t room = diagnostics->room ? 2 * diagnostics->room : 8;
        lockstep_diagnostic *grown = realloc(diagnostics->entries, room * sizeof *grown);
        if (!grown)
            return NULL;
        diagnostics->entries = grown;
        diagnostics->room = room;
    }
    lockstep_diagnostic *entry = &diagnostics->entries[diagnostics->count++];
    memset(entry, 0, sizeof *entry);
    return entry;
}

static void append_text(char *target, size_t target_bytes, struct text text)
{
    printable_append(target, target_bytes, text.start, text.length);
}

/* Advice to pass an option to NVRTC does not help a student, who can only edit the file. */
static struct text without_option_advice(struct text message)
{
    static const char advice[] = " Consider using -default-device";
    char *found = memmem(message.start, message.length, advice, sizeof advice - 1);
    return found ? (struct text){message.start, (size_t)(found - message.start)} : message;
}

static void write_message(lockstep_diagnostic *entry, struct text message)
{
    static const char no_folders[] = " (no directories in search list)";
    message = without_option_advice(message);
    char *tail = memmem(message.start, message.length, no_folders, sizeof no_folders - 1);
    if (tail)
        message.length = (size_t)(tail - message.start);
    append_text(entry->message, sizeof entry->message, message);
}

/* The column of a line of blanks and one '^', as shown below a quoted line that is indented by two; 0: not such a line.
 * NVRTC repeats the tabs of the quoted line, so every character counts as one. */
static int caret_column(struct text line)
{
    size_t at = 0;
    while (at < line.length && (line.start[at] == ' ' || line.start[at] == '\t'))
        at++;
    bool caret = at + 1 == line.length && line.start[at] == '^' && at >= 2;
    return caret && at < 100000000 ? (int)at - 1 : 0;
}

static struct text next_line(struct text *log)
{
    const char *end = log->length > 0 ? memchr(log->start, '\n', log->length) : NULL;
    size_t length = end ? (size_t)(end - log->start) : log->length;
    struct text line = {log->start, length};
    *log = skip(*log, end ? length + 1 : length);
    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    return line;
}

static bool is_indented(struct text line)
{
    return line.length > 0 && (*line.start == ' ' || *line.start == '\t');
}

/* The indented part below a message: lines that continue it, then the quoted source line with the caret below. */
static void read_body(struct text *log, lockstep_diagnostic *entry)
{
    struct text waiting = {NULL, 0};
    for (;;) {
        struct text before = *log;
        struct text line = next_line(log);
        if (!is_indented(line)) {
            if (line.length > 0)
                *log = before;
            break;
        }
        int column = caret_column(line);
        if (column > 0) {
            if (entry->column == 0)
                entry->column = column;
            waiting = (struct text){NULL, 0}; /* it was the quoted line */
            continue;
        }
        if (waiting.length > 0) {
            printable_append(entry->message, sizeof entry->message, "; ", 2);
            append_text(entry->message, sizeof entry->message, trim_left(waiting));
        }
        waiting = line;
    }
    if (waiting.length > 0) {
        printable_append(entry->message, sizeof entry->message, "; ", 2);
        append_text(entry->message, sizeof entry->message, trim_left(waiting));
    }
}

static const char at_end[] = "At end of source: ";

bool diagnostics_parse(const char *log, size_t bytes, struct diagnostics *diagnostics)
{
    struct text rest = {log, bytes};
    while (rest.length > 0 && diagnostics->count < DIAGNOSTICS_MAX) {
        struct text line = next_line(&rest), file = {"", 0}, message = line;
        lockstep_severity severity;
        int number = 0;
        if (is_indented(line))
            continue;
        if (!read_place(line, &file, &number, &severity, &message)) {
            /* "nvrtc: error: ...", "error: ..." and "At end of source: error: ..." name no place; everything else is a
             * summary or a remark */
            if (starts_with(message, "nvrtc: "))
                message = skip(message, 7);
            if (starts_with(message, at_end)) {
                message = skip(message, strlen(at_end));
                number = DIAGNOSTICS_LINE_END;
            }
            if (!read_severity(&message, &severity))
                continue;
        }
        lockstep_diagnostic *entry = append(diagnostics);
        if (!entry)
            return false;
        entry->severity = severity;
        entry->line = number;
        append_text(entry->file, sizeof entry->file, file);
        write_message(entry, message);
        read_body(&rest, entry);
    }
    return true;
}

bool diagnostics_add(struct diagnostics *diagnostics, lockstep_severity severity, const char *file, int line, int column,
                     const char *message)
{
    lockstep_diagnostic *entry = append(diagnostics);
    if (!entry)
        return false;
    entry->severity = severity;
    entry->line = line;
    entry->column = column;
    printable_append(entry->file, sizeof entry->file, file, strlen(file));
    printable_append(entry->message, sizeof entry->message, message, strlen(message));
    return true;
}

bool diagnostics_have_error(const struct diagnostics *diagnostics)
{
    for (size_t at = 0; at < diagnostics->count; at++)
        if (diagnostics->entries[at].severity == LOCKSTEP_ERROR)
            return true;
    return false;
}
