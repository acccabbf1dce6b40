// Writes the numbers of the cases (bench/peers/cases.h) and what is right (bench/peers/runner) as JSON,
// so that the simulators in JavaScript are built from the same source and judged by the same references.
#include <stdio.h>

#include "../peers/cases.h"
#include "../peers/runner/reference.h"

static const int sizes[] = {1, 2, 3, 5, 10, 20, 30, 50, 100};
enum { SIZES = sizeof sizes / sizeof sizes[0], STEPS = 32 };

static void list(const char *name, const double *values, int count)
{
    printf("\"%s\": [", name);
    for (int i = 0; i < count; ++i) printf("%s%.17g", i > 0 ? ", " : "", values[i]);
    printf("],\n");
}
static void number(const char *name, double value) { printf("\"%s\": %.17g,\n", name, value); }

static void write_arm(void)
{
    printf("\"arm\": [\n");
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink *l = &arm_links[i];
        double p[3], c, s;
        arm_start(i, p, &c, &s);
        const double inertia[3] = {arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)};
        const double turn[2] = {c, s};
        printf("{\"name\": \"%s\", ", l->name);
        list("place", l->place, 3), list("centre", l->centre, 3), list("inertia", inertia, 3);
        list("origin", p, 3), list("turn", turn, 2);
        number("mass", l->mass), number("level", l->level);
        printf("\"turned\": %d, \"about_z\": %d}%s\n", l->turned, l->about_z,
               i + 1 < ARM_AXES ? "," : "");
    }
    printf("],\n");
}

static void write_constants(void)
{
    const double box[3] = {box_inertia(0), box_inertia(1), box_inertia(2)};
    const double chain[3] = {chain_inertia(0), chain_inertia(1), chain_inertia(2)};
    const double capsule[3] = {capsule_inertia(0), capsule_inertia(1), capsule_inertia(2)};
    number("gravity", case_gravity);
    number("box_mass", box_mass), number("box_mu", box_mu);
    list("box_half", box_half, 3), list("box_inertia", box, 3);
    number("sliding_box_force", sliding_box_force());
    number("joint_inertia", joint_inertia), number("joint_level", joint_level);
    number("block_mass", block_mass), number("block_level", block_level);
    number("pull_stiffness", pull_stiffness);
    number("crossing_velocity", crossing_velocity), number("crossing_force", crossing_force);
    number("arm2_mass", arm2_mass), number("arm2_length", arm2_length);
    number("arm2_level", arm2_level), number("arm2_thin", arm2_thin);
    number("arm2_inertia", arm2_inertia());
    number("chain_mass", chain_mass), number("chain_length", chain_length);
    number("chain_width", chain_width), number("chain_level", chain_level);
    number("chain_radius", chain_radius), number("chain_mu", chain_mu);
    list("chain_spheres", chain_spheres, 2), list("chain_inertia", chain, 3);
    number("ball_mass", ball_mass), number("ball_radius", ball_radius);
    number("ball_mu", ball_mu), number("ball_speed", ball_speed);
    number("ball_inertia", ball_inertia());
    number("capsule_mass", capsule_mass), number("capsule_radius", capsule_radius);
    number("capsule_half", capsule_half), list("capsule_inertia", capsule, 3);
    number("pinch_mu", pinch_mu), number("pinch_height", pinch_height);
    number("finger_mass", finger_mass), number("finger_force", finger_force);
    list("finger_half", finger_half, 3);
}

static void write_references(void)
{
    double state[4], angles[PEER_VALUES];
    number("right_spring_pull", reference_spring_pull_rest());
    number("right_crossing_1ms", reference_crossing_velocity(0.02));
    number("right_crossing_0.7ms", reference_crossing_velocity(0.0203));
    number("right_rolling", reference_rolling_distance(1.0));
    number("right_sliding", reference_sliding_distance(1.0));
    reference_two_link(6.0, 1e-4, state);
    list("right_two_link", state, 4);
    printf("\"right_chain\": {\n");
    for (int i = 0; i < SIZES; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%d", sizes[i]);
        reference_chain(sizes[i], STEPS * 1e-3, 0.5e-3, angles);
        list(name, angles, chain_read(sizes[i]));
    }
    printf("\"0\": []}\n");
}

int main(void)
{
    printf("{\n");
    write_constants();
    write_arm();
    write_references();
    printf("}\n");
    return 0;
}
