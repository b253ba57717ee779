/* Small files, whole: read without waiting, written so that a killed process or a full disk leaves the old one or the new
 * one, never a part.
 */
#ifndef FILES_H
#define FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a regular file of at most bytes_max. Returns its bytes and a NUL, owned by the caller; NULL with a message that
 * names the file when it cannot. */
char *files_read(const char *path, size_t bytes_max, size_t *bytes, char *message, size_t message_bytes);

/* Opens a file that the kit itself wrote, to read it. In its place may lie anything: what is not a regular file, a link too, is
 * refused (errno EINVAL or ELOOP), and a pipe holds nobody. Returns a descriptor, -1 with errno. */
int files_open_own(const char *path);

/* Reads JSON that the kit itself wrote, as files_open_own does. NULL when it cannot be read or is not a JSON. New reference.
 *   flags   Jansson's, for the decoder */
json_t *files_read_json(const char *path, size_t flags);

/* What became of a write. */
enum files_write { FILES_SAME, FILES_WRITTEN, FILES_FAILED };

/* Writes the file through a temporary one in its folder; one that holds these bytes already is left alone.
 * FILES_FAILED comes with errno and a message. */
enum files_write files_write(const char *path, const char *content, size_t bytes, char *message, size_t message_bytes);

/* The same for JSON, readable, one member per line. */
enum files_write files_write_json(const char *path, const json_t *document, char *message, size_t message_bytes);

/* Removes what killed processes left of files_write in a folder. */
void files_clean(const char *folder);

#endif
