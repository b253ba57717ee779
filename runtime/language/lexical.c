#include "runtime/language/lexical.h"

#include <ctype.h>
#include <string.h>

bool lexical_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

size_t lexical_spliced(const char *at)
{
    return *at != '\\' ? 0 : at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

const char *lexical_end_of_literal(const char *at)
{
    char quote = *at++;
    while (*at && *at != '\n' && *at != quote)
        at += lexical_spliced(at) ? lexical_spliced(at) : *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

bool lexical_is_raw(const char *at, const char *end)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    size_t length = (size_t)(end - at);
    for (size_t i = 0; *end == '"' && i < sizeof prefixes / sizeof *prefixes; i++)
        if (length == strlen(prefixes[i]) && memcmp(at, prefixes[i], length) == 0)
            return true;
    return false;
}

const char *lexical_end_of_raw(const char *quote)
{
    char closing[20] = ")";
    size_t mark = strcspn(quote + 1, "( )\\\t\v\f\n\"");
    if (mark > 16 || quote[1 + mark] != '(')
        return lexical_end_of_literal(quote);
    memcpy(closing + 1, quote + 1, mark);
    memcpy(closing + 1 + mark, "\"", 2);
    const char *end = strstr(quote + 2 + mark, closing);
    return end ? end + strlen(closing) : quote + strlen(quote);
}

int lexical_line(int64_t number)
{
    enum { MOST_LINES = 1 << 30 };
    return number > 0 && number <= MOST_LINES ? (int)number : 0;
}

const char *lexical_end_of_number(const char *at)
{
    for (; lexical_is_word(*at) || *at == '.' || (*at == '\'' && lexical_is_word(at[1])); at++)
        if (strchr("eEpP", *at) && (at[1] == '+' || at[1] == '-'))
            at++;
    return at;
}
