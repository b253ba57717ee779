#include "grader/student/skeleton.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/seal.h"
#include "grader/lab/kit.h"

#define MARK_BEGIN "// --- your code ---"
#define MARK_END   "// --- end ---"

/* Takes out the lines between the marks. Returns whether there were marks. */
static bool strip(const char *source, char *target)
{
    bool inside = false, any = false;
    *target = '\0';
    for (const char *at = source; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        length += at[length] == '\n';
        const char *word = at + strspn(at, " \t");
        if (strncmp(word, MARK_END, strlen(MARK_END)) == 0)
            inside = false;
        if (!inside)
            strncat(target, at, length);
        if (strncmp(word, MARK_BEGIN, strlen(MARK_BEGIN)) == 0)
            inside = any = true;
        at += length;
    }
    return any;
}

/* Of a kit without solutions: the skeleton as it was sealed, for the one in labs/ may be worked in. NULL: there is none. */
static char *take_sealed(const struct lab *lab)
{
    struct seal seal;
    char message[512];
    enum seal_status status = seal_open(lab, &seal, message, sizeof message);
    const struct seal_file *file = status == SEAL_OPENED ? seal_find(&seal, SEAL_SKELETON) : NULL;
    char *text = file && file->text ? allocate_text(file->text, strlen(file->text)) : NULL;
    seal_clear(&seal);
    return text;
}

char *skeleton_make(const struct lab *lab)
{
    char path[KIT_PATH_BYTES];
    struct submission file;
    kit_lab_file(lab, "solutions", "", path);
    submission_read(path, &file);
    char *text = file.source ? allocate_zeroed(file.source_bytes + 1) : NULL;
    bool good = text && strip(file.source, text);
    submission_clear(&file);
    if (good)
        return text;
    free(text);
    text = take_sealed(lab);
    if (text)
        return text;
    kit_lab_file(lab, "labs", "", path);
    submission_read(path, &file);
    text = file.source;
    file.source = NULL;
    submission_clear(&file);
    return text;
}

bool skeleton_is(const struct lab *lab, const struct submission *submission)
{
    char *skeleton = submission->source ? skeleton_make(lab) : NULL;
    bool same = skeleton && strcmp(submission->source, skeleton) == 0;
    free(skeleton);
    return same;
}
