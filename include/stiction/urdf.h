// URDF: robots as the robotics world writes them. Part of the scene library (needs expat).
#ifndef STICTION_URDF_H
#define STICTION_URDF_H

#include "robot.h"
#include "scene.h"

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

typedef enum StiShapeType { STI_SHAPE_SPHERE, STI_SHAPE_BOX, STI_SHAPE_CYLINDER } StiShapeType;

// A collision primitive, kept for contact.
typedef struct StiShape {
    StiShapeType type;
    int link;
    StiFrame placement; // p and q in link axes
    double size[3];     // sphere: radius; box: edges; cylinder: radius, length along z
} StiShape;

typedef struct StiUrdf {
    const char *name;
    StiLink *links;       // a fixed base link without a parent joint is a link fixed to the world
    StiUrdfJoint *joints; // one per link
    int count;
    StiShape *shapes;
    int shape_count;
} StiUrdf;

// NULL after messages with file, line, column and reason. Mimic joints are refused; unknown
// elements and attributes are tolerated with a note. Notes tell which friction fields were read and
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
