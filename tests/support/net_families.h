// What does not hold today, by kind of scene, method and judge; all that is not named here holds. Who
// cures one takes its mark away: the extended test fails where a mark has no failure left, and prints
// this table as it should be with STI_NET_MARKS=1.
#ifndef STICTION_TESTS_NET_FAMILIES_H
#define STICTION_TESTS_NET_FAMILIES_H

#include "support/net.h"

enum {
    APPLIES = 1 << JUDGE_APPLIES,
    ENDS = 1 << JUDGE_ENDS,
    SOLVED = 1 << JUDGE_SOLVED,
    CLOSED = 1 << JUDGE_CLOSED,
    LIMIT = 1 << JUDGE_LIMIT,
    STICK = 1 << JUDGE_STICK,
    FORCE = 1 << JUDGE_FORCE,
    MOTION = 1 << JUDGE_MOTION,
    ENERGY = 1 << JUDGE_ENERGY,
    MOMENTUM = 1 << JUDGE_MOMENTUM,
    MIRROR = 1 << JUDGE_MIRROR,
    ORDER = 1 << JUDGE_ORDER
};

static const NetFamily families[] = {
    {"sliders", NET_RULE, FORCE},
    {"pendulums", NET_RULE, MOTION | ENERGY},
    {"pendulums", NET_SEMI_IMPLICIT, MOTION},
    {"pendulums", NET_IMPLICIT, MOTION},
    {"arms", NET_BDF, ENDS},
    {"arms", NET_IMPLICIT, STICK | FORCE | MOTION},
    {"floating", NET_IMPLICIT, MOTION},
    {"chain", NET_IMPLICIT, STICK | FORCE | MOTION},
    {"tip", NET_RULE, STICK | FORCE | MOTION | ENERGY},
    {"tip", NET_CUT, SOLVED},
    {"tip", NET_EVENTS, ENDS},
    {"tip", NET_BDF, ENDS},
    {"tip", NET_REFERENCE, ENDS},
    {"tip", NET_SEMI_IMPLICIT, STICK | FORCE | MOTION},
    {"tip", NET_IMPLICIT, SOLVED | LIMIT | STICK | FORCE | MOTION},
    {"feet", NET_RULE, CLOSED | ORDER},
    {"feet", NET_SEMI_IMPLICIT, CLOSED | STICK | FORCE},
    {"feet", NET_IMPLICIT, CLOSED | STICK | FORCE},
    {"cart", NET_CUT, APPLIES},
    {"stack", NET_RULE, MIRROR | ORDER},
    {"stack", NET_SEMI_IMPLICIT, SOLVED | CLOSED | STICK},
    {"stack", NET_IMPLICIT, SOLVED | CLOSED | STICK},
    {"dominoes", NET_CUT, APPLIES},
    {"pushed_below", NET_SEMI_IMPLICIT, CLOSED | STICK | FORCE},
    {"pushed_below", NET_IMPLICIT, CLOSED | STICK | FORCE},
    {"pushed_above", NET_RULE, MIRROR},
    {"slope", NET_SEMI_IMPLICIT, CLOSED | STICK},
    {"slope", NET_IMPLICIT, CLOSED | STICK},
    {"rolling", NET_CUT, APPLIES},
    {"bounce", NET_RULE, STICK | FORCE},
    {"bounce", NET_CUT, SOLVED},
    {"belt", NET_RULE, ENERGY},
    {"spring", NET_RULE, ENERGY},
    {"scenes/floating-base/scene.yaml", NET_RULE, ENERGY},
    {"scenes/six-axis-arm/scene.yaml", NET_IMPLICIT, MOTION},
    {"scenes/spatial-slider-crank/scene.yaml", NET_IMPLICIT, STICK},
    {"scenes/toggle-press/scene.yaml", NET_RULE, ENERGY},
    {"scenes/two-link-arm/scene.yaml", NET_IMPLICIT, MOTION},
    {"scenes/two-wheel-robot/scene.yaml", NET_IMPLICIT, STICK},
    {"papers/dahl/dahl-loops/scene.yaml", NET_RULE, ENERGY},
    {"papers/dahl/mass-pendulum/scene.yaml", NET_RULE, ENERGY},
    {"papers/dahl/mass-pile/scene.yaml", NET_IMPLICIT, STICK | MOTION},
    {"papers/modular/rolling-sphere/scene.yaml", NET_RULE, ENERGY},
    {"papers/modular/two-link-penalty/scene.yaml", NET_RULE, ENERGY},
    {"papers/modular/two-link/scene.yaml", NET_RULE, ENERGY},
    {"papers/order/contact-arm/scene.yaml", NET_RULE, FORCE},
    {"papers/order/contact-arm/scene.yaml", NET_IMPLICIT, STICK | FORCE | MOTION},
    {"papers/order/contact-bounce/scene.yaml", NET_RULE, ENERGY},
    {"papers/order/contact-pair/scene.yaml", NET_RULE, ENERGY},
    {"papers/order/forced/scene.yaml", NET_RULE, ENERGY},
    {"papers/order/pile/scene.yaml", NET_IMPLICIT, STICK | MOTION},
    {"papers/order/stick/scene.yaml", NET_RULE, ENERGY},
    {"papers/order/two-link/scene.yaml", NET_RULE, ENERGY},
    {"papers/semi-implicit/pendulum/scene.yaml", NET_RULE, MOTION},
    {"papers/semi-implicit/pendulum/scene.yaml", NET_SEMI_IMPLICIT, MOTION},
    {"papers/semi-implicit/pendulum/scene.yaml", NET_IMPLICIT, FORCE | MOTION},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

#endif
