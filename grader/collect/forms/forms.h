/* Recognises a download by the names at its top, and takes such names apart: forms.def. */
#ifndef COLLECT_FORMS_H
#define COLLECT_FORMS_H

#include <stdbool.h>
#include <stddef.h>

enum form {
#define FORM(id, ...) FORM_##id,
#include "grader/collect/forms/forms.def"
#undef FORM
    FORM_UNKNOWN,
};

const char *form_word(enum form form);
const char *form_title(enum form form);

/* The names at the top of a folder, without those that systems leave behind. */
struct forms_list {
    struct forms_entry {
        char *name; /* owned */
        bool is_folder;
        bool has_git; /* a folder with .git in it */
    } *entries;       /* owned; sorted by their bytes */
    size_t count, capacity;
};

/* Lists a folder by its descriptor, which stays open. Returns false with errno when it cannot be read. Clear in either case. */
bool forms_list_read(int folder, struct forms_list *list);
void forms_list_clear(struct forms_list *list);

/* What systems and tools leave behind: .DS_Store, __MACOSX and the like; nobody hands it in. */
bool forms_is_noise(const char *name);

/* Files that systems put beside the students': tables, and the metadata of Gradescope. */
bool forms_is_companion(const char *name);

/* The form of a folder with these names; FORM_UNKNOWN: it has neither students' folders nor names of any form. */
enum form forms_recognise(const struct forms_list *list);

/* A name taken apart; texts are owned, "" where the name has none. */
struct form_name {
    char *student, *number, *file;
    bool is_late, is_online_text;
};

/* Returns false when the name does not have the form. Clear when it has. */
bool form_name_read(enum form form, const char *name, struct form_name *parts);
void form_name_clear(struct form_name *parts);

/* Would a folder of this form, taken as a class, have nobody in it: do its students have files and no folders? */
bool forms_is_flat(const struct forms_list *list);

/* Is this the name of an archive that can be unpacked? *stem_bytes: the length of the name without ".zip", ".tar.gz" ... */
bool forms_is_archive(const char *name, size_t *stem_bytes);

#endif
