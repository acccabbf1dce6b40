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
} StiUrdfJoint;

// A collision primitive, kept for contact: sphere, box or cylinder.
typedef struct StiUrdfShape {
    int link;
    StiShape shape; // placed in link axes
} StiUrdfShape;

typedef struct StiUrdf {
    const char *name;
    StiLink *links;       // a fixed base link without a parent joint is a link fixed to the world
    StiUrdfJoint *joints; // one per link
    int count;
    StiUrdfShape *shapes;
    int shape_count;
} StiUrdf;

// NULL after messages with file, line, column and reason. Mimic joints are refused; unknown
// elements and attributes are tolerated with a note. Notes say which friction fields were read and
// how they map.
STI_API StiUrdf *sti_urdf_load(const char *path, StiMessages *messages);
STI_API StiUrdf *sti_urdf_read(const char *text, size_t length, const char *path,
                               StiMessages *messages);
STI_API void sti_urdf_destroy(StiUrdf *urdf);
// Writes URDF; returns the length needed, as snprintf does. Reading it back gives the same robot.
STI_API size_t sti_urdf_write(const StiUrdf *urdf, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
