// The lists of kinds, one line each, in the order of `stiction list`. A line makes a kind known to scenes,
// their schema, lists, explanations, completion, fuzzers and the tests of all kinds.
#ifndef STICTION_SRC_REGISTRY_KINDS_H
#define STICTION_SRC_REGISTRY_KINDS_H

// clang-format off

// Friction models: set-valued ones (reactions), and those with memory (impedances).
#define STI_FRICTION_MODELS(REACTION, IMPEDANCE) \
    REACTION(coulomb)                            \
    REACTION(finite_time)                        \
    REACTION(karnopp)                            \
    REACTION(quinn)                              \
    REACTION(rate_and_state)                     \
    IMPEDANCE(viscous_approximation)             \
    IMPEDANCE(dahl)                              \
    IMPEDANCE(bouc_wen)                          \
    IMPEDANCE(lugre)                             \
    IMPEDANCE(elastoplastic)                     \
    IMPEDANCE(elastic_coulomb)                   \
    IMPEDANCE(maxwell_slip)                      \
    IMPEDANCE(leuven)                            \
    IMPEDANCE(gms)                               \
    IMPEDANCE(linear_continuous)

// Laws. Of several that the keys of a scene ask for the last one is taken.
#define STI_LAWS(LAW) \
    LAW(coulomb)      \
    LAW(viscous)      \
    LAW(stribeck)     \
    LAW(gear)         \
    LAW(gear_load)    \
    LAW(tanh)         \
    LAW(directional)  \
    LAW(table)

#define STI_ELEMENTS(IMPEDANCE) \
    IMPEDANCE(spring_damper)    \
    IMPEDANCE(force_source)     \
    IMPEDANCE(signal_force)     \
    IMPEDANCE(signal_value)     \
    IMPEDANCE(penalty_joint)    \
    IMPEDANCE(bearing_load)     \
    IMPEDANCE(site)             \
    IMPEDANCE(soft_contact)     \
    IMPEDANCE(dc_motor)         \
    IMPEDANCE(servo)            \
    IMPEDANCE(pid)              \
    IMPEDANCE(joint_limit)      \
    IMPEDANCE(backlash)         \
    IMPEDANCE(actuator)         \
    IMPEDANCE(gear_loss)        \
    IMPEDANCE(compound)

#define STI_BODIES(BODY) \
    BODY(point_mass)     \
    BODY(rigid_body)     \
    BODY(guided_block)   \
    BODY(rotor)          \
    BODY(motion_source)  \
    BODY(robot)          \
    BODY(assembly)       \
    BODY(linkage)

#define STI_SHAPES(SHAPE) \
    SHAPE(point)          \
    SHAPE(sphere)         \
    SHAPE(capsule)        \
    SHAPE(cylinder)       \
    SHAPE(box)            \
    SHAPE(hull)           \
    SHAPE(plane)

#define STI_WIRES(WIRE) \
    WIRE(coordinate)    \
    WIRE(combination)   \
    WIRE(angular_combination) \
    WIRE(helix)         \
    WIRE(angular_helix) \
    WIRE(point)         \
    WIRE(frame)         \
    WIRE(hinge)         \
    WIRE(slide)         \
    WIRE(sphere_plane)  \
    WIRE(box_plane)

// clang-format on

#endif
