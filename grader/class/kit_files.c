#include "grader/class/kit_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/submission.h"
#include "grader/judge/seal.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

/* What the kit has for a lab; kept, since each student of a class asks. */
struct known {
    const struct lab *lab;
    char *skeleton;    /* without blanks; "" where there is none. Owned */
    char solution[65]; /* hash of its bytes */
};

/* Without blanks and line ends. Owned by the caller. */
static char *squeezed(const char *text)
{
    char *plain = allocate_zeroed(strlen(text) + 1);
    size_t used = 0;
    for (; *text != '\0'; text++)
        if (!isspace((unsigned char)*text))
            plain[used++] = *text;
    return plain;
}

/* What a kit without solutions has in their place. */
static void take_sealed(struct known *known)
{
    struct seal seal;
    char message[512];
    bool opened = seal_open(known->lab, &seal, message, sizeof message) == SEAL_OPENED;
    const struct seal_file *skeleton = opened ? seal_find(&seal, SEAL_SKELETON) : NULL;
    const struct seal_file *solution = opened ? seal_find(&seal, SEAL_SOLUTION) : NULL;
    if (skeleton && skeleton->text) {
        free(known->skeleton);
        known->skeleton = squeezed(skeleton->text);
    }
    if (solution)
        memcpy(known->solution, solution->sha256, sizeof known->solution);
    seal_clear(&seal);
}

static const struct known *known_of(const struct lab *lab)
{
    static struct known *list;
    static size_t count, capacity;
    char path[KIT_PATH_BYTES];
    struct submission submission;
    for (size_t i = 0; i < count; i++)
        if (list[i].lab == lab)
            return &list[i];
    list = allocate_grown(list, &capacity, count + 1, sizeof *list);
    struct known *known = &list[count++];
    *known = (struct known){.lab = lab};
    kit_lab_file(lab, "labs", "", path);
    submission_read(path, &submission);
    known->skeleton = squeezed(submission.source ? submission.source : "");
    submission_clear(&submission);
    kit_lab_file(lab, "solutions", "", path);
    submission_read(path, &submission);
    memcpy(known->solution, submission.sha256, sizeof known->solution);
    submission_clear(&submission);
    take_sealed(known);
    return known;
}

bool kit_files_is_skeleton(const struct lab *lab, const char *source)
{
    const struct known *known = known_of(lab);
    char *plain = source && known->skeleton[0] != '\0' ? squeezed(source) : NULL;
    bool same = plain && strcmp(plain, known->skeleton) == 0;
    free(plain);
    return same;
}

bool kit_files_is_solution(const struct lab *lab, const char *sha256)
{
    return sha256[0] != '\0' && strcmp(known_of(lab)->solution, sha256) == 0;
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool kit_files_is_copy(char *const *names, size_t count)
{
    bool labs = false, rest = false;
    for (size_t i = 0; i < count; i++) {
        labs |= strcmp(names[i], "labs") == 0;
        rest |= strcmp(names[i], "build.ninja") == 0 || strcmp(names[i], "solutions") == 0
                || strcmp(names[i], KIT_COMMIT) == 0;
    }
    return labs && rest;
}

bool kit_files_passes_over(const char *name, const char *parent, bool in_copy)
{
    static const char *const of_the_kit[] = {"solutions", "tests", "handouts", "runtime", "grader", "ci", "build"};
    static const char *const of_a_lab[] = {"wrong", "variants"};
    static const char *const of_tools[] = {"node_modules", "__pycache__", "__MACOSX"};
    return is_one_of(name, of_tools, sizeof of_tools / sizeof *of_tools)
           || (in_copy && is_one_of(name, of_the_kit, sizeof of_the_kit / sizeof *of_the_kit))
           || (is_one_of(name, of_a_lab, sizeof of_a_lab / sizeof *of_a_lab) && labs_find(parent));
}
