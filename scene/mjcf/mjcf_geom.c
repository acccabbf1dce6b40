// <geom>: its mass, and its shape for contact.
#include <math.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"

static const double PI = 3.14159265358979323846;

// ---- sizes --------------------------------------------------------------------------------------

typedef enum GeomType { SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, PLANE, MESH, OTHER } GeomType;

typedef struct Geom {
    GeomType type;
    double size[3];
    StiFrame at; // link axes
} Geom;

static GeomType type_of(const MjcfPlace *place)
{
    static const char *const words[] = {"sphere",    "capsule", "cylinder", "box",
                                        "ellipsoid", "plane",   "mesh"};
    const XmlAttribute *type = mjcf_value(place, "type");
    if (type == NULL) return mjcf_value(place, "mesh") != NULL ? MESH : SPHERE;
    for (int i = 0; i < (int)(sizeof words / sizeof words[0]); ++i)
        if (strcmp(words[i], type->value) == 0) return (GeomType)i;
    return OTHER;
}

// From one end to the other: the middle, and z along the line.
static void read_ends(MjcfReader *reader, const MjcfPlace *place, Geom *geom)
{
    double e[6];
    if (mjcf_value(place, "fromto") == NULL) return;
    if (mjcf_numbers(reader, place, "fromto", 6, e) != 6) return;
    const StiVec3 from = {e[0], e[1], e[2]}, to = {e[3], e[4], e[5]}, way = sti_vec3_sub(from, to);
    const double half = 0.5 * sti_vec3_norm(way);
    geom->at = (StiFrame){.p = sti_vec3_scale(0.5, sti_vec3_add(from, to)), .q = mjcf_from_z(way)};
    if (geom->type == BOX || geom->type == ELLIPSOID) {
        geom->size[1] = geom->size[0];
        geom->size[2] = half;
    } else {
        geom->size[1] = half;
    }
}

static Geom read_size(MjcfReader *reader, const MjcfPlace *place)
{
    Geom geom = {.type = type_of(place), .at = mjcf_frame(reader, place)};
    mjcf_numbers(reader, place, "size", 3, geom.size);
    read_ends(reader, place, &geom);
    return geom;
}

// Sizes that the type needs, all above 0.
static bool has_size(const Geom *geom)
{
    static const int needed[] = {[SPHERE] = 1, [CAPSULE] = 2, [CYLINDER] = 2, [BOX] = 3,
                                 [ELLIPSOID] = 3, [PLANE] = 0, [MESH] = 0, [OTHER] = 0};
    for (int i = 0; i < needed[geom->type]; ++i)
        if (!(geom->size[i] > 0.0)) return false;
    return true;
}

// ---- inertia ------------------------------------------------------------------------------------

// Volume, and moments of the unit mass about own axes.
static double solid(const Geom *geom, double moments[3])
{
    const double a = geom->size[0], b = geom->size[1], c = geom->size[2];
    double across, along;
    switch (geom->type) {
    case SPHERE:
        moments[0] = moments[1] = moments[2] = 0.4 * a * a;
        return 4.0 / 3.0 * PI * a * a * a;
    case CYLINDER:
        moments[0] = moments[1] = (3.0 * a * a + 4.0 * b * b) / 12.0;
        moments[2] = 0.5 * a * a;
        return 2.0 * PI * a * a * b;
    case CAPSULE: { // a cylinder and two halves of a ball, by their shares of the volume
        const double rod = 2.0 * PI * a * a * b, ball = 4.0 / 3.0 * PI * a * a * a;
        across = rod * (3.0 * a * a + 4.0 * b * b) / 12.0 +
                 ball * (0.4 * a * a + 0.75 * a * b + b * b);
        along = rod * 0.5 * a * a + ball * 0.4 * a * a;
        moments[0] = moments[1] = across / (rod + ball);
        moments[2] = along / (rod + ball);
        return rod + ball;
    }
    case BOX:
    case ELLIPSOID: {
        const double part = geom->type == BOX ? 1.0 / 3.0 : 0.2;
        moments[0] = part * (b * b + c * c);
        moments[1] = part * (a * a + c * c);
        moments[2] = part * (a * a + b * b);
        return geom->type == BOX ? 8.0 * a * b * c : 4.0 / 3.0 * PI * a * b * c;
    }
    default:
        moments[0] = moments[1] = moments[2] = 0.0;
        return 0.0;
    }
}

static void weigh(MjcfReader *reader, const MjcfPlace *place, const Geom *geom, Inertia *to)
{
    double moments[3];
    const double volume = solid(geom, moments), group = mjcf_number(reader, place, "group", 0.0);
    if (group < reader->compiler.groups[0] || group > reader->compiler.groups[1]) return;
    const double density = mjcf_number(reader, place, "density", 1000.0);
    const double mass = volume > 0.0 ? mjcf_number(reader, place, "mass", density * volume) : 0.0;
    if (geom->type == MESH)
        mjcf_note(reader, STI_WARNING, place->element->mark,
                  "left out: masses of meshes (the body has no <inertial>)", "mesh");
    Inertia own = {.mass = mass};
    for (int i = 0; i < 3; ++i) own.tensor[i] = mass * moments[i];
    own = inertia_placed(&own, geom->at);
    *to = inertia_joined(to, &own);
}

// ---- contact ------------------------------------------------------------------------------------

static bool make_shape(const Geom *geom, StiShape *shape)
{
    const double *s = geom->size;
    switch (geom->type) {
    case SPHERE:
        *shape = sti_shape_sphere(geom->at.p, s[0]);
        return true;
    case CAPSULE:
        *shape = sti_shape_capsule(geom->at, s[0], s[1]);
        return true;
    case CYLINDER:
        *shape = sti_shape_cylinder(geom->at, s[0], s[1]);
        return true;
    case BOX:
        *shape = sti_shape_box(geom->at, sti_vec3(s[0], s[1], s[2]));
        return true;
    default:
        return false;
    }
}

static bool touches_floor(MjcfReader *reader, const MjcfPlace *place)
{
    const int type = (int)mjcf_number(reader, place, "contype", 1.0);
    const int affinity = (int)mjcf_number(reader, place, "conaffinity", 1.0);
    const int floor_type = reader->floor.there ? reader->floor.type : 1;
    const int floor_affinity = reader->floor.there ? reader->floor.affinity : 1;
    return (type & floor_affinity) != 0 || (floor_type & affinity) != 0;
}

static bool is_only_seen(MjcfReader *reader, const MjcfPlace *place)
{
    return mjcf_number(reader, place, "contype", 1.0) == 0.0 &&
           mjcf_number(reader, place, "conaffinity", 1.0) == 0.0;
}

static const char *name_of(const MjcfPlace *place)
{
    const XmlAttribute *named = xml_attribute(place->element, "name");
    return named != NULL ? named->value : place->element->name;
}

static bool find_shape(MjcfReader *reader, const MjcfPlace *place, const Geom *geom, StiShape *shape)
{
    if (geom->type == MESH) {
        const StiHull *hull = mjcf_hull(reader, place);
        if (hull != NULL) *shape = sti_shape_hull(geom->at, hull);
        return hull != NULL;
    }
    if (make_shape(geom, shape)) return true;
    mjcf_note(reader, STI_NOTE, place->element->mark,
              geom->type == ELLIPSOID ? "left out: contact of ellipsoids"
                                      : "left out: contact of height fields and planes that move",
              name_of(place));
    return false;
}

static void add_shape(MjcfReader *reader, const MjcfPlace *place, const Geom *geom, int link)
{
    ModelShape shape = {.link = link};
    if (!touches_floor(reader, place)) return; // drawn, or of a pair
    if (mjcf_is_paired_with_floor(reader, place->element) || mjcf_is_excluded(reader, link)) return;
    if (!find_shape(reader, place, geom, &shape.shape)) return;
    shape.surface = mjcf_surface(reader, place);
    model_add_shape(reader->model, reader->base->arena, &shape);
}

// A geom that pairs name, in the axes of its link. False after a message.
bool mjcf_geom_shape(MjcfReader *reader, const MjcfSpot *spot, const MjcfPlace *place, StiShape *shape)
{
    Geom geom = read_size(reader, place);
    geom.at = spot->at;
    if (geom.type == PLANE && spot->link < 0) {
        *shape = sti_shape_plane(geom.at.p, sti_quat_rotate(geom.at.q, sti_vec3(0.0, 0.0, 1.0)));
        return true;
    }
    return has_size(&geom) && find_shape(reader, place, &geom, shape);
}

void mjcf_read_geom(MjcfReader *reader, const MjcfPlace *place, StiFrame around, MjcfGeoms *to)
{
    Geom geom = read_size(reader, place);
    mjcf_keep_geom(reader, place, (MjcfSpot){to->link, mjcf_inside(around, geom.at)});
    if (geom.type == PLANE && to->link < 0) return; // the floor
    if (!has_size(&geom)) {
        mjcf_note(reader, STI_NOTE, place->element->mark, "left out: geoms of no size", "geom");
        return;
    }
    geom.at = mjcf_inside(around, geom.at);
    if (geom.type == MESH && reader->base->draws)
        mjcf_draw(reader, place,
                  (ModelDrawing){.link = to->link,
                                 .visual = is_only_seen(reader, place),
                                 .at = geom.at});
    if (to->weighed) weigh(reader, place, &geom, &to->inertia);
    add_shape(reader, place, &geom, to->link);
}

// ---- the floor ----------------------------------------------------------------------------------

static void use_floor(MjcfReader *reader, const MjcfPlace *place)
{
    Model *model = reader->model;
    const StiFrame at = mjcf_frame(reader, place);
    if (reader->floor.there) {
        mjcf_note(reader, STI_WARNING, place->element->mark, "left out: planes beside the first",
                  "plane");
        return;
    }
    reader->floor.there = true;
    reader->floor.type = (int)mjcf_number(reader, place, "contype", 1.0);
    reader->floor.affinity = (int)mjcf_number(reader, place, "conaffinity", 1.0);
    model->floor_surface = mjcf_surface(reader, place);
    reader->floor.element = place->element;
    model->has_floor = reader->floor.type != 0 || reader->floor.affinity != 0;
    model->floor_point = at.p;
    model->floor_normal = sti_quat_rotate(at.q, sti_vec3(0.0, 0.0, 1.0));
}

// Planes of the world, wherever they stand in the file: what touches them must know their friction.
void mjcf_find_floor(MjcfReader *reader)
{
    for (const XmlElement *world = reader->root->children; world != NULL; world = world->next) {
        if (strcmp(world->name, "worldbody") != 0) continue;
        for (const XmlElement *geom = world->children; geom != NULL; geom = geom->next) {
            if (strcmp(geom->name, "geom") != 0) continue;
            const MjcfPlace place = mjcf_place(reader, geom, reader->main);
            if (type_of(&place) == PLANE) use_floor(reader, &place);
        }
    }
}
