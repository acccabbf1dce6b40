// What must hold for every body: energy follows the power of the forces, respond is the part of
// eval that is linear in the force, positions and frames follow the velocities.
// Include after cmocka.h.
#ifndef STICTION_TESTS_BODY_LAWS_H
#define STICTION_TESTS_BODY_LAWS_H

#include <string.h>

#include "stiction/body.h"
#include "support/near.h"
#include "support/random_space.h"

enum { BODY_NUMBERS = 16 };

typedef struct BodyState {
    double q[BODY_NUMBERS], v[BODY_NUMBERS];
} BodyState;

typedef struct BodyForce {
    double generalized[BODY_NUMBERS];
    StiWrench link;
} BodyForce;

static inline StiForce force_view(BodyForce *force)
{
    return (StiForce){.generalized = force->generalized, .links = &force->link};
}

static inline BodyState random_state(Random *random, const StiAdmittanceKind *kind, const void *p)
{
    const StiAdmittanceSize size = kind->size(p);
    BodyState s = {{0.0}, {0.0}};
    for (int i = 0; i < size.positions; ++i) s.q[i] = random_between(random, -1.0, 1.0);
    for (int i = 0; i < size.velocities; ++i) s.v[i] = random_between(random, -2.0, 2.0);
    kind->move(p, s.v, 0.0, s.q);
    return s;
}

static inline BodyForce random_force(Random *random, const StiAdmittanceKind *kind, const void *p)
{
    BodyForce force = {.generalized = {0.0}};
    force.link.force = random_vec3(random, 3.0);
    force.link.moment = random_vec3(random, 3.0);
    for (int i = 0; i < kind->size(p).velocities; ++i)
        force.generalized[i] = random_between(random, -3.0, 3.0);
    return force;
}

static inline BodyState rates(const StiAdmittanceKind *kind, const void *p, StiVec3 gravity,
                              const BodyState *s, BodyForce *force)
{
    const StiStage stage = {.gravity = gravity};
    const StiForce uhat = force_view(force);
    BodyState rate = {{0.0}, {0.0}};
    double loads[4];
    assert_int_equal(kind->eval(p, &stage, s->q, s->v, NULL, &uhat, rate.q, rate.v, loads), STI_OK);
    return rate;
}

static inline BodyState ahead(const BodyState *s, double h, const BodyState *rate)
{
    BodyState to;
    for (int i = 0; i < BODY_NUMBERS; ++i) {
        to.q[i] = s->q[i] + h * rate->q[i];
        to.v[i] = s->v[i] + h * rate->v[i];
    }
    return to;
}

static inline double power_of(const StiAdmittanceKind *kind, const void *p, const BodyState *s,
                              const BodyForce *force)
{
    StiFrame link;
    kind->pose(p, s->q, s->v, NULL, &link);
    double power = sti_vec3_dot(force->link.force, link.v);
    power += sti_vec3_dot(force->link.moment, link.w);
    for (int i = 0; i < kind->size(p).velocities; ++i) power += force->generalized[i] * s->v[i];
    return power;
}

// The energy is of second degree in the velocities and of first in the position: a central
// difference is exact for any h.
static inline void assert_energy_follows_power(Random *random, const StiAdmittanceKind *kind,
                                               const void *p)
{
    const double h = 0.25;
    const StiVec3 gravity = random_vec3(random, 10.0);
    const BodyState s = random_state(random, kind, p);
    BodyForce force = random_force(random, kind, p);
    const BodyState rate = rates(kind, p, gravity, &s, &force);
    const BodyState before = ahead(&s, -h, &rate), after = ahead(&s, h, &rate);
    const double change = kind->stored(p, gravity, after.q, after.v, NULL) -
                          kind->stored(p, gravity, before.q, before.v, NULL);
    assert_near(change / (2.0 * h), power_of(kind, p, &s, &force), 5e-13);
}

// What the link yields to a wrench is how it moves with the velocities of the response.
static inline void assert_link_yields(const StiAdmittanceKind *kind, const void *p,
                                      const BodyState *s, const double *prepared,
                                      const StiWrench *wrench)
{
    BodyForce force = {.link = *wrench};
    const StiForce view = force_view(&force);
    double dv[BODY_NUMBERS];
    StiFrame moving, yielding;
    kind->respond(p, prepared, s->q, &view, dv);
    kind->pose(p, s->q, dv, NULL, &moving);
    kind->link_response(p, prepared, wrench, &yielding);
    const StiVec3 v = sti_vec3_sub(moving.v, yielding.v), w = sti_vec3_sub(moving.w, yielding.w);
    assert_near(sti_vec3_norm(v), 0.0, 1e-13);
    assert_near(sti_vec3_norm(w), 0.0, 1e-13);
}

static inline void assert_respond_is_linear_part(Random *random, const StiAdmittanceKind *kind,
                                                 const void *p)
{
    const StiVec3 gravity = random_vec3(random, 10.0);
    const BodyState s = random_state(random, kind, p);
    BodyForce force = random_force(random, kind, p), none = {.generalized = {0.0}};
    const BodyState with = rates(kind, p, gravity, &s, &force);
    const BodyState without = rates(kind, p, gravity, &s, &none);
    const StiForce view = force_view(&force);
    double prepared[BODY_NUMBERS], dv[BODY_NUMBERS];
    assert_true(kind->size(p).prepared <= BODY_NUMBERS);
    assert_int_equal(kind->prepare(p, s.q, NULL, NULL, prepared), STI_OK);
    kind->respond(p, prepared, s.q, &view, dv);
    for (int i = 0; i < kind->size(p).velocities; ++i)
        assert_near(dv[i], with.v[i] - without.v[i], 1e-13);
    if (kind->link_response != NULL) assert_link_yields(kind, p, &s, prepared, &force.link);
}

static inline void assert_move_follows_rate(Random *random, const StiAdmittanceKind *kind,
                                            const void *p)
{
    const double h = 1e-4;
    const BodyState s = random_state(random, kind, p);
    BodyForce none = {.generalized = {0.0}};
    const BodyState rate = rates(kind, p, sti_vec3(0.0, 0.0, 0.0), &s, &none);
    BodyState before = s, after = s;
    kind->move(p, s.v, -h, before.q);
    kind->move(p, s.v, h, after.q);
    for (int i = 0; i < kind->size(p).positions; ++i)
        assert_near((after.q[i] - before.q[i]) / (2.0 * h), rate.q[i], 2e-8);
}

// The link's velocity and angular velocity are the rates of its place and attitude.
static inline void assert_pose_follows_motion(Random *random, const StiAdmittanceKind *kind,
                                              const void *p)
{
    const double h = 1e-4;
    const BodyState s = random_state(random, kind, p);
    BodyState before = s, after = s;
    StiFrame was, is, will;
    kind->move(p, s.v, -h, before.q);
    kind->move(p, s.v, h, after.q);
    kind->pose(p, before.q, s.v, NULL, &was);
    kind->pose(p, s.q, s.v, NULL, &is);
    kind->pose(p, after.q, s.v, NULL, &will);
    const StiVec3 v = sti_vec3_scale(0.5 / h, sti_vec3_sub(will.p, was.p));
    const StiQuat turn = sti_quat_multiply(will.q, sti_quat_conjugate(was.q));
    const StiVec3 w = sti_vec3_scale(1.0 / h, sti_vec3(turn.x, turn.y, turn.z));
    assert_near(sti_vec3_norm(sti_vec3_sub(v, is.v)), 0.0, 1e-11);
    assert_near(sti_vec3_norm(sti_vec3_sub(w, is.w)), 0.0, 3e-7);
}

static inline void assert_body_laws(Random *random, const StiAdmittanceKind *kind, const void *p)
{
    assert_energy_follows_power(random, kind, p);
    assert_respond_is_linear_part(random, kind, p);
    assert_move_follows_rate(random, kind, p);
    assert_pose_follows_motion(random, kind, p);
}

// T = 0 changes no bit of the positions that are not a quaternion.
static inline void assert_move_by_nothing(const StiAdmittanceKind *kind, const void *p,
                                          const BodyState *s, int plain)
{
    BodyState moved = *s;
    kind->move(p, s->v, 0.0, moved.q);
    assert_memory_equal(moved.q, s->q, (size_t)plain * sizeof(double));
}

static inline void assert_channels(const StiAdmittanceKind *kind, const void *p, int count,
                                   const char *const *names)
{
    const StiChannelInfo *channels;
    assert_int_equal(kind->channels(p, &channels), count);
    for (int i = 0; i < count; ++i) assert_string_equal(channels[i].name, names[i]);
}

static inline int findings_of(const StiAdmittanceKind *kind, const void *p, bool allow_unphysical)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report,
                            .component = "body",
                            .allow_unphysical = allow_unphysical};
    kind->info.check(p, &check);
    const int errors = sti_report_error_count(report);
    sti_report_destroy(report);
    return errors;
}

#endif
