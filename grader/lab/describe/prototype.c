#include "grader/lab/describe/prototype.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        (*at)++;
}

/* Takes a word of letters, digits and underscores. Returns its length, 0: there is none here. */
static size_t take_word(const char **at, char *word, size_t word_bytes)
{
    skip_blanks(at);
    size_t length = 0;
    if (isdigit((unsigned char)**at))
        return 0;
    while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_')
        length++;
    snprintf(word, word_bytes, "%.*s", (int)length, *at);
    *at += length;
    return length;
}

static bool take(const char **at, char wanted)
{
    skip_blanks(at);
    if (**at != wanted)
        return false;
    (*at)++;
    return true;
}

static bool is_any_of(const char *word, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static const char *const restricts[] = {"restrict", "__restrict__", "__restrict"};

/* One parameter: words, a star or none, the name, which is the last word. */
static bool read_parameter(const char **at, struct prototype_parameter *parameter, char *message, size_t message_bytes)
{
    char word[64], words[8][40];
    int count = 0;
    size_t length;
    memset(parameter, 0, sizeof *parameter);
    while ((length = take_word(at, word, sizeof word)) > 0 || **at == '*') {
        if (length == 0) {
            if (parameter->is_pointer) {
                snprintf(message, message_bytes, "a pointer to a pointer cannot be a kernel's argument here");
                return false;
            }
            parameter->is_pointer = true;
            (*at)++;
            continue;
        }
        if (strcmp(word, "const") == 0) {
            parameter->is_const = parameter->is_const || !parameter->is_pointer;
            continue;
        }
        if (is_any_of(word, restricts, sizeof restricts / sizeof *restricts))
            continue;
        if (count == 8 || length >= sizeof words[0]) {
            snprintf(message, message_bytes, "%.40s: a parameter has a type and a name", word);
            return false;
        }
        memcpy(words[count++], word, length + 1);
    }
    if (count < 2) {
        snprintf(message, message_bytes, "every parameter needs a type and a name, such as \"const float *in\"");
        return false;
    }
    for (int i = 0; i + 1 < count; i++) {
        size_t used = strlen(parameter->type);
        snprintf(parameter->type + used, sizeof parameter->type - used, "%s%s", i > 0 ? " " : "", words[i]);
    }
    memcpy(parameter->name, words[count - 1], sizeof parameter->name);
    return true;
}

bool prototype_read(const char *text, struct prototype *prototype, char *message, size_t message_bytes)
{
    const char *at = text;
    char word[64];
    memset(prototype, 0, sizeof *prototype);
    if (take_word(&at, word, sizeof word) == 0 || strcmp(word, "void") != 0
        || take_word(&at, prototype->name, sizeof prototype->name) == 0 || !take(&at, '(')) {
        snprintf(message, message_bytes, "expected a prototype such as \"void twice(float *a, int n)\"");
        return false;
    }
    bool ended = take(&at, ')');
    while (!ended) {
        struct prototype_parameter *parameter = &prototype->parameters[prototype->parameter_count];
        if (prototype->parameter_count == PROTOTYPE_PARAMETERS) {
            snprintf(message, message_bytes, "more than %d parameters", PROTOTYPE_PARAMETERS);
            return false;
        }
        if (!read_parameter(&at, parameter, message, message_bytes))
            return false;
        if (prototype_find(prototype, parameter->name) >= 0) {
            snprintf(message, message_bytes, "two parameters are called %s", parameter->name);
            return false;
        }
        prototype->parameter_count++;
        ended = take(&at, ')');
        if (!ended && !take(&at, ',')) {
            snprintf(message, message_bytes, "expected , or ) after %s", parameter->name);
            return false;
        }
    }
    take(&at, ';');
    skip_blanks(&at);
    if (*at != '\0')
        snprintf(message, message_bytes, "%.20s is left over after the prototype", at);
    return *at == '\0';
}

int prototype_find(const struct prototype *prototype, const char *name)
{
    for (int i = 0; i < prototype->parameter_count; i++)
        if (strcmp(prototype->parameters[i].name, name) == 0)
            return i;
    return -1;
}
