// Meshes of model files for replays: which, where, how many.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stiction/import.h"
#include "stiction/shape.h"

static char folder[] = "/tmp/stiction-drawing-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char tetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    mkdir(in_folder("models"), 0700);
    write_file("models/seen.obj", tetrahedron);
    write_file("models/touched.obj", tetrahedron);
    write_file("outside.obj", tetrahedron);
    write_file("models/broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"models/seen.obj",
                                        "models/touched.obj",
                                        "outside.obj",
                                        "models/broken.obj",
                                        "models/model.xml",
                                        "models/many.obj",
                                        "models/scene.yaml",
                                        "models",
                                        ""};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) remove(in_folder(names[i]));
    return 0;
}

static StiScene *load(const char *name, const char *confine)
{
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.confine = confine};
    StiScene *scene = sti_scene_load(in_folder(name), &options, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s\n", sti_messages_at(messages, i)->text);
    assert_non_null(scene);
    sti_messages_destroy(messages);
    return scene;
}

static StiDrawing *draw(const char *model, const char *confine)
{
    write_file("models/model.xml", model);
    StiScene *scene = load("models/model.xml", confine);
    StiDrawing *drawing = sti_scene_drawing(scene);
    assert_non_null(drawing);
    sti_scene_destroy(scene);
    return drawing;
}

#define INERTIAL \
    "<inertial><origin xyz='0.1 0 0'/><mass value='1'/>" \
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define URDF(parts) \
    "<robot name='r'><link name='base'/><link name='the arm'>" INERTIAL parts \
    "</link><joint name='j' type='continuous'><parent link='base'/><child link='the arm'/>" \
    "<axis xyz='0 1 0'/></joint></robot>"
#define MESH(tag, at, file) \
    "<" tag "><origin xyz='" at "'/><geometry><mesh filename='" file \
    "' scale='2 3 -4'/></geometry></" tag ">"

static void what_is_to_be_seen_goes_before_contact(void **state)
{
    (void)state;
    StiDrawing *drawing =
        draw(URDF(MESH("collision", "0 0 0", "touched.obj") MESH("visual", "1 2 3", "seen.obj")
                      MESH("visual", "4 5 6", "seen.obj")),
             NULL);
    assert_int_equal(drawing->part_count, 2);
    assert_int_equal(drawing->mesh_count, 1); // once for both
    assert_int_equal(drawing->left_out, 0);
    assert_true(drawing->merged == 0.0);
    assert_int_equal(drawing->meshes[0].count, 4);
    assert_int_equal(drawing->meshes[0].place_count, 4);
    for (int i = 0; i < 2; ++i) {
        const StiDrawnPart *part = &drawing->parts[i];
        assert_true(part->visual && part->body == 0 && part->link == 1);
        assert_true(part->at.p.x == 1.0 + 3.0 * i && part->scale.z == -4.0);
    }
    sti_drawing_destroy(drawing);
}

static void contact_is_drawn_where_nothing_else_is(void **state)
{
    (void)state;
    StiDrawing *drawing =
        draw(URDF(MESH("collision", "0 0 7", "touched.obj") MESH("visual", "0 0 0", "not_there.obj")
                      MESH("visual", "0 0 0",
                           "broken.obj") "<visual><geometry><mesh/></geometry></visual>"
                                         "<visual><geometry><mesh filename='seen.obj' scale='a b "
                                         "c'/></geometry></visual>"),
             NULL);
    assert_int_equal(drawing->part_count, 1);
    assert_false(drawing->parts[0].visual);
    assert_true(drawing->parts[0].at.p.z == 7.0);
    assert_int_equal(drawing->left_out, 2);
    sti_drawing_destroy(drawing);
}

static void nothing_outside_the_folder_is_read(void **state)
{
    (void)state;
    char confine[256];
    snprintf(confine, sizeof confine, "%s/models", folder);
    StiDrawing *drawing = draw(URDF(MESH("visual", "0 0 0", "../outside.obj")), confine);
    assert_int_equal(drawing->part_count, 0);
    assert_int_equal(drawing->left_out, 1);
    sti_drawing_destroy(drawing);
    drawing = draw(URDF(MESH("visual", "0 0 0", "../outside.obj")), NULL);
    assert_int_equal(drawing->part_count, 1);
    sti_drawing_destroy(drawing);
}

static void mjcf_and_sdf(void **state)
{
    (void)state;
    StiDrawing *drawing = draw(
        "<mujoco><asset><mesh name='m' file='seen.obj' scale='2 3 -4'/><mesh "
        "file='touched.obj'/></asset>"
        "<worldbody><body name='b' pos='0 0 9'><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
        "1'/><joint axis='1 0 0'/>"
        "<geom type='mesh' mesh='m' pos='1 2 3' contype='0' conaffinity='0'/><geom type='mesh' "
        "mesh='touched'/></body>"
        "<body name='c'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint axis='1 0 0'/>"
        "<geom type='mesh' mesh='touched'/></body></worldbody></mujoco>",
        NULL);
    assert_int_equal(drawing->part_count, 2);
    assert_true(drawing->parts[0].visual && drawing->parts[0].at.p.z == 3.0 &&
                drawing->parts[0].scale.z == -4.0);
    assert_true(!drawing->parts[1].visual && drawing->parts[1].link != drawing->parts[0].link);
    sti_drawing_destroy(drawing);
    drawing = draw(
        "<sdf version='1.7'><model name='m'><link name='l'><visual name='v'><pose>1 2 3 0 0 "
        "0</pose><geometry><mesh>"
        "<uri>seen.obj</uri><scale>2 3 -4</scale></mesh></geometry></visual></link></model></sdf>",
        NULL);
    assert_int_equal(drawing->part_count, 1);
    assert_true(drawing->parts[0].visual && drawing->parts[0].at.p.z == 3.0 &&
                drawing->parts[0].scale.z == -4.0);
    sti_drawing_destroy(drawing);
}

static void robots_of_scenes(void **state)
{
    (void)state;
    write_file("models/model.xml", URDF(MESH("visual", "1 2 3", "seen.obj")));
    write_file("models/scene.yaml", "stop: 1\nbodies:\n  a_mass: {kind: point, mass: 1}\n  arm: "
                                    "{kind: robot, urdf: model.xml}\n");
    StiScene *scene = load("models/scene.yaml", NULL);
    StiDrawing *drawing = sti_scene_drawing(scene);
    assert_non_null(drawing);
    assert_int_equal(drawing->part_count, 1);
    assert_true(drawing->parts[0].body == 1 && drawing->parts[0].link == 1);
    sti_drawing_destroy(drawing);
    sti_scene_destroy(scene);
}

static double uniform(void) // -1 to 1
{
    static uint64_t seed = 20261118;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}

// Of random size and place, on a link whose name changes.
static void write_random_model(bool urdf)
{
    char text[2048];
    double r[9];
    for (int i = 0; i < 9; ++i) r[i] = uniform();
    if (urdf)
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='world'/><joint name='f' type='floating'><parent "
                 "link='world'/><child link='b c'/>"
                 "</joint><link name='b c'>" INERTIAL
                 "</link><joint name='k' type='continuous'><parent link='b c'/><child "
                 "link='d e'/><axis xyz='1 0 0'/></joint><link name='d e'>" INERTIAL
                 "<collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g "
                 "%.17g'/><geometry><mesh filename='touched.obj' "
                 "scale='%.17g %.17g %.17g'/></geometry></collision></link></robot>",
                 r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
    else
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh file='touched.obj' scale='%.17g %.17g "
                 "%.17g'/></asset><worldbody><geom type='plane' "
                 "size='1 1 1'/><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
                 "1'/><body><joint axis='1 0 0'/>"
                 "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><frame euler='20 30 "
                 "40'><geom type='mesh' mesh='touched' "
                 "pos='%.17g %.17g %.17g' axisangle='%.17g %.17g %.17g "
                 "70'/></frame></body></body></worldbody></mujoco>",
                 r[6], r[7], r[8], r[0], r[1], r[2], r[3], r[4], r[5]);
    write_file("models/model.xml", text);
}

static StiVec3 drawn_at(const StiDrawing *drawing, const StiDrawnPart *part, int place)
{
    const StiDrawnMesh *mesh = &drawing->meshes[part->mesh];
    const uint16_t *p = mesh->places + 3 * place;
    const StiVec3 own = {part->scale.x * (mesh->low.x + mesh->cell * p[0]),
                         part->scale.y * (mesh->low.y + mesh->cell * p[1]),
                         part->scale.z * (mesh->low.z + mesh->cell * p[2])};
    return sti_vec3_add(part->at.p, sti_quat_rotate(part->at.q, own));
}

static bool find_hull(const StiScene *scene, StiShapeOn *hull)
{
    StiComponent element;
    for (int i = 0; sti_network_component(scene->network, i, &element); ++i)
        for (int k = 0; sti_network_contact_shape(scene->network, i, k, hull); ++k)
            if (hull->shape->hull != NULL) return true;
    return false;
}

// The hulls for contact were placed by the readers of the scene: each of their corners is one of a triangle.
static void triangles_are_where_hulls_are(void **state)
{
    (void)state;
    for (int round = 0; round < 20; ++round) {
        StiShapeOn hull;
        write_random_model(round % 2 == 0);
        StiScene *scene = load("models/model.xml", NULL);
        StiDrawing *drawing = sti_scene_drawing(scene);
        assert_true(drawing != NULL && find_hull(scene, &hull) && drawing->part_count == 1);
        const StiDrawnPart *part = &drawing->parts[0];
        assert_true(part->body == hull.body && part->link == hull.link);
        assert_int_equal(hull.shape->hull->vertex_count, 4);
        for (int i = 0; i < 4; ++i) {
            const StiVec3 own = sti_quat_rotate(hull.shape->q, hull.shape->hull->vertices[i]);
            double least = HUGE_VAL;
            for (int k = 0; k < 4; ++k)
                least = fmin(least, sti_vec3_norm(sti_vec3_sub(sti_vec3_add(hull.shape->p, own),
                                                               drawn_at(drawing, part, k))));
            assert_true(least < 2.0 * drawing->meshes[0].cell);
        }
        sti_drawing_destroy(drawing);
        sti_scene_destroy(scene);
    }
}

// A waved sheet of more triangles than are drawn: fewer, no corner farther off than said.
static void the_limit_is_kept(void **state)
{
    (void)state;
    enum { SIDE = 160 };
    FILE *file = fopen(in_folder("models/many.obj"), "w");
    assert_non_null(file);
    for (int i = 0; i < SIDE * SIDE; ++i)
        fprintf(file, "v %d %d %.9g\n", i / SIDE, i % SIDE, 9.0 * sin(0.1 * (i / SIDE)));
    for (int i = 0; i + 1 < SIDE; ++i)
        for (int k = 1; k < SIDE; ++k)
            fprintf(file, "f %d %d %d %d\n", i * SIDE + k, (i + 1) * SIDE + k,
                    (i + 1) * SIDE + k + 1, i * SIDE + k + 1);
    assert_int_equal(fclose(file), 0);
    StiDrawing *drawing = draw(URDF(MESH("visual", "0 0 0", "many.obj")), NULL);
    const StiDrawnMesh *mesh = &drawing->meshes[0];
    assert_true(mesh->count <= STI_MOST_TRIANGLES && mesh->count > STI_MOST_TRIANGLES / 4);
    assert_true(drawing->merged > 0.0 && drawing->merged < 0.05 * 4.0 * SIDE);
    for (int i = 0; i < 3 * mesh->count; ++i) {
        const uint16_t *place = mesh->places + 3 * mesh->corners[i];
        assert_true(mesh->corners[i] < mesh->place_count);
        const double x = mesh->low.x + mesh->cell * place[0],
                     z = mesh->low.z + mesh->cell * place[2];
        assert_true(fabs(z - 9.0 * sin(0.1 * x)) < 2.0 * mesh->cell); // still on the sheet
    }
    sti_drawing_destroy(drawing);
    drawing =
        draw(URDF(
                 "<visual><geometry><mesh filename='many.obj' scale='0 0 0'/></geometry></visual>"),
             NULL);
    assert_int_equal(drawing->left_out, 1); // of no size
    assert_int_equal(drawing->part_count, 0);
    sti_drawing_destroy(drawing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_to_be_seen_goes_before_contact),
        cmocka_unit_test(contact_is_drawn_where_nothing_else_is),
        cmocka_unit_test(nothing_outside_the_folder_is_read),
        cmocka_unit_test(mjcf_and_sdf),
        cmocka_unit_test(robots_of_scenes),
        cmocka_unit_test(triangles_are_where_hulls_are),
        cmocka_unit_test(the_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
