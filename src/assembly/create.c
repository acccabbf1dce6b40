// Where the numbers of an assembly's members stand, and how its channels are called.
#include <stdio.h>
#include <string.h>

#include "assembly/assembly.h"
#include "algebra/slices.h"
#include "stiction/robot.h"

static int reserve(int *total, int count)
{
    const int first = *total;
    *total += count;
    return first;
}

static void lay_out_member(Assembly *a, Member *b)
{
    b->size = b->kind->size(b->parameters);
    b->robot = b->kind->robot != NULL ? b->kind->robot(b->parameters) : NULL;
    b->q = reserve(&a->positions, b->size.positions);
    b->v = reserve(&a->velocities, b->size.velocities);
    b->link = reserve(&a->links, b->size.links);
    b->load = reserve(&a->loads, b->size.loads);
    b->signal = reserve(&a->signals, b->size.signals);
    b->prepared = reserve(&a->prepared, b->size.prepared);
    const int biased = b->robot != NULL ? sti_robot_workspace(b->robot) : 0;
    const int needed = b->size.workspace > biased ? b->size.workspace : biased;
    if (needed > a->workspace) a->workspace = needed;
    if (b->size.supplied > 0) a->supplied = 1;
}

// Numbers of its members become numbers among those of all.
static void lay_out_equation(Assembly *a, Equation *e)
{
    MemberTerm *terms = (MemberTerm *)(size_t)e->terms;
    for (int i = 0; i < e->term_count; ++i) {
        terms[i].position += a->members[terms[i].member].q;
        terms[i].velocity += a->members[terms[i].member].v;
    }
    MemberEnd *ends[2] = {&e->a, &e->b};
    for (int i = 0; e->loop && i < 2; ++i) {
        ends[i]->frame.q = sti_quat_attitude(ends[i]->frame.q);
        if (ends[i]->member < 0) continue;
        ends[i]->link += a->members[ends[i]->member].link;
        a->members[ends[i]->member].looped = true;
    }
    e->rows = e->loop ? sti_loop_rows(e->type) : 1;
    e->row = reserve(&a->row_count, e->rows);
    e->load = reserve(&a->loads, e->rows + 1);
    if (e->signal >= 0) {
        e->signal = reserve(&a->signals, 3);
        a->supplied = 1;
    }
    a->looped = a->looped || e->loop;
}

// "arm.shoulder.q": the name that the channel of a member would have without the assembly.
static const char *whole_name(Assembly *a, const Member *b, const char *name)
{
    char whole[192];
    const bool dotted = name[0] == '.', own = b->kind->whole_names && !dotted;
    snprintf(whole, sizeof whole, "%s%s%s", own ? "" : b->name,
             own || dotted || name[0] == '\0' ? "" : ".", name);
    return sti_arena_text(&a->arena, whole);
}

static void name_member(Assembly *a, const Member *b, int *channel)
{
    const StiChannelInfo *names = NULL;
    const int count = b->kind->channels != NULL ? b->kind->channels(b->parameters, &names) : 0;
    for (int i = 0; i < count; ++i)
        a->channels[(*channel)++] =
            (StiChannelInfo){whole_name(a, b, names[i].name), names[i].unit};
    const StiChannelInfo *loads =
        b->kind->load_channels != NULL ? b->kind->load_channels(b->parameters) : NULL;
    for (int i = 0; i < b->size.loads; ++i) {
        char name[32];
        snprintf(name, sizeof name, b->size.loads == 1 ? "load" : "load%d", i);
        a->load_channels[b->load + i] = (StiChannelInfo){
            whole_name(a, b, loads != NULL ? loads[i].name : name), loads != NULL ? loads[i].unit : "N"};
    }
}

static bool is_angular(const Assembly *a, const MemberTerm *term)
{
    const Member *b = &a->members[term->member];
    return b->kind->is_angular != NULL &&
           b->kind->is_angular(b->parameters, term->velocity - b->v);
}

// A coupling's "force", a loop's "force0", ...; and the "load", the size of the force.
static void name_equation(Assembly *a, const Equation *e)
{
    const int forces = e->loop ? sti_loop_force_rows(e->type) : 1;
    for (int i = 0; i < e->rows + 1; ++i) {
        char name[160];
        if (i == e->rows)
            snprintf(name, sizeof name, "%s.load", e->name);
        else if (e->rows == 1)
            snprintf(name, sizeof name, "%s.force", e->name);
        else
            snprintf(name, sizeof name, i < forces ? "%s.force%d" : "%s.moment%d", e->name,
                     i < forces ? i : i - forces);
        const bool turns = e->loop ? i >= forces && i < e->rows : is_angular(a, &e->terms[0]);
        a->load_channels[e->load + i] =
            (StiChannelInfo){sti_arena_text(&a->arena, name), turns ? "N m" : "N"};
    }
}

bool sti_assembly_lay_out(Assembly *a)
{
    int channel = 0;
    for (int i = 0; i < a->member_count; ++i) {
        const StiChannelInfo *names;
        Member *b = &a->members[i];
        lay_out_member(a, b);
        if (b->kind->channels != NULL)
            a->channel_count += b->kind->channels(b->parameters, &names);
    }
    for (int i = 0; i < a->equation_count; ++i) lay_out_equation(a, &a->equations[i]);
    a->rank = a->row_count; // until it is known
    if (a->supplied > 0) a->supplied = ++a->loads;
    a->channels = sti_arena_take(&a->arena, (size_t)a->channel_count + 1, sizeof *a->channels);
    a->load_channels = sti_arena_take(&a->arena, (size_t)a->loads + 1, sizeof *a->load_channels);
    a->q = sti_arena_numbers(&a->arena, a->positions);
    a->v = sti_arena_numbers(&a->arena, a->velocities);
    if (a->arena.failed) return false;
    for (int i = 0; i < a->member_count; ++i) name_member(a, &a->members[i], &channel);
    for (int i = 0; i < a->equation_count; ++i) name_equation(a, &a->equations[i]);
    if (a->supplied > 0) {
        char name[160];
        snprintf(name, sizeof name, "%s.supplied", a->members[0].name);
        a->load_channels[a->supplied - 1] = (StiChannelInfo){sti_arena_text(&a->arena, name), "W"};
    }
    return !a->arena.failed;
}

void sti_assembly_release(Assembly *a)
{
    if (a == NULL || --a->owners > 0) return;
    StiArena arena = a->arena; // which holds the assembly itself
    sti_arena_release(&arena);
}
