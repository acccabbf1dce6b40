// The finite-time rule with any inertia W behind it, EQUATIONS 2.10: in slip (T W + s I) r = vbar
// with |r| at the level and s > 0, so that the velocity that remains, s r, is along the resistance.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/scenes/oblique_mass.h"
#include "support/scenes/rig.h"

static double length_of(int dim, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += a[i] * a[i];
    return sqrt(sum);
}

static double angle_between(int dim, const double *a, const double *b)
{
    double cosine = 0.0, sine = 0.0;
    for (int i = 0; i < dim; ++i) {
        const double u = a[i] / length_of(dim, a), v = b[i] / length_of(dim, b);
        cosine += u * v;
        sine += (u - v) * (u - v);
    }
    return cosine > 0.0 ? 2.0 * asin(0.5 * sqrt(sine)) : acos(cosine);
}

typedef struct Slide {
    Rig rig;
    ObliqueSlide scene;
} Slide;

static Slide slide_of(double T, const ObliqueMass *mass, StiLaw law)
{
    const StiFiniteTime P = {.dim = mass->dim, .law = law};
    Slide slide = {.scene = scene_oblique_mass(T, mass,
                                               (SceneFriction){.reaction = &sti_kind_finite_time,
                                                               .parameters = &P})};
    slide.rig = rig_of(slide.scene.plan);
    return slide;
}

static void read_resistance(const Slide *slide, int dim, double *r)
{
    for (int i = 0; i < dim; ++i) r[i] = rig_resistance(&slide->rig, slide->scene.friction, i);
}

// W = R R^T with one direction much heavier than the others, now and then.
static void random_W(Random *random, int dim, double *W)
{
    double R[9];
    for (int i = 0; i < dim * dim; ++i) R[i] = random_between(random, -1.0, 1.0);
    const double heavy = random_below(random, 3) == 0 ? 1e-2 : 1.0;
    for (int i = 0; i < dim; ++i) R[i * dim] *= heavy;
    for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < dim; ++j) {
            W[i * dim + j] = i == j ? 1e-3 : 0.0;
            for (int k = 0; k < dim; ++k) W[i * dim + j] += R[i * dim + k] * R[j * dim + k];
        }
    }
}

static StiLaw random_law(Random *random)
{
    const double F = random_decades(random, 0.1, 10.0);
    switch (random_below(random, 3)) {
    case 0:
        return sti_law_coulomb(F);
    case 1:
        return sti_law_viscous(F, random_decades(random, 0.1, 100.0));
    default:
        return sti_law_stribeck(F, 1.2 * F, 0.5 * F, 2.0, 0.1);
    }
}

// What a stuck mass needs: W r = vbar/T.
static void assert_sticks(const Slide *slide, const ObliqueMass *mass, double T, double level)
{
    double r[3], Wr[3];
    read_resistance(slide, mass->dim, r);
    oblique_mass_times(mass->dim, mass->W, r, Wr);
    assert_true(length_of(mass->dim, r) <= level * (1.0 + 1e-12));
    for (int i = 0; i < mass->dim; ++i) {
        assert_true(rig_v(&slide->rig, slide->scene.mass)[i] == 0.0);
        assert_near(T * Wr[i], mass->velocity[i], 1e-12 * length_of(mass->dim, mass->velocity));
    }
}

static void assert_slips_along_its_resistance(const Slide *slide, const ObliqueMass *mass,
                                              StiLaw law)
{
    const double *v = rig_v(&slide->rig, slide->scene.mass);
    const double speed = length_of(mass->dim, v), size = length_of(mass->dim, mass->velocity);
    const double level = sti_law_level(&law, speed, 0.0, NULL);
    double r[3];
    read_resistance(slide, mass->dim, r);
    assert_near(length_of(mass->dim, r), level, 1e-11 * level);
    // the velocity is what remains of vbar, and rounded like it
    assert_near(angle_between(mass->dim, r, v), 0.0, 1e-12 * size / speed + 1e-13);
}

static void any_inertia_and_law(void **unused)
{
    (void)unused;
    int slips = 0, sticks = 0;
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        Random random = {seed};
        ObliqueMass mass = {.dim = 1 + random_below(&random, 3)};
        const double T = random_decades(&random, 1e-4, 1e-1);
        const StiLaw law = random_law(&random);
        const double level = sti_law_level(&law, 0.0, 0.0, NULL);
        random_W(&random, mass.dim, mass.W);
        for (int i = 0; i < mass.dim; ++i)
            mass.velocity[i] = T * level * random_between(&random, -1.0, 1.0);
        Slide slide = slide_of(T, &mass, law);
        rig_step(&slide.rig);
        const bool moves = length_of(mass.dim, rig_v(&slide.rig, slide.scene.mass)) > 0.0;
        if (moves)
            assert_slips_along_its_resistance(&slide, &mass, law);
        else
            assert_sticks(&slide, &mass, T, level);
        slips += moves;
        sticks += !moves;
        rig_free(&slide.rig);
    }
    assert_true(slips > 300 && sticks > 300);
}

static const ObliqueMass printed = {.dim = 2, .W = {4.0, 1.5, 1.5, 1.0}};

// 1/M replaced by W in f = -F vbar/|vbar|: how far the remaining velocity is off that force.
static double naive_angle(double TF, const double *vbar)
{
    const double size = length_of(2, vbar), n[2] = {vbar[0] / size, vbar[1] / size};
    double Wn[2];
    oblique_mass_times(2, printed.W, n, Wn);
    const double v[2] = {vbar[0] - TF * Wn[0], vbar[1] - TF * Wn[1]};
    return angle_between(2, v, n);
}

static void friction_along_vbar_would_be_wrong(void **unused)
{
    (void)unused;
    static const double degree = 3.14159265358979323846 / 180.0, T = 0.1;
    const double levels[2] = {1.0, 2.13}, naive[2] = {15.0, 70.0};
    for (int i = 0; i < 2; ++i) {
        double worst = 0.0;
        for (int direction = 0; direction < 360; ++direction) {
            ObliqueMass mass = printed;
            mass.velocity[0] = cos(direction * degree);
            mass.velocity[1] = sin(direction * degree);
            worst = fmax(worst, naive_angle(T * levels[i], mass.velocity));
            Slide slide = slide_of(T, &mass, sti_law_coulomb(levels[i]));
            double r[2];
            rig_step(&slide.rig);
            read_resistance(&slide, 2, r);
            assert_near(length_of(2, r), levels[i], 1e-13);
            assert_near(angle_between(2, r, rig_v(&slide.rig, slide.scene.mass)), 0.0, 1e-13);
            rig_free(&slide.rig);
        }
        assert_true(worst > naive[i] * degree);
    }
}

// A scalar W is a mass: (14) of [fixed-step].
static void scalar_inertia_is_the_rule_for_a_mass(void **unused)
{
    (void)unused;
    const double T = 1e-3, M = 0.7, F = 3.0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        const double vbar = T * F / M * random_between(&random, -3.0, 3.0);
        const ObliqueMass mass = {.dim = 1, .W = {1.0 / M}, .velocity = {vbar}};
        Slide slide = slide_of(T, &mass, sti_law_coulomb(F));
        double v, r;
        rig_step(&slide.rig);
        read_resistance(&slide, 1, &r);
        assert_near(r, sti_finite_time_mass(F, M, T, vbar, &v), 1e-14 * F);
        assert_near(*rig_v(&slide.rig, slide.scene.mass), v, 1e-15 * T * F / M);
        rig_free(&slide.rig);
    }
}

// The slide of an oblique mass ends, at a place and time that converge with the step.
static void oblique_mass_comes_to_rest(void **unused)
{
    (void)unused;
    ObliqueMass mass = printed;
    mass.velocity[0] = 3.0;
    mass.velocity[1] = -1.0;
    double x[4], time[4];
    for (int i = 0; i < 4; ++i) {
        const double T = 1e-2 * pow(0.1, i);
        Slide slide = slide_of(T, &mass, sti_law_coulomb(2.0));
        const double *v = rig_v(&slide.rig, slide.scene.mass);
        while (v[0] != 0.0 || v[1] != 0.0) rig_step(&slide.rig);
        time[i] = rig_time(&slide.rig);
        x[i] = *rig_x(&slide.rig, slide.scene.mass);
        rig_run(&slide.rig, 100);
        assert_true(*rig_x(&slide.rig, slide.scene.mass) == x[i]);
        rig_free(&slide.rig);
    }
    for (int i = 1; i < 4; ++i) {
        assert_near(time[i], time[i - 1], 2e-2 * pow(0.1, i - 1));
        assert_near(x[i], x[i - 1], 2e-2 * pow(0.1, i - 1));
    }
    assert_near((x[1] - x[0]) / (x[2] - x[1]), 10.0, 0.5);
}

// W = J H^-1 J^T of an off-centre point of a rigid body is the printed matrix: 1/m + ry^2/J = 4,
// -rx ry/J = 1.5, 1/m + rx^2/J = 1.
static StiPlan *rigid_plan(double T, double F, const double *v, StiAdmittanceId *body,
                           StiElementId *friction)
{
    const double inverse_mass = 0.5 * (5.0 - sqrt(18.0)), J = 0.1;
    const StiVec3 point = {-sqrt((1.0 - inverse_mass) * J), sqrt((4.0 - inverse_mass) * J), 0.0};
    const StiRigidBody rigid = {.mass = 1.0 / inverse_mass,
                                .inertia = {J, J, J},
                                .velocity = {v[0], v[1], 0.0}};
    const StiFiniteTime P = {.dim = 2, .law = sti_law_coulomb(F)};
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    *body = sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body, &rigid);
    const StiWire wire = sti_wire_point(*body, 0, point, point, 2);
    *friction = sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &P, &wire);
    return plan;
}

static void rigid_body_shows_its_inertia_at_a_point(void **unused)
{
    (void)unused;
    const double T = 0.1;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        const double F = random_between(&random, 0.5, 4.0);
        ObliqueMass mass = printed;
        for (int i = 0; i < 2; ++i) mass.velocity[i] = random_between(&random, -1.0, 1.0);
        StiAdmittanceId body;
        StiElementId friction;
        Rig rig = rig_of(rigid_plan(T, F, mass.velocity, &body, &friction));
        Slide slide = slide_of(T, &mass, sti_law_coulomb(F));
        rig_step(&rig);
        rig_step(&slide.rig);
        for (int i = 0; i < 2; ++i)
            assert_near(rig_resistance(&rig, friction, i),
                        rig_resistance(&slide.rig, slide.scene.friction, i), 1e-13 * F);
        rig_free(&rig);
        rig_free(&slide.rig);
    }
}

// Nothing can move across a guide: W has rank one, and the friction acts along the guide.
static void guide_leaves_one_direction(void **unused)
{
    (void)unused;
    const double T = 1e-3, v0 = 2.0, F = 5.0, M = 2.0;
    const StiGuidedBlock block = {.mass = M, .axis = {1.0, 2.0, -2.0}, .velocity = v0};
    const StiFiniteTime P = {.dim = 3, .law = sti_law_coulomb(F)};
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, T);
    const StiAdmittanceId id =
        sti_plan_add_admittance(plan, "block", &sti_kind_guided_block, &block);
    const StiWire wire = sti_wire_point(id, 0, sti_vec3(0.0, 0.0, 0.0), sti_vec3(0.0, 0.0, 0.0), 3);
    const StiElementId friction =
        sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &P, &wire);
    Rig rig = rig_of(plan);
    rig_run(&rig, 100);
    const double along[3] = {1.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0};
    for (int i = 0; i < 3; ++i) assert_near(rig_resistance(&rig, friction, i), F * along[i], 1e-13);
    assert_near(*rig_v(&rig, id), v0 - 0.1 * F / M, 1e-13);
    rig_run(&rig, 1000); // stands after 0.8 s
    assert_near(*rig_v(&rig, id), 0.0, 1e-16);
    assert_near(*rig_x(&rig, id), 0.5 * v0 * v0 * M / F, 1.01 * T);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_inertia_and_law),
        cmocka_unit_test(friction_along_vbar_would_be_wrong),
        cmocka_unit_test(scalar_inertia_is_the_rule_for_a_mass),
        cmocka_unit_test(oblique_mass_comes_to_rest),
        cmocka_unit_test(rigid_body_shows_its_inertia_at_a_point),
        cmocka_unit_test(guide_leaves_one_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
