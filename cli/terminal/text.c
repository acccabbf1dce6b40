#include "terminal/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

void end_out_of_memory(void)
{
    fputs("stiction: out of memory\n", stderr);
    exit(1);
}

void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) end_out_of_memory();
    return memory;
}

char *text_new(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, list);
    char *text = take((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

// C0 and C1 controls and DEL; the latter are two bytes in UTF-8.
void text_make_printable(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; ++c) {
        if (*c < 0x20 || *c == 0x7f) *c = '?';
        if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) c[0] = c[1] = '?';
    }
}

const char *text_number(char buffer[NUMBER_SIZE], double value, int width)
{
    int length = NUMBER_SIZE;
    if (value == 0.0) value = 0.0; // without a sign
    for (int digits = 9; digits > 0 && length > width; --digits)
        length = snprintf(buffer, NUMBER_SIZE, "%.*g", digits, value);
    if (isnan(value)) snprintf(buffer, NUMBER_SIZE, "-");
    return buffer;
}

void text_wrap(FILE *file, int indent, const char *text)
{
    const int room = COLUMNS - indent;
    for (;;) {
        int length = (int)strcspn(text, "\n");
        if (length > room) {
            length = room;
            while (length > 0 && text[length] != ' ') --length;
            if (length == 0) length = (int)strcspn(text, " \n"); // one word that is too long
        }
        fprintf(file, "%.*s\n", length, text);
        text += length;
        if (*text == '\0') return;
        ++text; // the space or line end that was broken at
        if (*text == '\0') return;
        fprintf(file, "%*s", indent, "");
    }
}

// Upper and lower case, '-' and '_' are the same letter here.
static int letter(char c) { return c == '_' ? '-' : tolower((unsigned char)c); }

static int least(int a, int b) { return a < b ? a : b; }

enum { LONGEST = 63 };

// Changes, insertions, deletions and swaps of neighbours that turn a into b.
static int distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int rows[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= n; ++i) rows[i][0] = i;
    for (int j = 0; j <= m; ++j) rows[0][j] = j;
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            const int same = letter(a[i - 1]) == letter(b[j - 1]) ? 0 : 1;
            int best = least(rows[i - 1][j - 1] + same, least(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                best = least(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    return rows[n][m];
}

// The beginning of a word is near it, whatever the rest: "elastic" is elastic-coulomb.
static int nearness(const char *word, const char *candidate)
{
    const size_t length = strlen(word);
    const int change = distance(word, candidate);
    return length >= 3 && strncmp(word, candidate, length) == 0 ? least(change, 1) : change;
}

const char *text_nearest(const char *word, const char *const *words, int count)
{
    const char *nearest = NULL;
    int best = 1 + (int)strlen(word) / 3;
    for (int i = 0; i < count; ++i) {
        const int change = nearness(word, words[i]);
        if (change > best || (nearest != NULL && change == best)) continue;
        best = change;
        nearest = words[i];
    }
    return nearest;
}
