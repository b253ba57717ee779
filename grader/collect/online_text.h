/* What a student typed into a form of the learning system, which saves it as HTML. */
#ifndef COLLECT_ONLINE_TEXT_H
#define COLLECT_ONLINE_TEXT_H

#include <stddef.h>

/* The text without tags, a line for each paragraph or line break, entities as their characters. Owned by the caller. */
char *online_text_read(const char *html, size_t bytes);

#endif
