#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

#include "wire/plane.h"

static void z_turns_into_the_normal(void **state)
{
    (void)state;
    Random random = {51};
    for (int trial = 0; trial < 2000; ++trial) {
        StiVec3 n = random_vec3(&random, 1.0);
        if (trial % 2) n = sti_vec3(n.x * 1e-9, n.y * 1e-9, n.z); // close to the poles
        n = sti_vec3_scale(1.0 / sti_vec3_norm(n), n);
        const StiQuat q = sti_plane_attitude(sti_vec3_scale(random_decades(&random, 0.1, 10.0), n));
        assert_near(distance(sti_quat_rotate(q, sti_vec3(0.0, 0.0, 1.0)), n), 0.0, 2e-15);
        assert_near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-15);
        assert_true(q.z == 0.0); // the shortest way
    }
}

static void upright_planes_are_exact(void **state)
{
    (void)state;
    const StiQuat up = sti_plane_attitude(sti_vec3(0.0, 0.0, 1.0));
    const StiQuat long_up = sti_plane_attitude(sti_vec3(0.0, 0.0, 3.0));
    const StiQuat down = sti_plane_attitude(sti_vec3(0.0, 0.0, -1.0));
    assert_true(up.w == 1.0 && up.x == 0.0 && up.y == 0.0 && up.z == 0.0);
    assert_true(long_up.w == 1.0 && long_up.x == 0.0 && long_up.y == 0.0);
    const StiVec3 turned = sti_quat_rotate(down, sti_vec3(0.0, 0.0, 1.0));
    assert_true(turned.x == 0.0 && turned.y == 0.0 && turned.z == -1.0);
}

static void on_link_moves_the_plane_to_a_body(void **state)
{
    (void)state;
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), normal = sti_vec3(1.0, 0.0, 0.0);
    const StiWire world = sti_wire_point_plane((StiAdmittanceId){4}, 2, zero, zero, normal);
    const StiWire wire = sti_wire_on_link(world, (StiAdmittanceId){7}, 3);
    assert_true(world.b.body.number == -1);
    assert_true(wire.a.body.number == 4 && wire.a.place == 2);
    assert_true(wire.b.body.number == 7 && wire.b.place == 3);
    assert_true(wire.b.frame.q.w == world.b.frame.q.w && wire.b.frame.q.y == world.b.frame.q.y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z_turns_into_the_normal),
        cmocka_unit_test(upright_planes_are_exact),
        cmocka_unit_test(on_link_moves_the_plane_to_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
