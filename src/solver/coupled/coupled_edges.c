// Where edges or corners meet, shapes are apart as long as one of several faces separates them: a box
// that slides from one box onto its neighbour does not strike the neighbour's side. Such points are left
// aside; those that would penetrate along all their ways at the end of the step are then asked to hold.
#include <math.h>

#include "solver/coupled/coupled.h"

enum { ROUNDS = 8 };
static const double lower_than_edges = 1e-3; // of the rounding of edges: penetration that is none

// Of a link at the end of the step under the forces of the response.
static StiTwist end_twist(const StiNetwork *network, const StiScratch *scratch, int body, int frame)
{
    const Response *response = &scratch->reactions->response;
    const StiFrame *free = &scratch->end.frames[frame];
    StiTwist twist = {free->w, free->v};
    if (!coupled_data(scratch)->set->responds[body]) return twist;
    const StiTwist dv = sti_link_twist(network, response, body, &response->wrenches[frame]);
    twist.w = sti_vec3_add_scaled(twist.w, network->step, dv.w);
    twist.v = sti_vec3_add_scaled(twist.v, network->step, dv.v);
    return twist;
}

// Of side a relative to side b, where the point is.
static StiVec3 end_velocity(const StiNetwork *network, const StiScratch *scratch,
                            const ContactPoint *point)
{
    StiVec3 v = {0.0, 0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0) continue;
        const StiTwist twist =
            end_twist(network, scratch, point->admittance[side], point->frame[side]);
        const StiVec3 at = sti_vec3_add(twist.v, sti_vec3_cross(twist.w, point->arm[side]));
        v = sti_vec3_add_scaled(v, side == 0 ? 1.0 : -1.0, at);
    }
    return v;
}

static bool penetrates(const StiNetwork *network, const StiScratch *scratch,
                       const ContactPoint *point)
{
    const ContactPose *poses =
        scratch->contacts->poses + network->contacts[point->contact].shape;
    const double edge = sti_gap_edge(&poses[point->shape[0]].placed, &poses[point->shape[1]].placed);
    const StiVec3 v = end_velocity(network, scratch, point);
    for (int i = 0; i < point->way_count; ++i) {
        const double end = point->ways[i].gap + network->step * sti_vec3_dot(v, point->ways[i].normal);
        if (end >= -lower_than_edges * edge) return false;
    }
    return true;
}

// Only of bodies that answer to a wrench at once.
static bool may_be_aside(const StiNetwork *network, const RowSet *set, const ContactPoint *point)
{
    for (int side = 0; side < 2; ++side) {
        const int body = point->admittance[side];
        if (point->frame[side] < 0 || body < 0) continue;
        if (network->admittances[body].robot != NULL || network->admittances[body].size.links != 1)
            return false;
        if (set->responds[body] && network->admittances[body].kind->link_response == NULL)
            return false;
    }
    return true;
}

void sti_coupled_set_aside(const StiNetwork *network, StiScratch *scratch)
{
    ContactData *contacts = scratch->contacts;
    contacts->aside_count = 0;
    for (int i = 0; i < contacts->point_count; ++i) {
        ContactPoint *point = &contacts->points[i];
        point->aside = point->aside && may_be_aside(network, coupled_data(scratch)->set, point);
        contacts->aside_count += point->aside;
    }
}

bool sti_coupled_admit(const StiNetwork *network, StiScratch *scratch, int round)
{
    ContactData *contacts = scratch->contacts;
    int admitted = 0;
    if (contacts->aside_count == 0) return false;
    sti_rows_respond(network, coupled_data(scratch)->set, &scratch->reactions->response);
    for (int i = 0; i < contacts->point_count; ++i) {
        ContactPoint *point = &contacts->points[i];
        if (!point->aside || !penetrates(network, scratch, point)) continue;
        ++admitted;
        point->aside = false;
    }
    for (int i = 0; admitted > 0 && round >= ROUNDS && i < contacts->point_count; ++i)
        contacts->points[i].aside = false;
    contacts->aside_count -= admitted;
    return admitted > 0;
}
