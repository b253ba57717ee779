#include "runtime/emulator/driver/python_place.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 512, PLACE_BYTES = 160, DEPTH = 64 };

static char places[PLACES][PLACE_BYTES];
static size_t place_count;

/* Functions of Python 3.9 and later; objects are opaque here. */
static struct {
    int (*is_initialised)(void), (*holds_lock)(void);
    void *(*get_frame)(void);  /* borrowed */
    void *(*get_back)(void *); /* a new reference, as the next two; or NULL */
    void *(*get_code)(void *);
    void *(*get_attribute)(void *, const char *);
    int (*get_line)(void *);
    const char *(*get_text)(void *); /* borrowed from the object */
    int (*take_lock)(void);          /* returns what drop_lock takes */
    void (*drop_lock)(int);
    void (*add_reference)(void *), (*drop_reference)(void *);
} python;

static bool find_function(const char *name, void *function)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool has_python(void)
{
    static enum { UNKNOWN, PRESENT, ABSENT } state;
    if (state == UNKNOWN)
        state = find_function("Py_IsInitialized", &python.is_initialised)
                        && find_function("PyGILState_Check", &python.holds_lock)
                        && find_function("PyEval_GetFrame", &python.get_frame)
                        && find_function("PyFrame_GetBack", &python.get_back)
                        && find_function("PyFrame_GetCode", &python.get_code)
                        && find_function("PyFrame_GetLineNumber", &python.get_line)
                        && find_function("PyObject_GetAttrString", &python.get_attribute)
                        && find_function("PyUnicode_AsUTF8", &python.get_text)
                        && find_function("PyGILState_Ensure", &python.take_lock)
                        && find_function("PyGILState_Release", &python.drop_lock)
                        && find_function("Py_IncRef", &python.add_reference)
                        && find_function("Py_DecRef", &python.drop_reference)
                    ? PRESENT
                    : ABSENT;
    return state == PRESENT && python.is_initialised();
}

/* Installed, or part of the interpreter. */
static bool is_library(const char *file)
{
    return strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") || strstr(file, "/lib/python3")
           || strncmp(file, "<frozen", strlen("<frozen")) == 0;
}

static const void *keep(const char *text)
{
    for (size_t i = 0; i < place_count; i++)
        if (strcmp(places[i], text) == 0)
            return places[i];
    if (place_count == PLACES)
        return NULL;
    snprintf(places[place_count], PLACE_BYTES, "%s", text);
    return places[place_count++];
}

/* Writes what the frame is; false: a library's. */
static bool describe(void *frame, char text[PLACE_BYTES])
{
    void *code = python.get_code(frame);
    void *file = code ? python.get_attribute(code, "co_filename") : NULL;
    void *function = code ? python.get_attribute(code, "co_name") : NULL;
    const char *path = file ? python.get_text(file) : NULL, *name = function ? python.get_text(function) : NULL;
    bool is_own = path && name && !is_library(path);
    if (is_own) {
        const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
        if (name[0] == '<') /* <module> */
            snprintf(text, PLACE_BYTES, "%.70s, line %d", base, python.get_line(frame));
        else
            snprintf(text, PLACE_BYTES, "%.60s, line %d of %.60s", name, python.get_line(frame), base);
    }
    python.drop_reference(function);
    python.drop_reference(file);
    python.drop_reference(code);
    return is_own;
}

const void *python_place_find(void)
{
    char text[PLACE_BYTES];
    void *frame = has_python() && python.holds_lock() ? python.get_frame() : NULL;
    const void *found = NULL;
    if (frame)
        python.add_reference(frame);
    for (int depth = 0; frame && depth < DEPTH && !found; depth++) {
        void *back = NULL;
        if (describe(frame, text))
            found = keep(text);
        else
            back = python.get_back(frame);
        python.drop_reference(frame);
        frame = back;
    }
    if (frame)
        python.drop_reference(frame);
    return found;
}

const void *python_place_of_caller(bool *is_package)
{
    char text[PLACE_BYTES];
    *is_package = false;
    if (!has_python())
        return NULL;
    int before = python.take_lock();
    void *frame = python.get_frame();
    const void *found = frame && describe(frame, text) ? keep(text) : NULL;
    *is_package = frame && !found;
    python.drop_lock(before);
    return found;
}

const char *python_place_text(const void *place)
{
    uintptr_t at = (uintptr_t)place, first = (uintptr_t)places;
    return at >= first && at < first + sizeof places ? place : NULL;
}
