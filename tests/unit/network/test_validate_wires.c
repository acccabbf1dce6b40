// Every way in which a wire of a plan can be wrong.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "spoilt_plans.h"

static void spring_on(Scene *s, StiWire wire) { add_spring(s->plan, "other", wire, 1.0, 1.0); }
static const StiAdmittanceId ground = {-1}, nobody = {99}, less_than_ground = {-2},
                             nothing = {0};
static void side_a_ground(Scene *s) { spring_on(s, sti_wire_coordinate(ground, 0, 1)); }
static void side_a_nobody(Scene *s) { spring_on(s, sti_wire_coordinate(nobody, 0, 1)); }
static void side_a_below(Scene *s) { spring_on(s, sti_wire_coordinate(less_than_ground, 0, 1)); }
static void side_a_nothing(Scene *s) { spring_on(s, sti_wire_coordinate(nothing, 0, 1)); }
static void side_b_nothing(Scene *s)
{
    spring_on(s, sti_wire_coordinate_pair(s->block, 0, nothing, 0, 1));
}
static void side_b_nobody(Scene *s)
{
    spring_on(s, sti_wire_coordinate_pair(s->block, 0, nobody, 0, 1));
}
static void coordinate_too_high(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, 1, 1)); }
static void coordinate_negative(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, -1, 1)); }
static void coordinates_too_many(Scene *s) { spring_on(s, sti_wire_coordinate(s->block, 0, 2)); }
static void coordinate_of_b_too_high(Scene *s)
{
    spring_on(s, sti_wire_coordinate_pair(s->block, 0, s->hand, 1, 1));
}
static void link_too_high(Scene *s)
{
    spring_on(s, sti_wire_point(s->block, 1, sti_vec3(0, 0, 0), sti_vec3(0, 0, 0), 1));
}
static void link_of_b_negative(Scene *s)
{
    const StiVec3 origin = {0, 0, 0};
    spring_on(s, sti_wire_point_pair(s->block, 0, origin, s->hand, -1, origin, 1));
}
static void spring_of_other_size(Scene *s)
{
    const StiWire wire = sti_wire_point(s->block, 0, sti_vec3(0, 0, 0), sti_vec3(0, 0, 0), 3);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 2, .K = 1.0}, &wire);
}
static void joint_on_coordinate(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_penalty_joint,
                           &(StiPenaltyJoint){1.0, 1.0, 1.0, 1.0}, &s->on_block);
}
static void reaction_of_other_size(Scene *s)
{
    sti_plan_add_reaction(s->plan, "other", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 2, .law = sti_law_coulomb(1.0)}, &s->on_block);
}
static void reaction_without_wire(Scene *s)
{
    sti_plan_add_reaction(s->plan, "other", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, NULL);
}
static void spring_without_wire(Scene *s)
{
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 1.0}, NULL);
}

static void wire_without_axes(Scene *s)
{
    StiWire wire = s->on_block;
    wire.dim = 0;
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 1.0}, &wire);
}
static void point_in_four_dimensions(Scene *s)
{
    const StiVec3 origin = {0, 0, 0};
    const StiWire wire = sti_wire_point(s->block, 0, origin, origin, 4);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 3, .K = 1.0}, &wire);
}
static void point_nowhere(Scene *s)
{
    spring_on(s, sti_wire_point(s->block, 0, sti_vec3(0, NAN, 0), sti_vec3(0, 0, 0), 1));
}
static void contact_on(Scene *s, double radius, StiVec3 normal)
{
    const StiVec3 origin = {0, 0, 0};
    const StiWire wire = sti_wire_sphere_plane(s->block, 0, origin, radius, origin, normal);
    sti_plan_add_impedance(s->plan, "other", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 1, .K = 1.0, .B = 1.0}, &wire);
}
static void negative_radius(Scene *s) { contact_on(s, -0.5, sti_vec3(0, 0, 1)); }
static void plane_without_normal(Scene *s) { contact_on(s, 0.5, sti_vec3(0, 0, 0)); }
static void position_too_high(Scene *s)
{
    StiWire wire = s->on_block;
    wire.a.position = 1;
    spring_on(s, wire);
}

static void wrong_wires(void **state)
{
    (void)state;
    const Case cases[] = {
        {side_a_ground, "other", "wire", NAN, "side a must be a body"},
        {side_a_nobody, "other", "wire", 99.0, "side a is not a body of this plan; there are 2"},
        {side_a_below, "other", "wire", -2.0, "side a is not a body"},
        {side_a_nothing, "other", "wire", 0.0, "an id that was never set"},
        {side_b_nothing, "other", "wire", 0.0, "side b is not a body"},
        {side_b_nobody, "other", "wire", 99.0, "side b is not a body"},
        {coordinate_too_high, "other", "wire", 1.0, "side a: block has 1 coordinate"},
        {coordinate_negative, "other", "wire", -1.0, "side a: block has 1 coordinate"},
        {coordinates_too_many, "other", "wire", 0.0, "2 from this one on"},
        {coordinate_of_b_too_high, "other", "wire", 1.0, "side b: hand has 1 coordinate"},
        {link_too_high, "other", "wire", 1.0, "side a: block has 1 link"},
        {link_of_b_negative, "other", "wire", -1.0, "side b: hand has 1 link"},
        {spring_of_other_size, "other", "wire", NAN,
         "wants 2 velocities (and 2 positions), the point"},
        {joint_on_coordinate, "other", "wire", NAN, "wants 6 velocities"},
        {reaction_of_other_size, "other", "wire", NAN, "the coordinate wire gives 1"},
        {reaction_without_wire, "other", "wire", NAN, "needs a wire to a body"},
        {wire_without_axes, "other", "wire", 0.0, "at least 1 axis"},
        {point_in_four_dimensions, "other", "wire", 4.0, "1, 2 or 3 axes"},
        {point_nowhere, "other", "wire", NAN, "must be finite"},
        {negative_radius, "other", "wire", -0.5, "finite and 0 or more"},
        {plane_without_normal, "other", "wire", NAN, "normals must not be zero"},
        {position_too_high, "other", "wire", 1.0, "side a: block has 1 position"},
        {spring_without_wire, "other", "wire", NAN, "looks at positions: it needs a wire"},
    };
    ASSERT_ALL_REFUSED(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_wires)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
