#include "grader/compile/submission.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/compile/compile_step.h"
#include "runtime/base/printable.h"
#include "runtime/language/text.h"

static void refuse(struct submission *submission, enum submission_status status, const char *message)
{
    submission->status = status;
    snprintf(submission->message, sizeof submission->message, "%s", message);
    free(submission->source);
    submission->source = NULL;
}

static bool read_whole(int file, size_t bytes, struct submission *submission)
{
    submission->source = allocate_zeroed(bytes + 1);
    while (submission->source_bytes < bytes) {
        ssize_t got = read(file, submission->source + submission->source_bytes, bytes - submission->source_bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break; /* it became shorter meanwhile */
        submission->source_bytes += (size_t)got;
    }
    submission->source[submission->source_bytes] = '\0';
    return true;
}

static bool is_blank(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

/* A zero byte or two in a text are a slip of some program, and can be found; many make it no text at all. */
static void refuse_zero_bytes(struct submission *submission)
{
    enum { FEW = 4 };
    const char *start = submission->source, *end = start + submission->source_bytes,
               *zero = memchr(start, '\0', end - start);
    int zeros = 0, line = 1;
    char message[200];
    for (const char *at = start; at < end; at++)
        zeros += *at == '\0';
    if (zeros > FEW) {
        refuse(submission, SUBMISSION_UNFIT, "The file is binary, not CUDA C text.");
        return;
    }
    for (const char *at = start; at < zero; at++)
        if (*at == '\n') {
            line++;
            start = at + 1;
        }
    snprintf(message, sizeof message,
             "line %d, column %d: there is a zero byte here, which no text may contain. Delete it, and save the "
             "file as UTF-8.",
             line, printable_columns(start, (size_t)(zero - start)) + 1);
    refuse(submission, SUBMISSION_UNFIT, message);
}

/* The text as its author meant it, instead of the file's bytes. */
static void take_text(struct submission *submission)
{
    size_t bytes = 0;
    char *text = text_read(submission->source, submission->source_bytes, &bytes);
    if (!text) {
        refuse(submission, SUBMISSION_UNREADABLE, strerror(ENOMEM));
        return;
    }
    free(submission->source);
    submission->source = text;
    submission->source_bytes = bytes;
}

/* Opens without waiting and only a regular file: a FIFO would hold the grader for ever. */
static int open_regular(int folder, const char *path, int flags, struct stat *facts, struct submission *submission)
{
    int file = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
    if (file < 0 || fstat(file, facts) != 0) {
        refuse(submission, SUBMISSION_UNREADABLE, strerror(errno));
        return file;
    }
    if (!S_ISREG(facts->st_mode))
        refuse(submission, SUBMISSION_UNREADABLE, S_ISDIR(facts->st_mode) ? "it is a folder" : "not a regular file");
    return file;
}

static void read_file(int folder, const char *path, int flags, struct submission *submission)
{
    struct stat facts = {0};
    memset(submission, 0, sizeof *submission);
    snprintf(submission->path, sizeof submission->path, "%s", path);
    int file = open_regular(folder, path, flags, &facts, submission);
    if (submission->status == SUBMISSION_READ && facts.st_size > (off_t)COMPILE_SOURCE_BYTES_MAX) {
        char message[160];
        snprintf(message, sizeof message,
                 "The file is too large: %lld bytes. A solution has a few hundred lines; up to %u KB are graded.",
                 (long long)facts.st_size, COMPILE_SOURCE_BYTES_MAX / 1024);
        refuse(submission, SUBMISSION_UNFIT, message);
    } else if (submission->status == SUBMISSION_READ && !read_whole(file, (size_t)facts.st_size, submission)) {
        refuse(submission, SUBMISSION_UNREADABLE, strerror(errno));
    }
    if (file >= 0)
        close(file);
    if (!submission->source)
        return;
    SHA256Data((const uint8_t *)submission->source, submission->source_bytes, submission->sha256);
    take_text(submission);
    if (!submission->source)
        return;
    if (memchr(submission->source, '\0', submission->source_bytes))
        refuse_zero_bytes(submission);
    else if (is_blank(submission->source))
        refuse(submission, SUBMISSION_UNFIT, "The file is empty. Start from the skeleton of the lab.");
}

void submission_read(const char *path, struct submission *submission)
{
    read_file(AT_FDCWD, path, 0, submission);
}

void submission_read_in(int folder, const char *name, struct submission *submission)
{
    if (folder >= 0) {
        read_file(folder, name, O_NOFOLLOW, submission);
        return;
    }
    const char *why = strerror(errno);
    memset(submission, 0, sizeof *submission);
    snprintf(submission->path, sizeof submission->path, "%s", name);
    refuse(submission, SUBMISSION_UNREADABLE, why);
}

void submission_clear(struct submission *submission)
{
    free(submission->source);
    memset(submission, 0, sizeof *submission);
}
