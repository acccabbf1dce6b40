// Private: numbers as text, fast.
#ifndef STICTION_SRC_BASE_DECIMAL_H
#define STICTION_SRC_BASE_DECIMAL_H

enum { STI_DECIMAL_SIZE = 32 }; // with the 0 at the end

// What printf("%.17g") writes where the decimal point is a point, byte for byte; returns the length.
int sti_decimal_write(double value, char *text);

#endif
