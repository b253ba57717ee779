/* Notes on barriers that no launch of the process needed. */
#ifndef EMULATOR_NEED_NOTES_H
#define EMULATOR_NEED_NOTES_H

struct barrier_line;

/* What a launch has shown about a line (line->verdict), whose place is line->finding. */
void need_note(const struct barrier_line *line);

/* At the end of the process: notes on the barriers that no launch needed. */
void need_report(void);

#endif
