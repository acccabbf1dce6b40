// Sharp edges on sharp edges: houses of cards, boxes on edge, arches of wedges. A symmetric scene
// moves symmetrically, and stands or falls as statics says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/near.h"
#include "support/plan.h"
#include "support/scenes/boxes.h"

static const StiVec3 card_half = {0.001, 0.03, 0.05};

typedef struct House {
    StiPlan *plan;
    StiAdmittanceId cards[2];
} House;

static StiVec3 add(StiVec3 a, double s, StiVec3 b) { return sti_vec3_add(a, sti_vec3_scale(s, b)); }

// Card 0 stands left and leans to the right by an angle; its foot is on the floor and its upper
// right edge at x = 0. Card 1 is its mirror image.
static StiRigidBody card(double lean, double side)
{
    const StiVec3 up = {sin(lean), 0.0, cos(lean)}, right = {cos(lean), 0.0, -sin(lean)};
    const StiVec3 top = add(sti_vec3_scale(card_half.z, up), card_half.x, right);
    const StiVec3 foot = add(sti_vec3_scale(-card_half.z, up), card_half.x, right);
    StiRigidBody body = box_body(0.002, card_half, sti_vec3(-side * top.x, 0.0, -foot.z));
    body.attitude[0] = cos(0.5 * lean);
    body.attitude[2] = side * sin(0.5 * lean);
    return body;
}

static House house(double lean, double mu, const char *left, const char *right)
{
    House house = {.plan = plan_in_stages()};
    StiContactShape shapes[3] = {ground_shape(sti_vec3(0.0, 0.0, 1.0))};
    sti_plan_set_gravity(house.plan, level_gravity());
    sti_plan_set_step(house.plan, 1e-3);
    for (int i = 0; i < 2; ++i) {
        const StiRigidBody body = card(lean, i == 0 ? 1.0 : -1.0);
        house.cards[i] =
            sti_plan_add_admittance(house.plan, i == 0 ? left : right, &sti_kind_rigid_body, &body);
        shapes[i + 1] = box_shape(house.cards[i], card_half);
    }
    sti_plan_add_contact(house.plan, "touch", &(StiContact){.a = shapes, .a_count = 3, .mu = mu});
    return house;
}

// The cards push each other level with H. About the foot of one, with half thickness t and half
// length L: 2 L cos(a) H = (L sin(a) - t cos(a)) m g. Friction at the floor must hold H with m g.
static double least_mu(double lean) { return 0.5 * (tan(lean) - card_half.x / card_half.z); }

// How far positions, attitudes and velocities are from mirror images.
static double asymmetry(const Rig *rig, const House *house)
{
    static const double signs[13] = {-1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1, -1, -1};
    double most = 0.0;
    for (int i = 0; i < 13; ++i) {
        const double *l =
            i < 7 ? rig_x(rig, house->cards[0]) + i : rig_v(rig, house->cards[0]) + i - 7;
        const double *r =
            i < 7 ? rig_x(rig, house->cards[1]) + i : rig_v(rig, house->cards[1]) + i - 7;
        most = fmax(most, fabs(*l - signs[i] * *r));
    }
    return most;
}

static double fallen(const Rig *rig, const House *house, double lean)
{
    return fabs(rig_x(rig, house->cards[0])[2] - card(lean, 1.0).position[2]) +
           fabs(rig_x(rig, house->cards[1])[2] - card(lean, -1.0).position[2]);
}

typedef struct Fall {
    double down, asymmetry; // m; m, m/s, rad/s
} Fall;

static Fall run(House h, double lean, int steps)
{
    Rig rig = rig_of(h.plan);
    Fall fall = {0.0, 0.0};
    for (int k = 0; k < steps; ++k) {
        rig_step(&rig);
        fall.asymmetry = fmax(fall.asymmetry, asymmetry(&rig, &h));
    }
    fall.down = fallen(&rig, &h, lean);
    rig_free(&rig);
    return fall;
}

static void a_house_of_cards_stands_or_falls_as_statics_says(void **state)
{
    (void)state;
    for (double degrees = 8.0; degrees < 40.0; degrees += 7.0) {
        const double lean = degrees * PI / 180.0, mu = least_mu(lean);
        for (int i = 0; i < 2; ++i) { // whichever card comes first
            const char *const left = i == 0 ? "a" : "b", *const right = i == 0 ? "b" : "a";
            const Fall stands = run(house(lean, 1.03 * mu, left, right), lean, 300);
            const Fall falls = run(house(lean, 0.97 * mu, left, right), lean, 300);
            const Fall slips = run(house(lean, 0.0, left, right), lean, 60);
            print_message(
                "%g deg, mu %.4f: down %.3g, %.3g and %.3g m; asymmetry %.3g, %.3g, %.3g\n",
                degrees, mu, stands.down, falls.down, slips.down, stands.asymmetry, falls.asymmetry,
                slips.asymmetry);
            assert_true(stands.down < 1e-12 && stands.asymmetry < 1e-12);
            assert_true(falls.down > 1e-3 && falls.asymmetry < 1e-3); // of 10 rad/s
            assert_true(slips.down > 1e-4 && slips.asymmetry < 1e-12);
        }
    }
}

// A fall has kinks, each touch is one, and nothing that grows by the step.
static void cards_that_fall_get_no_warning_about_the_step(void **state)
{
    (void)state;
    for (double degrees = 8.0; degrees < 40.0; degrees += 4.0)
        for (int i = 0; i < 3; ++i) {
            const double lean = degrees * PI / 180.0;
            StiPlan *plan = house(lean, 0.3 * i * least_mu(lean), "a", "b").plan;
            sti_plan_set_method(plan, &sti_method_cut);
            StiNetwork *network = NULL;
            StiReport *report = sti_report_create();
            assert_int_equal(sti_plan_compile(plan, report, &network), STI_OK);
            assert_int_equal(sti_network_check_stability(plan, network, report), STI_OK);
            for (int k = 0; k < sti_report_count(report); ++k)
                if (sti_report_finding(report, k)->severity == STI_WARNING)
                    fail_msg("%g deg: %s", degrees, sti_report_finding(report, k)->text);
            sti_network_destroy(network);
            sti_report_destroy(report);
            sti_plan_destroy(plan);
        }
}

// Two cubes, each on one of its edges, the upper one's edge on the lower one's, which is fixed.
static void a_cube_balances_on_an_edge(void **state)
{
    (void)state;
    const StiVec3 half = {0.1, 0.1, 0.1};
    const double height = 0.1 * sqrt(2.0), turn = 0.125 * PI;
    const StiFrame on_edge = {.p = {0.0, 0.0, -height}, .q = {cos(turn), 0.0, sin(turn), 0.0}};
    StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, height));
    body.attitude[0] = cos(turn), body.attitude[2] = sin(turn);
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, level_gravity());
    const StiAdmittanceId cube = sti_plan_add_admittance(plan, "cube", &sti_kind_rigid_body, &body);
    contact_between(plan, "edge", box_shape(cube, half),
                    (StiContactShape){{-1}, 0, sti_shape_box(on_edge, half)}, 0.5);
    Rig rig = rig_of(plan);
    rig_run(&rig, 200);
    const double *x = rig_x(&rig, cube);
    assert_near(x[0], 0.0, 1e-9);
    assert_near(x[2], height, 1e-9);
    rig_free(&rig);
}

// ---- an arch ------------------------------------------------------------------------------------

enum { STONES = 5 };
static const double inside = 0.8, outside = 1.2, depth = 0.3; // m: radii, half depth

// The stone between two angles from the left, its corners about its middle, which is left in place.
static void stone(int i, StiHull *hull, StiVec3 *place)
{
    const double from = PI * i / STONES, to = PI * (i + 1) / STONES;
    StiVec3 points[8], sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 8; ++k) {
        const double angle = k & 1 ? to : from, r = k & 2 ? outside : inside;
        points[k] = sti_vec3(-r * cos(angle), k & 4 ? depth : -depth, r * sin(angle));
        sum = sti_vec3_add(sum, points[k]);
    }
    *place = sti_vec3_scale(0.125, sum);
    for (int k = 0; k < 8; ++k) points[k] = sti_vec3_sub(points[k], *place);
    assert_int_equal(sti_hull_build(points, 8, hull), STI_OK);
}

// Thick enough to stand (a ring stands from a thickness of 0.11 of its radius on).
static void an_arch_stands(void **state)
{
    (void)state;
    static StiHull hulls[STONES];
    StiPlan *plan = plan_in_stages();
    StiContactShape shapes[STONES + 1];
    StiAdmittanceId stones[STONES];
    StiVec3 places[STONES];
    sti_plan_set_gravity(plan, level_gravity());
    for (int i = 0; i < STONES; ++i) {
        char name[24];
        snprintf(name, sizeof name, "stone%d", i);
        stone(i, &hulls[i], &places[i]);
        const StiRigidBody body = box_body(1.0, sti_vec3(0.25, 0.3, 0.25), places[i]);
        stones[i] = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        shapes[i] = (StiContactShape){stones[i], 0,
                                      sti_shape_hull((StiFrame){.q = {1, 0, 0, 0}}, &hulls[i])};
    }
    shapes[STONES] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(plan, "arch",
                         &(StiContact){.a = shapes, .a_count = STONES + 1, .mu = 0.8});
    Rig rig = rig_of(plan);
    rig_run(&rig, 300);
    double most = 0.0;
    for (int i = 0; i < STONES; ++i) {
        const double *x = rig_x(&rig, stones[i]);
        most = fmax(most, sti_vec3_norm(sti_vec3_sub(sti_vec3(x[0], x[1], x[2]), places[i])));
    }
    print_message("arch moved %.3g m\n", most);
    assert_true(most < 1e-6);
    rig_free(&rig);
}

// ---- at rest ------------------------------------------------------------------------------------

enum { RESTING = 5, MOST_POINTS = 64 };

// A tower of shapes, each turned against the one below.
static Rig tower(void)
{
    static StiHull hull;
    StiVec3 corners[10]; // five sides
    for (int i = 0; i < 10; ++i)
        corners[i] =
            sti_vec3(0.1 * cos(0.4 * PI * i), 0.1 * sin(0.4 * PI * i), i < 5 ? -0.05 : 0.05);
    assert_int_equal(sti_hull_build(corners, 10, &hull), STI_OK);
    const StiFrame none = {.q = {1, 0, 0, 0}};
    const StiShape shapes[RESTING] = {sti_shape_box(none, box_half), sti_shape_box(none, box_half),
                                      sti_shape_hull(none, &hull),
                                      sti_shape_cylinder(none, 0.08, 0.05),
                                      sti_shape_box(none, sti_vec3(0.05, 0.05, 0.05))};
    StiContactShape all[RESTING + 1];
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, level_gravity());
    for (int i = 0; i < RESTING; ++i) {
        char name[24];
        snprintf(name, sizeof name, "body%d", i);
        StiRigidBody body = box_body(1.0, box_half, sti_vec3(0.0, 0.0, 0.05 + 0.1 * i));
        body.attitude[0] = cos(0.2 * i), body.attitude[3] = sin(0.2 * i);
        const StiAdmittanceId id = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        all[i] = (StiContactShape){id, 0, shapes[i]};
    }
    all[RESTING] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(plan, "tower", &(StiContact){.a = all, .a_count = RESTING + 1, .mu = 0.5});
    return rig_of(plan);
}

static void touches_at_rest_stay(void **state)
{
    (void)state;
    static StiTouch first[MOST_POINTS];
    Rig rig = tower();
    rig_run(&rig, 10);
    const ContactData *const contacts = rig.scratch->contacts;
    const int count = contacts->point_count;
    assert_in_range(count, 4 * RESTING, MOST_POINTS);
    for (int i = 0; i < count; ++i) first[i] = contacts->points[i].touch;
    for (int k = 0; k < (rig_short() ? 100 : 1000); ++k) {
        rig_step(&rig);
        assert_int_equal(contacts->point_count, count);
        for (int i = 0; i < count; ++i) {
            const StiTouch *const now = &contacts->points[i].touch;
            assert_int_equal(now->feature, first[i].feature);
            assert_near(sti_vec3_norm(sti_vec3_sub(now->point_a, first[i].point_a)), 0.0, 1e-9);
        }
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_house_of_cards_stands_or_falls_as_statics_says),
        cmocka_unit_test(cards_that_fall_get_no_warning_about_the_step),
        cmocka_unit_test(a_cube_balances_on_an_edge),
        cmocka_unit_test(an_arch_stands),
        cmocka_unit_test(touches_at_rest_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
