// Private: decimal points, whatever locale the host program has chosen. Between begin and end the present
// thread reads and prints numbers as the C standard does; others are not touched.
#ifndef STICTION_SRC_BASE_LOCALE_H
#define STICTION_SRC_BASE_LOCALE_H

#include <locale.h>

typedef struct StiLocale {
    locale_t before, plain;
} StiLocale;

// The plain locale is a constant of the C library: this does not fail for want of memory.
static inline StiLocale sti_locale_begin(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (StiLocale){plain != (locale_t)0 ? uselocale(plain) : (locale_t)0, plain};
}

static inline void sti_locale_end(StiLocale locale)
{
    if (locale.plain == (locale_t)0) return;
    uselocale(locale.before);
    freelocale(locale.plain);
}

#endif
