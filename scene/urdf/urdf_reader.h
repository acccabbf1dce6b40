// Private: what the parts of the URDF reader share.
#ifndef STICTION_SCENE_URDF_READER_H
#define STICTION_SCENE_URDF_READER_H

#include "model/inertia.h"
#include "stiction/urdf.h"
#include "text/gathered.h"
#include "xml/xml.h"

enum { URDF_MOST_MESSAGES = 200 }; // of errors, and of notes

// A <link> and what it says. index: where it stands among the robot's links; -1: it is the world.
typedef struct UrdfLink {
    const XmlElement *element;
    const char *name;
    bool has_shape;
    Inertia inertia; // link axes
    int joint; // that carries it, or -1
    int index;
} UrdfLink;

// A <joint>. parent, child: links, or -1 if there are none of these names.
typedef struct UrdfJoint {
    const XmlElement *element;
    const char *name;
    int parent, child;
    StiJointType type;
    StiFrame placement;
    StiVec3 axis;
    bool limited;
    double lower, upper, armature;
    StiUrdfJoint rest;
} UrdfJoint;

// A name and whose it is; lists of them are sorted.
typedef struct UrdfName {
    const char *name;
    int index;
} UrdfName;

typedef struct UrdfReader {
    const char *file;
    StiMessages *messages;
    int errors, notes;
    Gathered gathered; // what is said about many links or joints
    bool torn; // a joint or link is missing, so that roots and loops cannot be judged
    StiArena scratch;
    StiArena *arena; // of the result
    const XmlElement *robot;
    UrdfLink *links;
    UrdfJoint *joints;
    UrdfName *link_names;
    int link_count, joint_count;
    StiUrdfShape *shapes; // link: an index of links above
    int shape_count;
    StiUrdfMesh *meshes;
    int mesh_count;
} UrdfReader;

// ---- messages (urdf_values.c)
void urdf_error(UrdfReader *reader, Mark mark, const char *text, ...)
    __attribute__((format(printf, 3, 4)));
void urdf_say(UrdfReader *reader, StiSeverity severity, Mark mark, const char *text, ...)
    __attribute__((format(printf, 4, 5)));

// "changed: ..." and "left out: ...", one message for all that are alike.
void urdf_gather(UrdfReader *reader, StiSeverity severity, Mark mark, const char *what,
                 const char *name);

// ---- values. An attribute that is not there leaves what is written to untouched.
// The first child of this name; others are left out with a note. NULL: there is none.
const XmlElement *urdf_child(UrdfReader *reader, const XmlElement *element, const char *name);
// An attribute that must be there and must not be empty; NULL after an error.
const char *urdf_text(UrdfReader *reader, const XmlElement *element, const char *attribute);
bool urdf_numbers(UrdfReader *reader, const XmlElement *element, const char *attribute, int count,
                  double *values);
bool urdf_needed_numbers(UrdfReader *reader, const XmlElement *element, const char *attribute,
                         int count, double *values);
// A number that must not be below 0; one that is becomes 0, with a note.
bool urdf_magnitude(UrdfReader *reader, const XmlElement *element, const char *attribute,
                    double *value);
// <origin xyz="" rpy=""> of an element; none is the identity.
bool urdf_origin(UrdfReader *reader, const XmlElement *element, StiFrame *placement);

// ---- rotations (urdf_rotation.c)
// Roll, pitch, yaw about fixed axes x, y, z, in this order: Rz(yaw) Ry(pitch) Rx(roll).
StiQuat urdf_quat(const double rpy[3]);
void urdf_rpy(StiQuat q, double rpy[3]);
// Keeps the bits of what is of unit length already. False where there is no direction.
bool urdf_unit(double *values, int count);

// ---- the words of the format (urdf_words.c)
// An example of an element, for messages; NULL: not a word of URDF.
const char *urdf_example(const char *element);
// Notes what is not known and so not used.
void urdf_note_unknown(UrdfReader *reader);

// ---- parts
void urdf_read_link(UrdfReader *reader, const XmlElement *element, int index);  // urdf_link.c
void urdf_read_joint(UrdfReader *reader, const XmlElement *element, int index); // urdf_joint.c
int urdf_find_link(const UrdfReader *reader, const char *name);                 // -1: none
void urdf_check_tree(UrdfReader *reader);                                       // urdf_tree.c
void urdf_index_links(UrdfReader *reader);
void urdf_add_missing_links(UrdfReader *reader); // that joints name
void urdf_make_physical(UrdfReader *reader);     // urdf_repair.c
void urdf_read_transmissions(UrdfReader *reader); // urdf_transmission.c
void urdf_check_names(UrdfReader *reader);
bool urdf_is_world(const UrdfReader *reader, int link);
// Meshes of <visual> and <collision>; links by their names in the file, others are the world (urdf_drawing.c).
struct ModelReader;
struct Model;
void urdf_draw(const struct ModelReader *reader, const char *text, size_t length,
               struct Model *model);

#endif
