#include "report/report_parts.h"

#include <string.h>

#include <stiction/body.h>
#include <stiction/linkage.h>
#include <stiction/record.h>
#include <stiction/robot.h>
#include <stiction/registry.h>
#include <stiction/scene.h>

#include "report/json.h"
#include "terminal/text.h"

static void vector_at(FILE *file, const char *key, StiVec3 v)
{
    json_key(file, key, false);
    json_numbers(file, (const double[]){v.x, v.y, v.z}, 3);
}

static void quaternion_at(FILE *file, const char *key, StiQuat q)
{
    json_key(file, key, false);
    json_numbers(file, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

static void number_at(FILE *file, const char *key, double value)
{
    json_key(file, key, false);
    json_number(file, value);
}

static void robot_links(const StiRobotBody *body, FILE *file)
{
    static const char *const joints[] = {"fixed",     "revolute", "prismatic",
                                         "spherical", "planar",   "floating"};
    fputc('[', file);
    for (int i = 0; i < sti_robot_links(body->robot); ++i) {
        const StiLink *link = sti_robot_link(body->robot, i);
        fprintf(file, "%s{", i > 0 ? "," : "");
        json_key(file, "name", true);
        json_text(file, link->name);
        json_key(file, "joint_name", false);
        json_text(file, link->joint_name);
        json_key(file, "joint", false);
        json_text(file, joints[link->joint]);
        json_key(file, "place", false); // of its joint among the velocities
        fprintf(file, "%d", sti_robot_joint_velocity(body->robot, i));
        number_at(file, "parent", link->parent);
        number_at(file, "mass", link->mass);
        vector_at(file, "axis", link->axis);
        vector_at(file, "centre", link->centre);
        fputc('}', file);
    }
    fputc(']', file);
}

void report_parameter(const StiParameter *parameter, FILE *file)
{
    fputc('[', file);
    json_text(file, parameter->path);
    fputc(',', file);
    json_number(file, parameter->value);
    fputc(',', file);
    json_text(file, parameter->unit);
    fputc(',', file);
    json_text(file, parameter->meaning);
    fputc(']', file);
}

static void planar_at(FILE *file, const char *key, StiVec2 v)
{
    json_key(file, key, false);
    json_numbers(file, (const double[]){v.x, v.y}, 2);
}

static void linkage_pairs(const StiLinkage *linkage, FILE *file)
{
    static const char *const types[STI_PAIR_TYPES] = {
        [STI_PAIR_REVOLUTE] = "revolute", [STI_PAIR_PRISMATIC] = "prismatic",
        [STI_PAIR_FIXED] = "fixed",       [STI_PAIR_SLOT] = "slot",
        [STI_PAIR_DISC] = "disc",         [STI_PAIR_ROLLING] = "rolling",
        [STI_PAIR_ROD] = "rod",           [STI_PAIR_GEAR] = "gear"};
    fputc('[', file);
    for (int i = 0; i < sti_linkage_pairs(linkage); ++i) {
        const StiPlanarPair *pair = sti_linkage_pair(linkage, i);
        fputs(i > 0 ? ",{" : "{", file);
        json_key(file, "name", true);
        json_text(file, pair->name);
        json_key(file, "type", false);
        json_text(file, types[pair->type]);
        number_at(file, "body", pair->body);
        number_at(file, "other", pair->other);
        planar_at(file, "at", pair->at);
        planar_at(file, "at_other", pair->at_other);
        number_at(file, "direction", pair->direction);
        number_at(file, "radius", pair->radius);
        fputc('}', file);
    }
    fputc(']', file);
}

// What the parameters of known kinds say about shape; other bodies are drawn by their links alone.
static void body_shape(const StiComponent *body, const void *parameters, FILE *file)
{
    if (strcmp(body->kind, sti_kind_point_mass.info.name) == 0) {
        const StiPointMass *p = parameters;
        number_at(file, "dim", p->dim);
        number_at(file, "mass", p->mass);
    } else if (strcmp(body->kind, sti_kind_motion_source.info.name) == 0) {
        const StiMotionSource *p = parameters;
        number_at(file, "dim", p->dim);
    } else if (strcmp(body->kind, sti_kind_guided_block.info.name) == 0) {
        const StiGuidedBlock *p = parameters;
        json_key(file, "axis", false);
        json_numbers(file, p->axis, 3);
        json_key(file, "origin", false);
        json_numbers(file, p->origin, 3);
    } else if (strcmp(body->kind, sti_kind_rigid_body.info.name) == 0) {
        const StiRigidBody *p = parameters;
        number_at(file, "mass", p->mass);
        json_key(file, "inertia", false);
        json_numbers(file, p->inertia, 6);
    } else if (strcmp(body->kind, sti_kind_robot.info.name) == 0) {
        json_key(file, "tree", false);
        robot_links(parameters, file);
    } else if (strcmp(body->kind, sti_kind_linkage.info.name) == 0) {
        const StiLinkageBody *p = parameters;
        number_at(file, "dim", 2);
        number_at(file, "drawn", sti_linkage_bodies(p->linkage)); // links beyond are coordinates
        json_key(file, "pairs", false);
        linkage_pairs(p->linkage, file);
    }
}

void report_bodies(const StiNetwork *network, FILE *file)
{
    StiComponent body;
    fputc('[', file);
    for (int i = 0; sti_network_component(network, i, &body) && body.role == STI_BODY; ++i) {
        fprintf(file, "%s{", i > 0 ? "," : "");
        json_key(file, "name", true);
        json_text(file, body.name);
        json_key(file, "kind", false);
        json_text(file, body.kind);
        number_at(file, "links", body.links);
        body_shape(&body, sti_network_parameters(network, i), file);
        fputc('}', file);
    }
    fputc(']', file);
}

static void end_json(const StiEnd *end, FILE *file)
{
    fputc('{', file);
    json_key(file, "body", true);
    fprintf(file, "%d", end->admittance);
    json_key(file, "place", false);
    fprintf(file, "%d", end->place);
    vector_at(file, "p", end->frame.p);
    quaternion_at(file, "q", end->frame.q);
    fputc('}', file);
}

static void wire_json(const StiWire *wire, FILE *file)
{
    json_key(file, "wire", false);
    json_text(file, wire->kind->info.name);
    json_key(file, "links", false);
    fputs(wire->kind->links ? "true" : "false", file);
    number_at(file, "dim", wire->dim);
    json_key(file, "shape", false);
    json_numbers(file, wire->shape, 4);
    json_key(file, "a", false);
    end_json(&wire->a, file);
    json_key(file, "b", false);
    end_json(&wire->b, file);
}

// Contacts act on links, wherever they touch.
static void contact_json(const StiNetwork *network, int number, FILE *file)
{
    StiShapeOn shape = {.body = -1};
    sti_network_contact_shape(network, number, 0, &shape);
    StiEnd a = {.admittance = shape.body, .place = shape.link, .frame.q = STI_QUAT_IDENTITY};
    const StiEnd b = {.admittance = -1, .frame.q = STI_QUAT_IDENTITY};
    fputs(",\"links\":true,\"contact\":true,\"a\":", file);
    end_json(&a, file);
    json_key(file, "b", false);
    end_json(&b, file);
}

bool report_is_friction(const StiNetwork *network, const StiComponent *element)
{
    StiEntry entry;
    if (element->role == STI_BODY || element->wire == NULL) return false;
    if (sti_registry_find(STI_ROLE_FRICTION, element->kind, &entry)) return true;
    char stick[160];
    snprintf(stick, sizeof stick, "%s.stick", element->name);
    return sti_network_channel_find(network, stick) >= 0;
}

void report_elements(const StiNetwork *network, FILE *file)
{
    StiComponent element;
    bool first = true;
    fputc('[', file);
    for (int i = 0; sti_network_component(network, i, &element); ++i) {
        StiWire wire;
        const bool contact = element.role == STI_CONTACT;
        if (element.role == STI_BODY || (!contact && !sti_network_wire(network, i, &wire))) continue;
        fprintf(file, "%s{", first ? "" : ",");
        json_key(file, "name", true);
        json_text(file, element.name);
        json_key(file, "kind", false);
        json_text(file, element.kind);
        json_key(file, "friction", false);
        fputs(report_is_friction(network, &element) ? "true" : "false", file);
        if (contact)
            contact_json(network, i, file);
        else
            wire_json(&wire, file);
        fputc('}', file);
        first = false;
    }
    fputc(']', file);
}
