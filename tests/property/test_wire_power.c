// Every wire conserves power: what it takes from one side it gives to the other and to its element.
// Power into a + power into b + u.v = 0, whatever the motion and the force.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

enum { LINKS = 3, LINK_A = 1, LINK_B = 2, COORDINATES = 6, TRIALS = 5000 };

// m, of both bodies from the world's origin: rounding there must not reach the power.
static const double FAR = 1e6;

static const StiAdmittanceId BODY = {1}, OTHER = {2}, WORLD = {-1};

typedef struct End {
    double q[COORDINATES], v[COORDINATES], generalized[COORDINATES];
    StiFrame links[LINKS];
    StiWrench wrenches[LINKS];
    bool ground;
} End;

static End random_end(Random *random, bool ground)
{
    End end = {.ground = ground};
    for (int i = 0; i < COORDINATES; ++i) {
        end.q[i] = random_between(random, -1.0, 1.0);
        end.v[i] = random_between(random, -1.0, 1.0);
        end.generalized[i] = random_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < LINKS; ++i) {
        end.links[i] = ground ? GROUND : random_link(random);
        if (!ground) end.links[i].p.x += FAR;
        end.wrenches[i].force = random_vec3(random, 1.0);
        end.wrenches[i].moment = random_vec3(random, 1.0);
    }
    return end;
}

static StiSide side_of(const End *end, int link)
{
    return (StiSide){.q = end->ground ? NULL : end->q,
                     .v = end->ground ? NULL : end->v,
                     .link = &end->links[link]};
}

static StiForce force_of(End *end)
{
    return (StiForce){.generalized = end->ground ? NULL : end->generalized,
                      .links = end->ground ? NULL : end->wrenches};
}

// Power of what was added since before; scale grows by the sizes of the products.
static double power_into(const End *before, const End *after, double *scale)
{
    double power = 0.0;
    for (int i = 0; i < COORDINATES; ++i) {
        const double term = (after->generalized[i] - before->generalized[i]) * after->v[i];
        power += term;
        *scale += fabs(term);
    }
    for (int i = 0; i < LINKS; ++i) {
        const StiWrench *old = &before->wrenches[i], *new = &after->wrenches[i];
        const StiVec3 force = sti_vec3_sub(new->force, old->force);
        const StiVec3 moment = sti_vec3_sub(new->moment, old->moment);
        const StiFrame *link = &after->links[i];
        power += sti_vec3_dot(force, link->v) + sti_vec3_dot(moment, link->w);
        *scale += (sti_vec3_norm(force) + 1.0) * sti_vec3_norm(link->v);
        *scale += (sti_vec3_norm(moment) + 1.0) * sti_vec3_norm(link->w);
    }
    return power;
}

static void assert_power_is_conserved(Random *random, const StiWire *wire)
{
    End a = random_end(random, false), b = random_end(random, wire->b.body.number < 0);
    const End old_a = a, old_b = b;
    const int link_b = b.ground || !wire->kind->links ? 0 : wire->b.place;
    const StiSide side_a = side_of(&a, wire->kind->links ? wire->a.place : 0);
    const StiSide side_b = side_of(&b, link_b);
    const StiForce force_a = force_of(&a), force_b = force_of(&b);
    double x[24], v[24], u[24], power = 0.0, scale = 0.0;
    wire->kind->sense(wire, &side_a, &side_b, x, v);
    for (int i = 0; i < wire->kind->size(wire).velocities; ++i) {
        u[i] = random_between(random, -1.0, 1.0);
        power += u[i] * v[i];
        scale += fabs(u[i] * v[i]);
    }
    wire->kind->apply(wire, &side_a, &side_b, u, &force_a, &force_b);
    power += power_into(&old_a, &a, &scale) + power_into(&old_b, &b, &scale);
    assert_near(power / scale, 0.0, 1e-15);
    // Only what the ends name is touched.
    assert_memory_equal(&a.wrenches[0], &old_a.wrenches[0], sizeof(StiWrench));
    assert_memory_equal(&b.wrenches[0], &old_b.wrenches[0], sizeof(StiWrench));
    if (wire->kind->links)
        assert_memory_equal(a.generalized, old_a.generalized, sizeof a.generalized);
    else
        assert_memory_equal(a.wrenches, old_a.wrenches, sizeof a.wrenches);
}

static void coordinate(void **state)
{
    (void)state;
    Random random = {101};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const int dim = 1 + random_below(&random, 3);
        const int on_a = random_below(&random, 4), on_b = random_below(&random, 4);
        const StiWire one = sti_wire_coordinate(BODY, on_a, dim);
        const StiWire pair = sti_wire_coordinate_pair(BODY, on_a, OTHER, on_b, dim);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void point(void **state)
{
    (void)state;
    Random random = {102};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiVec3 on_a = random_vec3(&random, 1.0), on_b = random_vec3(&random, 1.0);
        const int dim = 1 + trial % 3;
        const StiWire one = sti_wire_point(BODY, LINK_A, on_a, on_b, dim);
        const StiWire pair = sti_wire_point_pair(BODY, LINK_A, on_a, OTHER, LINK_B, on_b, dim);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void frame(void **state)
{
    (void)state;
    Random random = {103};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiFrame B = random_frame(&random, 1.0), E = random_frame(&random, 1.0);
        const StiWire one = sti_wire_frame(BODY, LINK_A, B, WORLD, 0, E);
        const StiWire pair = sti_wire_frame(BODY, LINK_A, B, OTHER, LINK_B, E);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void hinge(void **state)
{
    (void)state;
    Random random = {104};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiFrame B = random_frame(&random, 1.0), E = random_frame(&random, 1.0);
        const StiWire one = sti_wire_hinge(BODY, LINK_A, B, WORLD, 0, E);
        const StiWire pair = sti_wire_hinge(BODY, LINK_A, B, OTHER, LINK_B, E);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void point_plane(void **state)
{
    (void)state;
    Random random = {105};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiVec3 on_a = random_vec3(&random, 1.0), on_b = random_vec3(&random, 1.0);
        const StiVec3 normal = random_vec3(&random, 1.0);
        const StiWire one = sti_wire_point_plane(BODY, LINK_A, on_a, on_b, normal);
        const StiWire pair = sti_wire_on_link(one, OTHER, LINK_B);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void sphere_plane(void **state)
{
    (void)state;
    Random random = {106};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiVec3 on_a = random_vec3(&random, 1.0), on_b = random_vec3(&random, 1.0);
        const StiVec3 normal = random_vec3(&random, 1.0);
        const double radius = random_between(&random, 0.0, 1.0);
        const StiWire one = sti_wire_sphere_plane(BODY, LINK_A, on_a, radius, on_b, normal);
        const StiWire pair = sti_wire_on_link(one, OTHER, LINK_B);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

static void box_plane(void **state)
{
    (void)state;
    Random random = {107};
    for (int trial = 0; trial < TRIALS; ++trial) {
        const StiFrame box = random_frame(&random, 1.0);
        const StiVec3 half = sti_vec3(0.5, random_between(&random, 0.1, 1.0), 0.25);
        const StiVec3 on_b = random_vec3(&random, 1.0), normal = random_vec3(&random, 1.0);
        const StiWire one = sti_wire_box_plane(BODY, LINK_A, box, half, on_b, normal);
        const StiWire pair = sti_wire_on_link(one, OTHER, LINK_B);
        assert_power_is_conserved(&random, &one);
        assert_power_is_conserved(&random, &pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate), cmocka_unit_test(point),       cmocka_unit_test(frame),
        cmocka_unit_test(hinge),      cmocka_unit_test(point_plane), cmocka_unit_test(sphere_plane),
        cmocka_unit_test(box_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
