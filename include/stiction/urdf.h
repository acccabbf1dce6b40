// URDF: robots as the robotics world writes them. Part of the scene library (needs expat).
#ifndef STICTION_URDF_H
#define STICTION_URDF_H

#include "robot.h"
#include "scene.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// What URDF says about a joint beside its geometry.
typedef struct StiUrdfJoint {
    bool continuous; // a revolute joint that never had limits
    bool has_limits, has_dynamics;
    double effort, velocity; // limits; 0 where not given
    double damping;          // N m s/rad or N s/m
    double friction;         // N m or N: a Coulomb level
    const char *mimic;       // the joint that this one should follow: q = multiplier q' + offset;
    double multiplier, offset; // NULL: none
} StiUrdfJoint;

// A collision primitive, kept for contact: sphere, box, cylinder or capsule.
typedef struct StiUrdfShape {
    int link;
    StiShape shape; // placed in link axes
} StiUrdfShape;

// A mesh for contact, as it is named: files are not opened here.
typedef struct StiUrdfMesh {
    int link;
    const char *file; // "package://...", "file://..." or a path
    StiVec3 scale;
    StiFrame at; // link axes
} StiUrdfMesh;

typedef struct StiUrdf {
    const char *name;
    StiLink *links;       // a fixed base link without a parent joint is a link fixed to the world
    StiUrdfJoint *joints; // one per link
    int count;
    StiUrdfShape *shapes;
    int shape_count;
    StiUrdfMesh *meshes;
    int mesh_count;
} StiUrdf;

// NULL after messages with file, line, column and reason. What public files get wrong is mended, and a
// message says so ("changed: ..."): inertias that no body has become the nearest that one can have,
// links that joints name are added, several roots are all fixed to the world. What is not used is
// named ("left out: ..."): words that are not known, and more.
STI_API StiUrdf *sti_urdf_load(const char *path, StiMessages *messages);
STI_API StiUrdf *sti_urdf_read(const char *text, size_t length, const char *path,
                               StiMessages *messages);
STI_API void sti_urdf_destroy(StiUrdf *urdf);
// Makes joints fixed that nothing with inertia moves with, which sti_robot_create refuses. Where joints could turn masses
// without inertia against no resistance (three axes that meet, and a point mass) these masses become balls as dense as
// water. Messages name them. path: for the messages.
STI_API void sti_urdf_weld(StiLink *links, int count, const char *path, StiMessages *messages);
// Writes URDF; returns the length needed, as snprintf does. Reading it back gives the same robot.
STI_API size_t sti_urdf_write(const StiUrdf *urdf, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
