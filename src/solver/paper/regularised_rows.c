// Rows of points and friction: J, the inertia A = J H^-1 J^T h that they feel, c and d. (16), (18), (29)
//
// H^-1 J^T is one pass of articulated bodies per row, J one walk to the root: O(n m) for A.
#include <math.h>
#include <string.h>

#include "robot/recursion.h"
#include "solver/paper/regularised.h"
#include "algebra/slices.h"

static const RowEnd nothing = {.admittance = -1};

static bool moves(const StiNetwork *network, int admittance)
{
    return admittance >= 0 && network->admittances[admittance].size.velocities > 0;
}

// Memory for the numbers of one end of a row.
static RowEnd take_end(const RegularData *data, int row, int end, int admittance)
{
    const size_t at = ((size_t)row * 2 + (size_t)end) * (size_t)data->width;
    return (RowEnd){admittance, data->J + at, data->response + at};
}

static void robot_row(const StiRobot *robot, const double *prepared, int link, StiWrench wrench,
                      double *J)
{
    const LinkSpot *spots = (const void *)prepared;
    const JointAxis *axes = (const void *)(spots + robot->count);
    memset(J, 0, (size_t)robot->velocities * sizeof *J);
    for (int i = robot->sorted[link]; i >= 0; i = robot->links[i].order.parent) {
        const RobotLink *own = &robot->links[i];
        for (int k = own->v; k < own->v + own->velocities; ++k)
            J[k] = sti_robot_along(k >= own->v + own->slides, axes[k].s, wrench);
        wrench = sti_wrench_shift(wrench, spots[i].d);
    }
}

// Of any body: the link's motion at a speed of 1, one velocity after the other.
static void body_rows(const StiNetwork *network, StiScratch *scratch, int admittance, int frame,
                      const StiWrench wrenches[3], RegularRow *rows, int end)
{
    const RegularData *data = regular_data(scratch);
    const StageData *now = &scratch->stages[0];
    const Admittance *a = &network->admittances[admittance];
    memset(data->unit, 0, (size_t)a->size.velocities * sizeof *data->unit);
    for (int k = 0; k < a->size.velocities; ++k) {
        data->unit[k] = 1.0;
        a->kind->pose(a->parameters, now->x + a->q, data->unit, now->ports + a->port,
                      data->frames + a->link);
        data->unit[k] = 0.0;
        const StiTwist twist = {data->frames[frame].w, data->frames[frame].v};
        for (int d = 0; d < 3; ++d) rows[d].ends[end].J[k] = sti_wrench_power(wrenches[d], twist);
    }
}

static void point_end(const StiNetwork *network, StiScratch *scratch, const ContactPoint *point,
                      int row, int end)
{
    RegularData *data = regular_data(scratch);
    RegularRow *rows = &data->rows[row];
    const int admittance = point->admittance[end], frame = point->frame[end];
    const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
    StiWrench wrenches[3];
    for (int d = 0; d < 3; ++d) {
        const StiVec3 force = sti_vec3_scale(end == 0 ? 1.0 : -1.0, directions[d]);
        wrenches[d] = (StiWrench){force, sti_vec3_cross(point->arm[end], force)};
        rows[d].ends[end] =
            moves(network, admittance) ? take_end(data, row + d, end, admittance) : nothing;
        if (admittance < 0 || moves(network, admittance)) continue;
        const StiFrame *source = &scratch->stages[0].frames[frame];
        rows[d].carried += sti_wrench_power(wrenches[d], (StiTwist){source->w, source->v});
    }
    if (!moves(network, admittance)) return;
    const Admittance *a = &network->admittances[admittance];
    if (a->robot == NULL) {
        body_rows(network, scratch, admittance, frame, wrenches, rows, end);
        return;
    }
    const double *prepared = scratch->reactions->response.prepared + a->prepared;
    for (int d = 0; d < 3; ++d)
        robot_row(a->robot, prepared, frame - a->link, wrenches[d], rows[d].ends[end].J);
}

static RegularNode *add_node(RegularData *data, bool point, int index, int dim)
{
    RegularNode *node = &data->nodes[data->node_count++];
    *node = (RegularNode){.point = point, .index = index, .row = data->row_count, .dim = dim};
    for (int d = 0; d < dim; ++d) data->rows[data->row_count + d].carried = 0.0;
    data->row_count += dim;
    return node;
}

static void add_point(const StiNetwork *network, StiScratch *scratch, int index)
{
    RegularData *data = regular_data(scratch);
    const ContactPoint *point = &scratch->contacts->points[index];
    const StiMaterialPair rub = sti_contact_rub(&network->contacts[point->contact], point->shape);
    RegularNode *node = add_node(data, true, index, 3);
    node->mode = MODE_STICK;
    node->slide = rub.mu;
    node->limit = fmax(rub.mu, rub.mu_static);
    point_end(network, scratch, point, node->row, 0);
    point_end(network, scratch, point, node->row, 1);
    for (int i = 0; i < 2; ++i)
        data->d[node->row + i] = sti_vec3_dot(point->slipped, point->tangent[i]);
    data->d[node->row + 2] = point->touch.gap;
}

static RowEnd coordinate_end(const StiNetwork *network, const StiScratch *scratch, int row, int end,
                             const StiEnd *of_wire, int d)
{
    RegularData *data = regular_data(scratch);
    if (of_wire->admittance < 0) return nothing;
    const Admittance *a = &network->admittances[of_wire->admittance];
    const double gain = end == 0 ? 1.0 : -1.0;
    if (!moves(network, of_wire->admittance)) {
        const double *v = scratch->stages[0].ports + a->port + a->dim;
        data->rows[row].carried += gain * v[of_wire->place + d];
        return nothing;
    }
    const RowEnd to = take_end(data, row, end, of_wire->admittance);
    memset(to.J, 0, (size_t)a->size.velocities * sizeof *to.J);
    to.J[of_wire->place + d] = gain;
    return to;
}

static void add_friction(const StiNetwork *network, StiScratch *scratch, int index)
{
    RegularData *data = regular_data(scratch);
    const Reaction *e = &network->reactions[index];
    const StageData *now = &scratch->stages[0];
    const FrictionMemory *memory = sti_friction_memory(network, index, scratch->reactions->s);
    RegularNode *node = add_node(data, false, index, e->size.dim);
    node->mode = MODE_STICK;
    for (int d = 0; d < e->size.dim; ++d) {
        const int row = node->row + d;
        data->rows[row].ends[0] = coordinate_end(network, scratch, row, 0, &e->wire.wire.a, d);
        data->rows[row].ends[1] = coordinate_end(network, scratch, row, 1, &e->wire.wire.b, d);
        data->d[row] =
            memory->known == 1.0 ? now->position[e->wire.x + d] - memory->anchor[d] : 0.0;
    }
}

void sti_regular_rows(const StiNetwork *network, StiScratch *scratch, bool friction)
{
    RegularData *data = regular_data(scratch);
    data->node_count = data->row_count = 0;
    for (int i = 0; i < scratch->contacts->point_count; ++i) add_point(network, scratch, i);
    for (int i = 0; friction && i < network->reaction_count; ++i) add_friction(network, scratch, i);
}

// ---- A and c ------------------------------------------------------------------------------------

double sti_regular_velocity(const StiNetwork *network, const RegularRow *row, const double *x)
{
    double sum = row->carried;
    for (int i = 0; i < 2; ++i) {
        const RowEnd *end = &row->ends[i];
        if (end->admittance < 0) continue;
        const Admittance *a = &network->admittances[end->admittance];
        sum += sti_dot(a->size.velocities, end->J, x + a->v);
    }
    return sum;
}

static void respond(const StiNetwork *network, StiScratch *scratch, const RowEnd *end)
{
    const Admittance *a = &network->admittances[end->admittance];
    const Response *response = &scratch->reactions->response;
    const double *prepared = response->prepared + a->prepared;
    if (a->robot != NULL) {
        sti_robot_respond(a->robot, prepared, end->J, NULL, end->response);
        return;
    }
    memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof *response->wrenches);
    const StiForce force = {end->J, response->wrenches + a->link};
    a->kind->respond(a->parameters, prepared, scratch->stages[0].x + a->q, &force, end->response);
}

static double felt(const StiNetwork *network, const RegularRow *row, const RegularRow *pushed)
{
    double sum = 0.0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const int body = row->ends[i].admittance;
            if (body >= 0 && body == pushed->ends[j].admittance)
                sum += sti_dot(network->admittances[body].size.velocities, row->ends[i].J,
                               pushed->ends[j].response);
        }
    return sum;
}

static void fill_A(const StiNetwork *network, StiScratch *scratch)
{
    const RegularData *data = regular_data(scratch);
    const int rows = data->row_count;
    for (int i = 0; i < rows; ++i)
        for (int end = 0; end < 2; ++end)
            if (data->rows[i].ends[end].admittance >= 0)
                respond(network, scratch, &data->rows[i].ends[end]);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= i; ++j)
            data->A[i * rows + j] = data->A[j * rows + i] =
                network->step * felt(network, &data->rows[i], &data->rows[j]);
}

// Takes the rows of open points out; the order of the others stays.
static void drop_open(RegularData *data)
{
    int nodes = 0, rows = 0;
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode node = data->nodes[i];
        if (node.mode == MODE_OPEN) continue;
        for (int d = 0; d < node.dim; ++d) {
            data->rows[rows + d] = data->rows[node.row + d];
            data->c[rows + d] = data->c[node.row + d];
            data->d[rows + d] = data->d[node.row + d];
            data->start[rows + d] = data->start[node.row + d];
        }
        node.row = rows;
        rows += node.dim;
        data->nodes[nodes++] = node;
    }
    data->node_count = nodes;
    data->row_count = rows;
}

// A point acts where it touches, or would before the step ends (the papers: only where it touches).
// Displacements become velocities: what is closed is to be taken back at the rate k, what is open
// may close within the step.
static void choose_points(const StiNetwork *network, RegularData *data, double k)
{
    for (int i = 0; i < data->node_count; ++i) {
        RegularNode *node = &data->nodes[i];
        double *d = data->d + node->row;
        const double gap = node->point ? d[2] : 0.0;
        for (int j = 0; j < node->dim; ++j) d[j] *= k;
        if (!(gap > 0.0)) continue;
        d[2] = gap / network->step;
        if (network->solver_constants.literal || data->c[node->row + 2] + d[2] >= 0.0)
            node->mode = MODE_OPEN;
    }
}

void sti_regular_inertia(const StiNetwork *network, StiScratch *scratch, double k)
{
    RegularData *data = regular_data(scratch);
    const StageData *now = &scratch->stages[0];
    double *free = scratch->end.x; // velocities at the end without the rows' forces
    memcpy(free, now->x, (size_t)network->x_count * sizeof *free);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            free[a->v + d] += network->step * now->xdot[a->v + d];
    }
    for (int i = 0; i < data->row_count; ++i) {
        data->start[i] = sti_regular_velocity(network, &data->rows[i], now->x);
        data->c[i] = sti_regular_velocity(network, &data->rows[i], free);
    }
    choose_points(network, data, k);
    drop_open(data);
    fill_A(network, scratch);
}
