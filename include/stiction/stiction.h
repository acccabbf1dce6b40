// stiction: friction-true simulation of mechanical systems. The public headers in reading order.
// Not here: continuous.h, for authors of integrators; adaptive.h, formats.h, scene.h, urdf.h and import.h, which
// belong to libraries of their own.
#ifndef STICTION_H
#define STICTION_H

#include "version.h"

#include "status.h"
#include "elementary.h"
#include "vector.h"

#include "kind.h"
#include "law.h"
#include "bearing.h"

#include "stage.h"

#include "impedance.h"
#include "friction.h"
#include "spring.h"
#include "actuator.h"

#include "reaction.h"
#include "compensate.h"

#include "admittance.h"
#include "body.h"
#include "robot.h"
#include "linkage.h"

#include "wire.h"
#include "shape.h"

#include "method.h"
#include "solver.h"
#include "plan.h"
#include "constraint.h"
#include "contact.h"
#include "network.h"
#include "step.h"
#include "draft.h"
#include "sink.h"
#include "record.h"
#include "lanes.h"
#include "registry.h"

#endif
