/* `lockstep lab seal FOLDER`: the seals of a kit without solutions, made from the one that has them. */
#include "grader/commands/lab_seal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/compile/compile_server.h"
#include "grader/compile/compile_step.h"
#include "grader/compile/submission.h"
#include "grader/judge/judge_compile.h"
#include "grader/judge/seal.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

static void add_file(const struct lab *lab, enum seal_role role, const char *path, struct seal *seal)
{
    struct submission submission;
    submission_read(path, &submission);
    if (submission.status == SUBMISSION_READ) {
        struct compile_result *compiled = allocate_zeroed(sizeof *compiled);
        struct compile_input input = judge_compile_input(&submission, lab);
        const char *base = strrchr(path, '/');
        lockstep_compiled cached;
        bool hit = judge_find_cached(&submission, lab, &cached);
        bool is_module = role == SEAL_SOLUTION || role == SEAL_FAST;
        input.cached = hit ? &cached : NULL;
        compile_step(&input, compiled);
        seal->files = allocate_grown(seal->files, &seal->capacity, seal->count + 1, sizeof *seal->files);
        struct seal_file *file = &seal->files[seal->count++];
        *file = (struct seal_file){.role = role};
        file->path = allocate_format("%s/%s%s", role == SEAL_SKELETON || role == SEAL_VARIANT ? "labs" : "solutions",
                                     lab->name, base ? base : "");
        memcpy(file->sha256, submission.sha256, sizeof file->sha256);
        if (role == SEAL_SKELETON)
            file->text = allocate_text(submission.source, submission.source_bytes);
        if (is_module && compiled->ptx) {
            file->ptx = allocate_text(compiled->ptx, compiled->ptx_bytes);
            file->ptx_bytes = compiled->ptx_bytes;
        }
        file->prints = compiled->fingerprint;
        file->print_count = compiled->fingerprint_count;
        compiled->fingerprint = NULL;
        if (hit)
            lockstep_compiled_clear(&cached);
        compile_step_clear(compiled);
        free(compiled);
    }
    submission_clear(&submission);
}

static int is_kernel_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".cu") == 0;
}

static void add_variants(const struct lab *lab, struct seal *seal)
{
    char folder[KIT_PATH_BYTES];
    struct dirent **entries;
    kit_lab_part(lab, "variants", folder);
    int count = scandir(folder, &entries, is_kernel_file, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = allocate_format("%s/%s", folder, entries[i]->d_name);
        add_file(lab, SEAL_VARIANT, path, seal);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static bool has_skeleton_and_solution(const struct lab *lab, const struct seal *seal, char *message, size_t message_bytes)
{
    const struct seal_file *solution = seal_find(seal, SEAL_SOLUTION);
    bool good = seal_find(seal, SEAL_SKELETON) && solution && (solution->ptx || lab->program);
    if (!good)
        snprintf(message, message_bytes, "%s: it cannot be sealed, because its %s. `lockstep lab check` shows more.",
                 lab->name,
                 !seal_find(seal, SEAL_SKELETON) ? "skeleton cannot be read"
                 : !solution                     ? "solution cannot be read"
                                                 : "solution does not compile");
    return good;
}

static bool seal_lab(const struct lab *lab, const char *path, char *message, size_t message_bytes)
{
    static const struct {
        const char *folder, *suffix;
        enum seal_role role;
    } files[] = {{"labs", "", SEAL_SKELETON}, {"solutions", "", SEAL_SOLUTION}, {"solutions", "_fast", SEAL_FAST}};
    struct seal seal = {.nvrtc = compile_server_version()};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char source[KIT_PATH_BYTES];
        kit_lab_file(lab, files[i].folder, files[i].suffix, source);
        add_file(lab, files[i].role, source, &seal);
    }
    add_variants(lab, &seal);
    bool good = has_skeleton_and_solution(lab, &seal, message, message_bytes)
                && seal_write(lab, &seal, path, message, message_bytes);
    seal_clear(&seal);
    return good;
}

int lab_seal(const char *folder)
{
    int sealed = 0, status = EXIT_STATUS_FULL_SCORE;
    char message[512];
    for (int i = 0; i < labs_count() && status == EXIT_STATUS_FULL_SCORE; i++) {
        const struct lab *lab = labs_get(i);
        char *description = allocate_format("%s/%s/lab.yaml", folder, lab->name);
        char *path = allocate_format("%s/%s/" KIT_SEAL, folder, lab->name);
        if (access(description, F_OK) == 0) {
            if (seal_lab(lab, path, message, sizeof message)) {
                printf("%s: sealed\n", path);
                sealed++;
            } else {
                fprintf(stderr, "lockstep: %s\n", message);
                status = EXIT_STATUS_HARNESS;
            }
        }
        free(path);
        free(description);
    }
    if (sealed == 0 && status == EXIT_STATUS_FULL_SCORE) {
        fprintf(stderr, "lockstep: %s has no folder of a lab: expected NAME/lab.yaml, as labs/ of a kit has.\n", folder);
        status = EXIT_STATUS_USAGE;
    }
    return status;
}
