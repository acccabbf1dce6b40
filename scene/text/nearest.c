#include "text/messages.h"

#include <string.h>

enum { LONGEST_WORD = 64 };

static int folded(char letter)
{
    if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 'a';
    return letter == '-' ? '_' : letter;
}

static int smaller(int a, int b) { return a < b ? a : b; }

// Damerau-Levenshtein: how many letters to insert, leave out, replace or swap with their neighbour.
static int distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= b_length; ++j) row[j] = j;
    for (int i = 1; i <= a_length; ++i) {
        int *oldest = before;
        before = above, above = row, row = oldest;
        row[0] = i;
        for (int j = 1; j <= b_length; ++j) {
            const int same = folded(a[i - 1]) == folded(b[j - 1]);
            row[j] = smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                folded(a[i - 2]) == folded(b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
    }
    return row[b_length];
}

// "damp" for "damping": too far for a slip of the finger, near for a person.
static bool abbreviates(const char *word, int word_length, const char *full, int full_length)
{
    if (word_length < 3 || word_length >= full_length) return false;
    for (int i = 0; i < word_length; ++i)
        if (folded(word[i]) != folded(full[i])) return false;
    return true;
}

const char *scene_nearest(const char *word, const char *const *words, int count)
{
    const size_t size = strlen(word);
    if (size == 0 || size > LONGEST_WORD) return NULL;
    const int length = (int)size, limit = length < 6 ? 1 : smaller(length / 3, 3);
    const char *nearest = NULL, *abbreviated = NULL;
    int least = 2 * limit + 2;
    for (int i = 0; i < count; ++i) {
        const size_t other_size = strlen(words[i]);
        if (other_size == 0 || other_size > LONGEST_WORD) continue;
        const int other = (int)other_size, away = distance(word, length, words[i], other);
        const int rank =
            2 * away + (other != length); // letters are swapped more often than forgotten
        // Words that have no letter in common are never near.
        if (rank < least && away < (length > other ? length : other)) {
            nearest = words[i];
            least = rank;
        }
        if (abbreviated == NULL && abbreviates(word, length, words[i], other))
            abbreviated = words[i];
    }
    return nearest != NULL ? nearest : abbreviated;
}
