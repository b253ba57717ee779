#include "grader/student/subject.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/lab/labs.h"
#include "grader/student/standing.h"

bool subject_take_lab(struct subject *subject, const struct lab *lab, char *message, size_t message_bytes)
{
    char path[KIT_PATH_BYTES];
    if (!workspace_lab_file(&subject->workspace, lab, path)) {
        snprintf(message, message_bytes, "%s is not begun in %.300s: `%s start %s` puts its file there.", lab->name,
                 subject->workspace.root, kit_program(), lab->name);
        return false;
    }
    progress_key_for(&subject->workspace, lab, path, &subject->key);
    return true;
}

static bool take_named_lab(struct subject *subject, const struct lab *lab)
{
    char message[KIT_PATH_BYTES];
    workspace_find(&subject->workspace);
    bool found = subject_take_lab(subject, lab, message, sizeof message);
    if (!found)
        fprintf(stderr, "lockstep: %s\n", message);
    return found;
}

static bool take_current(struct subject *subject)
{
    workspace_find(&subject->workspace);
    json_t *content = progress_read(&subject->workspace);
    const struct lab *lab = standing_latest(&subject->workspace, content);
    json_decref(content);
    if (!lab) {
        fprintf(stderr, "lockstep: every lab is solved. Name one: %s list shows them.\n", kit_program());
        return false;
    }
    return take_named_lab(subject, lab);
}

static bool take_file(const struct options *options, const char *file, struct subject *subject)
{
    struct stat facts;
    const struct lab *lab = options->lab ? options->lab : labs_find_for_path(file);
    const char *problem = NULL;
    char unknown[300], suggestion[160];
    labs_suggest(file, suggestion, sizeof suggestion);
    snprintf(unknown, sizeof unknown, "there is no such lab or file%s `lockstep list` shows the labs.",
             suggestion[0] != '\0' ? suggestion : ";");
    if (stat(file, &facts) != 0)
        problem = errno == ENOENT && !strpbrk(file, "/.") ? unknown : strerror(errno);
    else if (S_ISDIR(facts.st_mode))
        problem = "it is a folder; name a lab or a file";
    else if (!lab)
        problem = "which lab is it for? Neither its name nor its folder says so: add --lab LAB";
    if (problem) {
        fprintf(stderr, "lockstep: %s: %s\n", file, problem);
        return false;
    }
    workspace_find_for(file, &subject->workspace);
    progress_key_for(&subject->workspace, lab, file, &subject->key);
    return true;
}

bool subject_find(const struct options *options, struct subject *subject)
{
    const char *argument = options->argument_count == 1 ? options->arguments[0] : NULL;
    struct stat facts;
    /* A file of that very name comes before a lab that is only meant by it. */
    const struct lab *named = !argument                     ? options->lab
                              : stat(argument, &facts) == 0 ? labs_find(argument)
                                                            : labs_find_typed(argument);
    if (named)
        return take_named_lab(subject, named);
    return argument ? take_file(options, argument, subject) : take_current(subject);
}

bool subject_has_kernels(const struct subject *subject, const char *command)
{
    if (!subject->key.lab->program)
        return true;
    fprintf(stderr,
            "lockstep: %s is a lab on whole programs, and %s shows what the kernels of a lab do. Build your program, and "
            "`lockstep exec -- PROGRAM` runs it.\n",
            subject->key.lab->name, command);
    return false;
}
