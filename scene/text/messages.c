#include "text/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

enum { LONGEST_TEXT = 512 };

struct StiMessages {
    StiMessage **list; // in order of place
    int count, capacity, errors;
};

StiMessages *sti_messages_create(void) { return calloc(1, sizeof(StiMessages)); }

void sti_messages_destroy(StiMessages *messages)
{
    if (messages == NULL) return;
    for (int i = 0; i < messages->count; ++i) free(messages->list[i]);
    free(messages->list);
    free(messages);
}

void sti_messages_add(StiMessages *messages, StiSeverity severity, const char *file,
                      const char *text)
{
    scene_message(messages, severity, (Mark){file, 0, 0}, "%s", text);
}

int sti_messages_count(const StiMessages *messages) { return messages->count; }

int sti_messages_error_count(const StiMessages *messages) { return messages->errors; }

const StiMessage *sti_messages_at(const StiMessages *messages, int index)
{
    return index < 0 || index >= messages->count ? NULL : messages->list[index];
}

static bool steers(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

static void replace(char *text, const char *kept)
{
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t code = 0;
        const int size = scene_utf8_read(text, left, &code);
        const size_t width = size > 0 ? (size_t)size : 1;
        const bool keeps = size == 1 && strchr(kept, text[0]) != NULL;
        if (size == 0 || (steers(code) && !keeps)) memset(text, size == 1 ? ' ' : '?', width);
        text += width;
        left -= width;
    }
}

void scene_make_harmless(char *text) { replace(text, "\n\t"); }

// Messages quote what stands in files: nothing of that may break a line or steer a terminal.
static void make_printable(char *text) { replace(text, ""); }

// Cuts what did not fit between two characters.
static void mark_as_cut(char *text)
{
    size_t end = strlen(text) - strlen("...");
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) --end;
    memcpy(text + end, "...", sizeof "...");
}

static StiMessage *new_message(StiSeverity severity, Mark mark, const char *text)
{
    const char *file = mark.file != NULL ? mark.file : "";
    const size_t file_size = strlen(file) + 1, text_size = strlen(text) + 1;
    StiMessage *message = malloc(sizeof *message + file_size + text_size);
    if (message == NULL) return NULL;
    char *copies = (char *)(message + 1);
    memcpy(copies, file, file_size);
    memcpy(copies + file_size, text, text_size);
    make_printable(copies);
    make_printable(copies + file_size);
    *message = (StiMessage){severity, copies, mark.line, mark.column, copies + file_size};
    return message;
}

static int compare_places(const StiMessage *a, const StiMessage *b)
{
    const int files = strcmp(a->file, b->file);
    if (files != 0) return files;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

// Where a message belongs: after those of the same place. -1 if it is there already, as when an
// alias makes a reader meet one mistake twice.
static int place_of(const StiMessages *messages, const StiMessage *message)
{
    int index = messages->count;
    while (index > 0 && compare_places(messages->list[index - 1], message) > 0) --index;
    for (int i = index - 1; i >= 0 && compare_places(messages->list[i], message) == 0; --i) {
        const StiMessage *other = messages->list[i];
        if (other->severity == message->severity && strcmp(other->text, message->text) == 0)
            return -1;
    }
    return index;
}

static bool make_room(StiMessages *messages)
{
    if (messages->count < messages->capacity) return true;
    const int capacity = messages->capacity > 0 ? 2 * messages->capacity : 16;
    StiMessage **list = realloc(messages->list, (size_t)capacity * sizeof(StiMessage *));
    if (list == NULL) return false;
    messages->list = list;
    messages->capacity = capacity;
    return true;
}

static bool insert(StiMessages *messages, StiMessage *message, int index)
{
    if (!make_room(messages)) return false;
    StiMessage **slot = messages->list + index;
    memmove(slot + 1, slot, (size_t)(messages->count - index) * sizeof(StiMessage *));
    *slot = message;
    ++messages->count;
    return true;
}

void scene_message(StiMessages *messages, StiSeverity severity, Mark mark, const char *text, ...)
{
    if (messages == NULL) return;
    char formatted[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, text);
    const int length = vsnprintf(formatted, sizeof formatted, text, arguments);
    va_end(arguments);
    if (length >= LONGEST_TEXT) mark_as_cut(formatted);

    StiMessage *message = new_message(severity, mark, formatted);
    const int index = message != NULL ? place_of(messages, message) : 0;
    if (index >= 0 && severity == STI_ERROR) ++messages->errors; // even if it cannot be stored
    if (index < 0 || message == NULL || !insert(messages, message, index)) free(message);
}
