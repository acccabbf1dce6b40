// JSON that may stand inside an HTML page; arrays of numbers as base64.
#ifndef STICTION_CLI_JSON_H
#define STICTION_CLI_JSON_H

#include <stdio.h>

void json_text(FILE *file, const char *text); // with quotes; NULL as null
void json_number(FILE *file, double value);   // all its digits; null if it is not finite
void json_numbers(FILE *file, const double *values, int count); // [a, b, ...]
// ,"key": or "key": where it is the first of its object.
void json_key(FILE *file, const char *key, int first);
// Bytes as they stand in memory: readers take them for little-endian numbers.
void json_bytes(FILE *file, const void *bytes, size_t size);

#endif
