// What a replay needs: bodies with their links, elements with their ends, and frames of all links
// and forces on them at up to a thousand times of the run.
#ifndef STICTION_CLI_REPORT_DRAWING_H
#define STICTION_CLI_REPORT_DRAWING_H

#include <stdio.h>

#include "terminal/session.h"

typedef struct PushedChannels { // stick, where, force; -1: none
    int numbers[7];
} PushedChannels;

typedef struct Drawing {
    const StiNetwork *network;
    int body_count, link_count; // links of all bodies
    int pushed_count;           // elements that act on links
    int *pushed;                // their component numbers
    PushedChannels *channels;   // of these
    StiFrame *links;            // of one body
    int64_t stride;             // steps between two pictures
    int count, capacity;        // pictures
    double *times;
    float *poses;  // per picture and link: x y z, w x y z
    float *forces; // per picture and pushed element: where, the force on side a, stick (1, 0; -1 unknown)
} Drawing;

Drawing drawing_create(const StiNetwork *network, int64_t steps);
void drawing_release(Drawing *drawing);
void drawing_row(Drawing *drawing, const Session *session, bool last); // a picture, if it is time
void drawing_pictures_json(const Drawing *drawing, FILE *file);        // their keys only
void drawing_json(const Drawing *drawing, FILE *file);

#endif
