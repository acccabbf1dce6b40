// Private: what the parts of the MJCF reader share.
#ifndef STICTION_SCENE_MJCF_READER_H
#define STICTION_SCENE_MJCF_READER_H

#include "base/names.h"
#include "model/inertia.h"
#include "model/mesh_hull.h"
#include "model/model.h"
#include "xml/xml.h"

// A default class: elements whose attributes hold where an element of the class has none.
typedef struct MjcfClass MjcfClass;
struct MjcfClass {
    const char *name;
    const XmlElement *element; // <default>
    const MjcfClass *parent;
};

// The class of an element is that of its "class", or the one it stands in.
typedef struct MjcfPlace {
    const XmlElement *element;
    const MjcfClass *class;
} MjcfPlace;

typedef struct MjcfCompiler {
    bool degrees, auto_limits;
    char sequence[4];         // of euler angles
    int inertia_from_geoms;   // 0 never, 1 where there is no <inertial>, 2 always
    double groups[2];         // of geoms that inertia is taken from
    double least_mass, least_inertia;
    const char *mesh_folder; // NULL: that of the model
} MjcfCompiler;

// A body or a site: a frame in the axes of a link (-1: the world).
typedef struct MjcfSpot {
    int link;
    StiFrame at;
} MjcfSpot;

// A fixed tendon whose joints follow one: its length is slope q + offset.
typedef struct MjcfTendon {
    int link; // -1: its joints move on their own
    double slope, offset;
} MjcfTendon;

// <contact>: geoms that its pairs may name, bodies that it keeps off the world.
typedef struct MjcfContacts {
    StiNames geom_names;
    MjcfSpot *spots; // of these geoms
    MjcfPlace *places;
    int count;
    StiNames paired_with_floor; // names of geoms
    StiNames excluded;          // names of bodies
} MjcfContacts;

typedef struct MjcfReader {
    const ModelReader *base;
    Model *model;
    int errors;
    const XmlElement *root;
    const MjcfClass *main; // the class of what names none
    const MjcfClass **classes;
    StiNames class_names, joint_names;
    StiNames body_names, site_names; // of spots
    MjcfSpot *spots;
    int spot_count;
    StiNames tendon_names;
    MjcfTendon *tendons;
    StiNames mesh_names; // of <mesh> elements below
    const XmlElement **meshes;
    MeshHulls hulls;
    MjcfCompiler compiler;
    int capacity, body_number;
    struct MjcfPlane { // the floor, if there is one
        bool there;
        int type, affinity;
        const XmlElement *element;
    } floor;
    MjcfContacts contacts;
} MjcfReader;

// ---- messages (mjcf_values.c)
void mjcf_error(MjcfReader *reader, Mark mark, const char *text, ...)
    __attribute__((format(printf, 3, 4)));
void mjcf_note(const MjcfReader *reader, StiSeverity severity, Mark mark, const char *what,
               const char *name);

// ---- values
const MjcfClass *mjcf_class(MjcfReader *reader, const XmlElement *element, const char *attribute,
                            const MjcfClass *around);
MjcfPlace mjcf_place(MjcfReader *reader, const XmlElement *element, const MjcfClass *around);
// An attribute of the element, its class or the classes above; NULL: none has it.
const XmlAttribute *mjcf_value(const MjcfPlace *place, const char *attribute);
bool mjcf_is(const MjcfPlace *place, const char *attribute, const char *word);
// How many numbers there are, at most `most`; 0 where there is no such attribute. -1 after an error.
int mjcf_numbers(MjcfReader *reader, const MjcfPlace *place, const char *attribute, int most,
                 double *values);
double mjcf_number(MjcfReader *reader, const MjcfPlace *place, const char *attribute, double usual);
// "pos" and one of quat, axisangle, euler, xyaxes, zaxis.
StiFrame mjcf_frame(MjcfReader *reader, const MjcfPlace *place);
// Is a range in force? limited: "true", "false" or "auto".
bool mjcf_limited(MjcfReader *reader, const MjcfPlace *place, const char *limited,
                  const char *range, double values[2]);
StiFrame mjcf_inside(StiFrame outer, StiFrame inner);
StiQuat mjcf_turn(StiVec3 axis, double angle);
StiQuat mjcf_from_z(StiVec3 z); // the shortest turn that takes z there

// ---- parts
void mjcf_read_bodies(MjcfReader *reader);                              // mjcf_body.c
void mjcf_read_equalities(MjcfReader *reader);                          // mjcf_equality.c
void mjcf_read_tendons(MjcfReader *reader); // after equalities: mjcf_tendon.c
void mjcf_read_actuators(MjcfReader *reader);                           // mjcf_actuator.c
bool mjcf_expand(MjcfReader *reader, XmlElement *root);                 // mjcf_include.c
int mjcf_find_joint(const MjcfReader *reader, const char *name);        // link, -1: none

// A geom in link axes: adds to the inertia if it counts for that, and to the shapes of the link.
typedef struct MjcfGeoms {
    int link; // -1: the world
    bool weighed;
    Inertia inertia;
} MjcfGeoms;
void mjcf_read_geom(MjcfReader *reader, const MjcfPlace *place, StiFrame around, MjcfGeoms *to);
void mjcf_find_floor(MjcfReader *reader);
void mjcf_find_meshes(MjcfReader *reader); // mjcf_mesh.c
const StiHull *mjcf_hull(MjcfReader *reader, const MjcfPlace *geom); // NULL after a note
// Fills in the mesh of the geom.
void mjcf_draw(MjcfReader *reader, const MjcfPlace *geom, ModelDrawing drawing);
bool mjcf_geom_shape(MjcfReader *reader, const MjcfSpot *spot, const MjcfPlace *place, StiShape *shape);

// ---- <contact> (mjcf_contact.c)
void mjcf_find_contacts(MjcfReader *reader); // before bodies: names that matter while geoms are read
void mjcf_keep_geom(MjcfReader *reader, const MjcfPlace *place, MjcfSpot spot);
bool mjcf_is_paired_with_floor(const MjcfReader *reader, const XmlElement *geom);
bool mjcf_is_excluded(const MjcfReader *reader, int link); // from contact with the world
ModelSurface mjcf_surface(MjcfReader *reader, const MjcfPlace *geom);
void mjcf_read_pairs(MjcfReader *reader); // after bodies

#endif
