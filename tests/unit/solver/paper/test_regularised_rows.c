// A by articulated bodies against dense J H^-1 J^T h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "algebra/cholesky.h"
#include "solver/paper/regularised.h"
#include "support/scenes/contact_scenes.h"

enum { LINKS = 6, WORK = 4096 };

static void the_inertia_of_contacts_is_that_of_dense_matrices(void **state)
{
    (void)state;
    Chain chain = chain_plan(LINKS, 0.0, 1e-3);
    sti_plan_set_solver(chain.plan, &sti_solver_semi_implicit);
    assert_int_equal(sti_plan_set(chain.plan, "chain.joint2.armature", 0.03), STI_OK);
    Rig rig = rig_of(chain.plan);
    const double q[LINKS] = {0.2, -0.4, 0.3, 0.0, -0.2, 0.1}; // both points of the last link touch
    memcpy(rig_x(&rig, chain.id), q, sizeof q);
    rig_step(&rig);
    const RegularData *data = regular_data(rig.scratch);
    const ContactData *contacts = rig.scratch->contacts;
    const StiRobot *robot = rig.network->admittances[0].robot;
    double H[LINKS * LINKS], work[WORK], J[6][LINKS], response[6][LINKS];
    assert_true(sti_robot_workspace(robot) <= WORK);
    sti_robot_mass_matrix(robot, q, H, work);
    assert_true(sti_cholesky_factor(LINKS, H));
    assert_int_equal(data->row_count, 6);
    for (int i = 0; i < data->node_count; ++i) {
        const ContactPoint *point = &contacts->points[data->nodes[i].index];
        const StiFrame *frame = &rig.scratch->stages[0].frames[LINKS - 1];
        const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
        double of_point[3 * LINKS];
        sti_robot_point_jacobian(robot, q, LINKS - 1, sti_quat_unrotate(frame->q, point->arm[0]),
                                 of_point, work);
        for (int d = 0; d < 3; ++d)
            for (int k = 0; k < LINKS; ++k) {
                const int row = data->nodes[i].row + d;
                J[row][k] = directions[d].x * of_point[k] + directions[d].y * of_point[LINKS + k] +
                            directions[d].z * of_point[2 * LINKS + k];
                response[row][k] = J[row][k];
            }
    }
    double worst = 0.0, size = 0.0;
    for (int a = 0; a < data->row_count; ++a) sti_cholesky_solve(LINKS, H, response[a]);
    for (int a = 0; a < data->row_count; ++a)
        for (int b = 0; b < data->row_count; ++b) {
            double dense = 0.0;
            for (int k = 0; k < LINKS; ++k) dense += 1e-3 * J[a][k] * response[b][k];
            size = fmax(size, fabs(dense));
            worst = fmax(worst, fabs(dense - data->A[a * data->row_count + b]));
        }
    print_message("%d rows, A up to %g, differs by %g\n", data->row_count, size, worst);
    assert_true(size > 1e-4);
    assert_true(worst <= 1e-13 * size);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inertia_of_contacts_is_that_of_dense_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
