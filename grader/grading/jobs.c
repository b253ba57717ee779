#include "grader/grading/jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/allocate.h"
#include "grader/grading/workspace.h"
#include "grader/judge/judge.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

static void complain(struct jobs *jobs, const char *what, const char *why)
{
    fprintf(stderr, "lockstep: %s: %s\n", what, why);
    jobs->problems++;
}

/* A link out of the folder would hand in what is not the student's: a neighbour's work, a hidden solution. */
static bool leads_out(const char *folder, const char *path)
{
    char *inside = realpath(folder, NULL), *file = realpath(path, NULL);
    size_t length = inside ? strlen(inside) : 0;
    bool out = !inside || !file || strncmp(file, inside, length) != 0 || (file[length] != '/' && strcmp(inside, "/") != 0);
    free(inside);
    free(file);
    return out;
}

/*   folder   what the path was found in; NULL: the user named the file itself */
static void add_job(struct jobs *jobs, const struct lab *lab, const char *folder, const char *path)
{
    jobs->list = allocate_grown(jobs->list, &jobs->capacity, jobs->count + 1, sizeof *jobs->list);
    struct job *job = &jobs->list[jobs->count];
    memset(job, 0, sizeof *job);
    job->lab = lab;
    submission_read(path, &job->submission);
    if (folder && job->submission.status == SUBMISSION_READ && leads_out(folder, path)) {
        submission_clear(&job->submission);
        job->submission.status = SUBMISSION_UNFIT;
        snprintf(job->submission.path, sizeof job->submission.path, "%s", path);
        snprintf(job->submission.message, sizeof job->submission.message,
                 "The file is a link to a place outside of the folder. Put the file itself there.");
    }
    if (job->submission.status == SUBMISSION_UNREADABLE) {
        complain(jobs, path, job->submission.message);
        submission_clear(&job->submission);
        return;
    }
    job->has_cached = !lab->program && judge_find_cached(&job->submission, lab, &job->cached);
    jobs->count++;
}

void jobs_add(struct jobs *jobs, const struct lab *lab, const char *path)
{
    add_job(jobs, lab, NULL, path);
}

/* The file of every lab in the folder; or, when the folder is a lab's own, of that lab. */
static void add_folder(struct jobs *jobs, const char *folder, const struct options *options)
{
    size_t before = jobs->count, length = strlen(folder);
    int problems_before = jobs->problems;
    char path[KIT_PATH_BYTES];
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *shown = allocate_text(folder, length);
    for (int i = 0; i < labs_count(); i++) {
        const struct lab *lab = labs_get(i);
        if (options->lab && lab != options->lab)
            continue;
        if (kit_find_file(shown, lab, path))
            add_job(jobs, lab, folder, path);
    }
    free(shown);
    if (jobs->count == before && jobs->problems == problems_before)
        complain(jobs, folder, "nothing to grade here: no NAME/NAME.cu of a lab, such as vector_add/vector_add.cu");
}

/* The lab's file in the student's folder. */
static void add_lab(struct jobs *jobs, const struct lab *lab)
{
    struct workspace workspace;
    char path[KIT_PATH_BYTES];
    workspace_find(&workspace);
    if (workspace_lab_file(&workspace, lab, path) || workspace.is_kit) {
        add_job(jobs, lab, NULL, path);
        return;
    }
    char *why = allocate_format("not begun in %s: `%s start %s` puts its file there", workspace.root, kit_program(),
                                lab->name);
    complain(jobs, lab->name, why);
    free(why);
}

/* What is there of the labs in the student's folder. */
static void add_everything(struct jobs *jobs, const struct options *options)
{
    struct workspace workspace;
    char path[KIT_PATH_BYTES];
    workspace_find(&workspace);
    for (int i = 0; i < labs_count(); i++)
        if ((!options->lab || labs_get(i) == options->lab)
            && (workspace_lab_file(&workspace, labs_get(i), path) || workspace.is_kit))
            add_job(jobs, labs_get(i), NULL, path);
    if (jobs->count == 0 && jobs->problems == 0)
        complain(jobs, workspace.root, "no lab is begun here: `lockstep start LAB` puts one here");
}

static void add_argument(struct jobs *jobs, const char *argument, const struct options *options)
{
    struct stat facts;
    bool there = stat(argument, &facts) == 0;
    int problem = there ? 0 : errno;
    /* A file or folder of that very name comes before a lab that is only meant by it. */
    const struct lab *named = there ? labs_find(argument) : labs_find_typed(argument);
    if (named) {
        add_lab(jobs, named);
    } else if (!there && strncmp(argument, "solutions", 9) == 0 && strchr("/", argument[9]) && !kit_has_solutions()) {
        complain(jobs, argument, "this kit comes without solutions. Grade files of your own.");
    } else if (!there && problem == ENOENT && !strpbrk(argument, "/.")) {
        char suggestion[160];
        labs_suggest(argument, suggestion, sizeof suggestion);
        char *why = allocate_format("there is no such lab, file or folder%s `lockstep list` shows the labs.",
                                    suggestion[0] != '\0' ? suggestion : ";");
        complain(jobs, argument, why);
        free(why);
    } else if (!there) {
        complain(jobs, argument, strerror(problem));
    } else if (S_ISDIR(facts.st_mode)) {
        add_folder(jobs, argument, options);
    } else {
        const struct lab *lab = options->lab ? options->lab : labs_find_for_path(argument);
        if (lab)
            add_job(jobs, lab, NULL, argument);
        else
            complain(jobs, argument, "which lab is it for? Neither its name nor its folder says so: add --lab LAB");
    }
}

void jobs_find(const struct options *options, struct jobs *jobs)
{
    memset(jobs, 0, sizeof *jobs);
    for (int i = 0; i < options->argument_count; i++)
        add_argument(jobs, options->arguments[i], options);
    if (options->argument_count == 0)
        add_everything(jobs, options);
}

void jobs_clear(struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        submission_clear(&jobs->list[i].submission);
        if (jobs->list[i].has_cached)
            lockstep_compiled_clear(&jobs->list[i].cached);
    }
    free(jobs->list);
    memset(jobs, 0, sizeof *jobs);
}
