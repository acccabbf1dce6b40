#include "report/report_drawing.h"

#include <stdlib.h>
#include <string.h>

#include <stiction/vector.h>

#include "report/json.h"
#include "report/report_parts.h"
#include "report/report_shapes.h"
#include "terminal/text.h"

enum { PICTURES = 1000, POSE = 7, FORCE = 7 };

static bool is_contact(const StiNetwork *network, int number)
{
    StiShapeOn shape;
    return sti_network_contact_shape(network, number, 0, &shape);
}

static bool acts_on_links(const StiNetwork *network, int number)
{
    StiWire wire;
    return is_contact(network, number) ||
           (sti_network_wire(network, number, &wire) && wire.kind->links);
}

// The channels of an element that the drawing needs, or -1.
static void find_channels(const Drawing *drawing, PushedChannels *to, int element)
{
    static const char *const names[] = {"stick", "px", "py", "pz", "fx", "fy", "fz"};
    StiComponent component;
    char name[160];
    sti_network_component(drawing->network, element, &component);
    for (int i = 0; i < FORCE; ++i) {
        snprintf(name, sizeof name, "%s.%s", component.name, names[i]);
        to->numbers[i] = sti_network_channel_find(drawing->network, name);
    }
}

static void count_parts(Drawing *drawing)
{
    StiComponent component;
    int most = 0;
    for (int i = 0; sti_network_component(drawing->network, i, &component); ++i) {
        if (component.role == STI_BODY) {
            ++drawing->body_count;
            drawing->link_count += component.links;
            if (component.links > most) most = component.links;
        }
        drawing->pushed_count += acts_on_links(drawing->network, i);
    }
    drawing->links = take((size_t)most + 1, sizeof *drawing->links);
    drawing->pushed = take((size_t)drawing->pushed_count + 1, sizeof *drawing->pushed);
    drawing->channels = take((size_t)drawing->pushed_count + 1, sizeof *drawing->channels);
    for (int i = 0, n = 0; sti_network_component(drawing->network, i, &component); ++i)
        if (acts_on_links(drawing->network, i)) drawing->pushed[n++] = i;
    for (int i = 0; i < drawing->pushed_count; ++i)
        find_channels(drawing, &drawing->channels[i], drawing->pushed[i]);
}

Drawing drawing_create(const StiNetwork *network, int64_t steps)
{
    Drawing drawing = {.network = network, .stride = (steps + PICTURES - 1) / PICTURES};
    if (drawing.stride < 1) drawing.stride = 1;
    count_parts(&drawing);
    drawing.capacity = (int)(steps / drawing.stride) + 2;
    const size_t n = (size_t)drawing.capacity;
    drawing.times = take(n, sizeof *drawing.times);
    drawing.poses = take(n * (size_t)drawing.link_count * POSE + 1, sizeof *drawing.poses);
    drawing.forces = take(n * (size_t)drawing.pushed_count * FORCE + 1, sizeof *drawing.forces);
    return drawing;
}

void drawing_release(Drawing *drawing)
{
    free(drawing->links);
    free(drawing->pushed);
    free(drawing->channels);
    free(drawing->times);
    free(drawing->poses);
    free(drawing->forces);
}

static float *put_frame(float *to, const StiFrame *frame)
{
    const double values[POSE] = {frame->p.x, frame->p.y, frame->p.z, frame->q.w,
                                 frame->q.x, frame->q.y, frame->q.z};
    for (int i = 0; i < POSE; ++i) *to++ = (float)values[i];
    return to;
}

static StiFrame frame_of(const StiRecorder *recorder, Drawing *drawing, const StiEnd *end)
{
    if (end->admittance < 0) return (StiFrame){.q = {1.0, 0.0, 0.0, 0.0}};
    sti_recorder_links(recorder, end->admittance, drawing->links);
    return drawing->links[end->place];
}

// Against a plane the force acts where its line meets the plane; else at the wire's end.
static StiVec3 point_of(const StiWire *wire, const StiFrame *a, const StiFrame *b,
                        const StiWrench *wrench)
{
    const StiVec3 end = sti_vec3_add(a->p, sti_quat_rotate(a->q, wire->a.frame.p));
    const StiVec3 F = wrench->force;
    const double square = sti_vec3_dot(F, F);
    if (strstr(wire->kind->info.name, "plane") == NULL || square == 0.0) return end;
    const StiVec3 arm = sti_vec3_scale(1.0 / square, sti_vec3_cross(F, wrench->moment));
    const StiVec3 line = sti_vec3_add(a->p, arm);
    const StiVec3 plane = sti_vec3_add(b->p, sti_quat_rotate(b->q, wire->b.frame.p));
    const StiVec3 in_b = sti_quat_rotate(wire->b.frame.q, sti_vec3(0.0, 0.0, 1.0));
    const StiVec3 normal = sti_quat_rotate(b->q, in_b);
    const double along = sti_vec3_dot(normal, F);
    if (along * along < 1e-12 * square) return line;
    const double way = sti_vec3_dot(normal, sti_vec3_sub(plane, line)) / along;
    return sti_vec3_add(line, sti_vec3_scale(way, F));
}

static double value_at(const StiRecorder *recorder, int channel, double missing)
{
    return channel >= 0 ? sti_recorder_value(recorder, channel) : missing;
}

// At the centre of pressure, on side a.
static float *put_contact(float *to, const StiRecorder *recorder, const PushedChannels *channels)
{
    for (int i = 1; i < FORCE; ++i) *to++ = (float)value_at(recorder, channels->numbers[i], 0.0);
    return to;
}

static float *put_wire_force(float *to, Drawing *drawing, StiRecorder *recorder, int element)
{
    StiWire wire;
    sti_network_wire(drawing->network, element, &wire);
    const StiWrench wrench = sti_recorder_wrench(recorder, element);
    const StiFrame a = frame_of(recorder, drawing, &wire.a);
    const StiFrame b = frame_of(recorder, drawing, &wire.b);
    const StiVec3 point = point_of(&wire, &a, &b, &wrench), F = wrench.force;
    const double values[] = {point.x, point.y, point.z, F.x, F.y, F.z};
    for (int i = 0; i < FORCE - 1; ++i) *to++ = (float)values[i];
    return to;
}

static float *put_force(float *to, Drawing *drawing, StiRecorder *recorder, int number)
{
    const PushedChannels *channels = &drawing->channels[number];
    to = is_contact(drawing->network, drawing->pushed[number])
             ? put_contact(to, recorder, channels)
             : put_wire_force(to, drawing, recorder, drawing->pushed[number]);
    *to++ = (float)value_at(recorder, channels->numbers[0], -1.0);
    return to;
}

void drawing_row(Drawing *drawing, const Session *session, bool last)
{
    const int64_t k = sti_state_k(session->state);
    if ((k % drawing->stride != 0 && !last) || drawing->count == drawing->capacity) return;
    float *pose = drawing->poses + (size_t)drawing->count * (size_t)drawing->link_count * POSE;
    float *force = drawing->forces + (size_t)drawing->count * (size_t)drawing->pushed_count * FORCE;
    StiComponent body;
    for (int i = 0; i < drawing->body_count; ++i) {
        sti_network_component(drawing->network, i, &body);
        sti_recorder_links(session->recorder, i, drawing->links);
        for (int link = 0; link < body.links; ++link) pose = put_frame(pose, &drawing->links[link]);
    }
    for (int i = 0; i < drawing->pushed_count; ++i)
        force = put_force(force, drawing, session->recorder, i);
    drawing->times[drawing->count++] = session_time(session);
}

void drawing_pictures_json(const Drawing *drawing, FILE *file)
{
    const size_t n = (size_t)drawing->count;
    json_key(file, "times", true);
    json_bytes(file, drawing->times, n * sizeof *drawing->times);
    json_key(file, "poses", false);
    json_bytes(file, drawing->poses, n * (size_t)drawing->link_count * POSE * sizeof(float));
    json_key(file, "forces", false);
    json_bytes(file, drawing->forces, n * (size_t)drawing->pushed_count * FORCE * sizeof(float));
}

void drawing_json(const Drawing *drawing, FILE *file)
{
    fputc('{', file);
    json_key(file, "bodies", true);
    report_bodies(drawing->network, file);
    json_key(file, "elements", false);
    report_elements(drawing->network, file);
    json_key(file, "shapes", false);
    report_shapes(drawing->network, file);
    fputc(',', file);
    drawing_pictures_json(drawing, file);
    fputc('}', file);
}
