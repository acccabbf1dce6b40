// Private: what the parts of the SDF reader share.
#ifndef STICTION_SCENE_SDF_READER_H
#define STICTION_SCENE_SDF_READER_H

#include "base/names.h"
#include "model/inertia.h"
#include "model/model.h"
#include "xml/xml.h"

// Something that has a pose: a link, a joint or a <frame> of a model, or a model in another.
typedef struct SdfFrame {
    const char *name; // with the names of the models around it: "arm::hand"
    const XmlElement *element;
    const char *attached; // what its pose is given in; "": the model around it
    int scope;            // frame of the model around it; -1: the world
    StiFrame pose;        // as given
    StiFrame at;          // world axes, once resolved
    int state;            // 0: not resolved, 1: being resolved, 2: resolved
} SdfFrame;

typedef struct SdfReader {
    const ModelReader *base;
    Model *model;
    int errors;
    SdfFrame *frames;
    int frame_count;
    StiNames names;    // of frames
    int *link_of;      // of a frame: the link that it is; -1: none
    int *joint_of;     // of a link: the frame of the joint that carries it; -1: none
    StiFrame *own;     // of a link: its axes in the world, at the joint that carries it
} SdfReader;

// ---- values (sdf_values.c)
void sdf_error(SdfReader *reader, Mark mark, const char *text, ...)
    __attribute__((format(printf, 3, 4)));
void sdf_note(const SdfReader *reader, StiSeverity severity, Mark mark, const char *what,
              const char *name);
const XmlElement *sdf_child(const XmlElement *element, const char *name); // NULL: none
const char *sdf_text(const XmlElement *element, const char *child);       // NULL: none
// Numbers of a child's text; those that are not there stay. False: there is no such child.
bool sdf_numbers(SdfReader *reader, const XmlElement *element, const char *child, int count,
                 double *values);
double sdf_number(SdfReader *reader, const XmlElement *element, const char *child, double usual);
StiFrame sdf_pose(SdfReader *reader, const XmlElement *element); // of its <pose>
StiFrame sdf_inside(StiFrame outer, StiFrame inner);
StiFrame sdf_seen_from(StiFrame outer, StiFrame inner); // inner, in the axes of outer

// ---- frames (sdf_frames.c)
void sdf_find_frames(SdfReader *reader, const XmlElement *root);
// A frame by its name in a scope; -1: none ("world" and "__model__" too: see the code).
int sdf_find(const SdfReader *reader, int scope, const char *name);
StiFrame sdf_resolve(SdfReader *reader, int frame);

// Puts included models in their places, before anything else is looked at (sdf_include.c); false after errors.
bool sdf_expand(SdfReader *reader, XmlElement *root);

// ---- parts
void sdf_read_link(SdfReader *reader, int frame, int link);  // sdf_link.c: mass and shapes
void sdf_hang_child(SdfReader *reader, int frame);           // sdf_joint.c: who hangs on whom
void sdf_make_joint(SdfReader *reader, int link);            // type, axis, placement
bool sdf_is(const SdfFrame *frame, const char *element);

#endif
