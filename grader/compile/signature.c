#include "grader/compile/signature.h"

#include <stdio.h>
#include <string.h>

#include "runtime/language/source.h"

/* ---- types -------------------------------------------------------------------------------------------------------- */

struct known_type {
    const char *spelling; /* words in alphabetical order */
    const char *name;     /* as shown */
    uint32_t bytes;       /* on the device (64-bit Linux) */
};

/* The types of a lab's arrays and scalars, then what else a signature may have: other words for
 * them, and types that no lab passes. */
static const struct known_type known_types[] = {
#define TYPE(identifier, name, c, ptx, bytes, kind, digits, least) {c, c, bytes},
#include "grader/lab/types.def"
#undef TYPE
    {"int signed", "int", 4},
    {"signed", "int", 4},
    {"int32_t", "int", 4},
    {"int unsigned", "unsigned", 4},
    {"uint", "unsigned", 4},
    {"uint32_t", "unsigned", 4},
    {"char", "char", 1},
    {"char signed", "signed char", 1},
    {"int8_t", "signed char", 1},
    {"char unsigned", "unsigned char", 1},
    {"uchar", "unsigned char", 1},
    {"uint8_t", "unsigned char", 1},
    {"bool", "bool", 1},
    {"int short", "short", 2},
    {"int16_t", "short", 2},
    {"short unsigned", "unsigned short", 2},
    {"int short unsigned", "unsigned short", 2},
    {"ushort", "unsigned short", 2},
    {"uint16_t", "unsigned short", 2},
    {"int long", "long", 8},
    {"long long", "long", 8},
    {"int long long", "long", 8},
    {"int64_t", "long", 8},
    {"long unsigned", "unsigned long", 8},
    {"int long unsigned", "unsigned long", 8},
    {"long long unsigned", "unsigned long", 8},
    {"int long long unsigned", "unsigned long", 8},
    {"uint64_t", "unsigned long", 8},
    {"size_t", "unsigned long", 8},
    {"__half", "half", 2},
    {"nv_bfloat16", "__nv_bfloat16", 2},
    {"cudaTextureObject_t", "cudaTextureObject_t", 8},
    {"float4", "float4", 16},
    {"int4", "int4", 16},
    {"float2", "float2", 8},
    {"int2", "int2", 8},
    {"void", "void", 0},
};

static bool is_qualifier(const char *word)
{
    static const char *const words[] = {"const",   "volatile", "__restrict__", "__restrict",       "restrict",
                                        "__const", "register", "struct",       "__grid_constant__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool is_type_word(const char *word)
{
    static const char *const words[] = {"int",  "unsigned", "signed", "long", "short",
                                        "char", "float",    "double", "void", "bool"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static const struct known_type *find_type(const char *type)
{
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        if (strcmp(known_types[i].spelling, type) == 0 || strcmp(known_types[i].name, type) == 0)
            return &known_types[i];
    return NULL;
}

/* ---- one parameter ------------------------------------------------------------------------------------------------ */

#define MAX_WORDS 12
/* No parameter has more tokens, macros replaced, and no macro begins a kernel with more: macros of macros double. */
#define MOST_TOKENS 256

struct declarator {
    char words[MAX_WORDS][SIGNATURE_NAME_BYTES]; /* type words, then the name, as they come; long ones are cut */
    int word_count;
    int pointers;
    int tokens;   /* looked at */
    bool strange; /* templates, function pointers, references */
    bool reference;
};

/* Takes tokens [first, end) of one parameter apart, aliases replaced: those of the text, or of a macro. `depth` ends a
 * circle of macros. */
static void take_tokens(const struct source *source, size_t first, size_t end, bool defined, int depth,
                        struct declarator *declarator)
{
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->defined != defined)
            continue;
        if (++declarator->tokens > MOST_TOKENS) {
            declarator->strange = true;
            return;
        }
        const struct source_macro *alias = depth < 8 && token->kind == SOURCE_WORD ? source_find_alias(source, token) : NULL;
        char word[SIGNATURE_NAME_BYTES];
        snprintf(word, sizeof word, "%.*s", token->length, token->text);
        if (alias && !(alias->first <= i && i < alias->first + alias->count)) {
            if (alias->count > 0)
                take_tokens(source, alias->first, alias->first + alias->count, source->tokens[alias->first].defined,
                            depth + 1, declarator);
        } else if (source_token_is(token, "=")) { /* a default value says nothing of the type */
            return;
        } else if (source_token_is(token, "&")) {
            declarator->reference = declarator->strange = true;
        } else if (source_token_is(token, "*")) {
            declarator->pointers++;
        } else if (source_token_is(token, "[")) {
            declarator->pointers++;
            while (i + 1 < end && !source_token_is(&source->tokens[i], "]"))
                i++;
        } else if (token->kind == SOURCE_WORD) {
            if (!is_qualifier(word) && declarator->word_count < MAX_WORDS)
                strcpy(declarator->words[declarator->word_count++], word);
        } else {
            declarator->strange = true;
        }
    }
}

static void sort_words(char words[][SIGNATURE_NAME_BYTES], int count)
{
    char other[SIGNATURE_NAME_BYTES];
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && strcmp(words[k - 1], words[k]) > 0; k--) {
            strcpy(other, words[k]);
            strcpy(words[k], words[k - 1]);
            strcpy(words[k - 1], other);
        }
}

static void read_parameter(const struct source *source, size_t first, size_t end, struct signature_parameter *parameter)
{
    struct declarator declarator = {0};
    memset(parameter, 0, sizeof *parameter);
    take_tokens(source, first, end, false, 0, &declarator);
    int type_words = declarator.word_count;
    /* The last word is the name, unless it belongs to the type (a declaration may leave the name out). */
    if (type_words > 1 && !is_type_word(declarator.words[type_words - 1]))
        strcpy(parameter->name, declarator.words[--type_words]);
    sort_words(declarator.words, type_words);
    char spelling[MAX_WORDS * SIGNATURE_NAME_BYTES] = "";
    for (int i = 0; i < type_words; i++)
        snprintf(spelling + strlen(spelling), sizeof spelling - strlen(spelling), "%s%s", i > 0 ? " " : "",
                 declarator.words[i]);
    const struct known_type *type = declarator.strange ? NULL : find_type(spelling);
    parameter->known = type != NULL;
    parameter->pointers = declarator.pointers;
    parameter->reference = declarator.reference;
    snprintf(parameter->type, sizeof parameter->type, "%.63s", type ? type->name : spelling);
    for (size_t i = first; i < end && !source_token_is(&source->tokens[i], "*"); i++)
        parameter->constant |= source_token_is(&source->tokens[i], "const");
}

/* ---- whole signatures --------------------------------------------------------------------------------------------- */

/* Whether token i is that sign in the text itself. */
static bool is_sign(const struct source *source, size_t i, const char *sign)
{
    return i < source->token_count && !source->tokens[i].defined && source_token_is(&source->tokens[i], sign);
}

/* "void scan(const int *in, int n)" from the tokens of name and parameters: one blank between words, none where it would
 * look odd. */
static void write_text(const struct source *source, size_t name, size_t close, struct signature *signature)
{
    size_t used = (size_t)snprintf(signature->text, sizeof signature->text, "void ");
    for (size_t i = name, before = name; i <= close; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->defined)
            continue;
        bool blank = i > name && !strchr("(),[];", *token->text) && !strchr("([*", *source->tokens[before].text);
        int length = snprintf(signature->text + used, sizeof signature->text - used, "%s%.*s", blank ? " " : "",
                              token->length, token->text);
        used += (size_t)length;
        if (used >= sizeof signature->text)
            return;
        before = i;
    }
}

static int depth_change(const struct source_token *token)
{
    static const char *const opening[] = {"(", "<", "["}, *const closing[] = {")", ">", "]", ">>"};
    for (int i = 0; i < 3; i++)
        if (source_token_is(token, opening[i]))
            return 1;
    for (int i = 0; i < 4; i++)
        if (source_token_is(token, closing[i]))
            return i < 3 ? -1 : -2;
    return 0;
}

static void read_signature(const struct source *source, size_t name, size_t close, struct signature *signature)
{
    memset(signature, 0, sizeof *signature);
    signature->line = source->tokens[name].line;
    write_text(source, name, close, signature);
    size_t first = name + 2;
    bool nothing = first == close || (close == first + 1 && source_token_is(&source->tokens[first], "void"));
    int depth = 0;
    for (size_t i = first; i <= close && !nothing; i++) {
        if (i < close) {
            depth += source->tokens[i].defined ? 0 : depth_change(&source->tokens[i]);
            if (depth > 0 || !is_sign(source, i, ","))
                continue;
        }
        if (signature->parameter_count < SIGNATURE_MAX_PARAMETERS)
            read_parameter(source, first, i, &signature->parameters[signature->parameter_count]);
        signature->parameter_count++;
        first = i + 1;
    }
}

/* Whether a name stands for `word`: directly or through macros of one word. */
static bool stands_for(const struct source *source, const struct source_token *name, const char *word)
{
    for (int depth = 0; depth < 8; depth++) {
        if (source_token_is(name, word))
            return true;
        const struct source_macro *alias = source_find_alias(source, name);
        if (!alias || alias->count != 1)
            return false;
        name = &source->tokens[alias->first];
    }
    return false;
}

/* Whether a word is __global__, or a macro that brings it. */
static bool makes_global(const struct source *source, const struct source_token *name)
{
    const struct source_macro *alias = name->kind == SOURCE_WORD ? source_find_alias(source, name) : NULL;
    for (size_t k = 0; alias && k < alias->count && k < MOST_TOKENS; k++)
        if (source_token_is(&source->tokens[alias->first + k], "__global__"))
            return true;
    return name->kind == SOURCE_WORD && stands_for(source, name, "__global__");
}

bool signature_find(const char *text, const char *kernel, struct signature *signature)
{
    struct source *source = source_create_anyway(text, strlen(text));
    bool found = false, defined = false;
    bool global = false; /* __global__ since the last statement */
    for (size_t i = 0; source && i < source->token_count && !defined; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->defined)
            continue;
        if (is_sign(source, i, ";") || is_sign(source, i, "{") || is_sign(source, i, "}"))
            global = false;
        global = global || makes_global(source, token);
        if (!global || token->kind != SOURCE_WORD || !is_sign(source, i + 1, "(") || !stands_for(source, token, kernel))
            continue;
        size_t close = source_closing(source, i + 1, source->token_count);
        if (close == source->token_count)
            break;
        defined = is_sign(source, close + 1, "{");
        if (defined || !found)
            read_signature(source, i, close, signature);
        found = true;
    }
    source_destroy(source);
    return found;
}

bool signature_parse(const char *text, struct signature *signature)
{
    struct source *source = source_create_anyway(text, strlen(text));
    size_t count = source ? source->token_count : 0, name = 0;
    while (name + 1 < count && !is_sign(source, name + 1, "("))
        name++;
    size_t close = name + 1 < count ? source_closing(source, name + 1, count) : count;
    bool good = close < count;
    if (good)
        read_signature(source, name, close, signature);
    for (int i = 0; good && i < signature->parameter_count; i++)
        good = i < SIGNATURE_MAX_PARAMETERS && signature->parameters[i].known && signature->parameters[i].name[0] != '\0';
    source_destroy(source);
    return good;
}

int signature_find_parameter(const struct signature *signature, const char *name)
{
    for (int i = 0; i < signature->parameter_count && i < SIGNATURE_MAX_PARAMETERS; i++)
        if (strcmp(signature->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- comparison --------------------------------------------------------------------------------------------------- */

static uint32_t parameter_bytes(const struct signature_parameter *parameter)
{
    const struct known_type *type = find_type(parameter->type);
    return parameter->pointers > 0 ? 8 : type ? type->bytes : 0;
}

static void describe_type(const struct signature_parameter *parameter, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%s%s%.*s", parameter->type, parameter->pointers > 0 ? " " : "",
             parameter->pointers < 8 ? parameter->pointers : 8, "********");
}

static const char *ordinal(int position)
{
    static const char *const words[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};
    return position < 8 ? words[position] : "next";
}

static void both_signatures(const struct signature *contract, const struct signature *student, char *message,
                            size_t message_bytes)
{
    size_t used = strlen(message);
    if (student)
        snprintf(message + used, message_bytes - used, "\nexpected  %s\nyours     %s", contract->text, student->text);
    else
        snprintf(message + used, message_bytes - used, "\nexpected  %s", contract->text);
}

/* One parameter; writes the message unless it matches. */
static enum signature_verdict compare_parameter(const struct signature *contract, const struct signature *student,
                                                const struct ptx_entry *entry, int i, char *message, size_t message_bytes)
{
    const struct signature_parameter *want = &contract->parameters[i];
    char wanted[SIGNATURE_NAME_BYTES + 16], written[SIGNATURE_NAME_BYTES + 16];
    describe_type(want, wanted, sizeof wanted);
    if (!student || student->parameter_count != contract->parameter_count || !student->parameters[i].known) {
        if (student && student->parameter_count == contract->parameter_count && student->parameters[i].reference) {
            snprintf(message, message_bytes,
                     "The %s parameter of %s is a reference (&), but a launch passes values: it must be %s.", ordinal(i),
                     entry->name, wanted);
            return SIGNATURE_MISMATCH;
        }
        if (entry->parameter_bytes[i] != parameter_bytes(want)) {
            snprintf(message, message_bytes, "The %s parameter of %s takes %u bytes, but %s %s takes %u.", ordinal(i),
                     entry->name, entry->parameter_bytes[i], wanted, want->name, parameter_bytes(want));
            return SIGNATURE_MISMATCH;
        }
        snprintf(message, message_bytes,
                 "The type of the %s parameter of %s could not be read in the source; it must be %s. If it is, ignore this.",
                 ordinal(i), entry->name, wanted);
        return SIGNATURE_DOUBT;
    }
    const struct signature_parameter *have = &student->parameters[i];
    describe_type(have, written, sizeof written);
    if (strcmp(wanted, written) != 0 || entry->parameter_bytes[i] != parameter_bytes(want)) {
        snprintf(message, message_bytes, "The %s parameter of %s is %s%s%s, but it must be %s.", ordinal(i), entry->name,
                 written, have->name[0] != '\0' && have->pointers == 0 ? " " : "", have->name, wanted);
        return SIGNATURE_MISMATCH;
    }
    return SIGNATURE_MATCH;
}

enum signature_verdict signature_compare(const struct signature *contract, const struct signature *student,
                                         const struct ptx_entry *entry, char *message, size_t message_bytes)
{
    message[0] = '\0';
    enum signature_verdict verdict = SIGNATURE_MATCH;
    if (entry->parameter_count != (size_t)contract->parameter_count) {
        snprintf(message, message_bytes, "%s has %zu parameter%s, but it must have %d.", entry->name, entry->parameter_count,
                 entry->parameter_count == 1 ? "" : "s", contract->parameter_count);
        both_signatures(contract, student, message, message_bytes);
        return SIGNATURE_MISMATCH;
    }
    for (int i = 0; i < contract->parameter_count && verdict != SIGNATURE_MISMATCH; i++) {
        char sentence[512];
        enum signature_verdict one = compare_parameter(contract, student, entry, i, sentence, sizeof sentence);
        if (one > verdict) {
            verdict = one;
            snprintf(message, message_bytes, "%s", sentence);
        }
    }
    if (verdict != SIGNATURE_MATCH)
        both_signatures(contract, student, message, message_bytes);
    return verdict;
}

static void list_names(const struct signature *signature, char *text, size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < signature->parameter_count && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s", i > 0 ? ", " : "", signature->parameters[i].name);
}

/* Are as many arrays `const` as in the contract, but others? */
static bool has_moved_const(const struct signature *contract, const struct signature *student)
{
    int surplus = 0;
    bool differs = false;
    for (int i = 0; i < contract->parameter_count; i++) {
        const struct signature_parameter *asked = &contract->parameters[i], *own = &student->parameters[i];
        if (asked->pointers != own->pointers || own->name[0] == '\0')
            return false;
        bool array = asked->pointers > 0;
        differs |= array && asked->constant != own->constant;
        surplus += array * (own->constant - asked->constant);
    }
    return differs && surplus == 0;
}

bool signature_is_reordered(const struct signature *contract, const struct signature *student, char *message,
                            size_t message_bytes)
{
    bool moved = false, known = true;
    if (student->parameter_count != contract->parameter_count || student->parameter_count > SIGNATURE_MAX_PARAMETERS)
        return false;
    for (int i = 0; i < contract->parameter_count; i++) {
        int place = signature_find_parameter(student, contract->parameters[i].name);
        known &= place >= 0;
        moved |= place != i;
    }
    if (known ? !moved : !has_moved_const(contract, student))
        return false;
    char passed[256], taken[256];
    list_names(contract, passed, sizeof passed);
    list_names(student, taken, sizeof taken);
    snprintf(message, message_bytes,
             "The launch passes %s in this order, and your kernel calls them %s. Which name belongs to which argument?",
             passed, taken);
    return true;
}
