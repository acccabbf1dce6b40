// Shapes that overlap at the start. Hard contact has no motion for them: every method puts them apart in the
// first step, which is no physics, so the user has to know.
#include "network/overlaps.h"

#include <math.h>

#include "network/contacts.h"
#include "network/places.h"
#include "network/survey.h"

static const double worth_a_warning = 1e-3; // of the smaller shape; less is taken for rounded input
static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

typedef struct Overlap {
    int count;       // of pairs
    StiPair deepest; // shapes
    double depth;    // m
} Overlap;

// Linkages and bodies with couplings begin elsewhere than their parameters say.
static bool stands_where_given(const StiNetwork *network, const ContactShape *shape)
{
    return shape->admittance < 0 || network->admittances[shape->admittance].kind->constrain == NULL;
}

static const StiFrame *link_of(const StiFrame *frames, const ContactShape *shape)
{
    return shape->frame < 0 ? &world : &frames[shape->frame];
}

static bool balls_meet(const ContactShape *a, const StiFrame *at_a, const ContactShape *b,
                       const StiFrame *at_b)
{
    return !(sti_vec3_norm(sti_vec3_sub(at_a->p, at_b->p)) > a->swing + b->swing);
}

// m, above 0 where the two overlap by more than counts.
static double depth_of(const ContactShape *a, const StiFrame *at_a, const ContactShape *b,
                       const StiFrame *at_b)
{
    StiTouch touches[STI_TOUCHES];
    const double least = worth_a_warning * fmin(a->reach, b->reach);
    if (!(least > 0.0) || !balls_meet(a, at_a, b, at_b)) return 0.0;
    const int count =
        sti_shape_touch(&a->shape, at_a, &b->shape, at_b, -least, STI_TOUCHES, touches);
    double depth = 0.0;
    for (int i = 0; i < count; ++i) depth = fmax(depth, -touches[i].gap);
    return depth;
}

static Overlap find_overlap(const StiNetwork *network, const Contact *contact,
                            const StiFrame *frames)
{
    Overlap found = {0};
    for (StiPair pair = {0, 0}; sti_contact_next_pair(contact, &pair);) {
        const ContactShape *a = &contact->shapes[pair.a], *b = &contact->shapes[pair.b];
        if (!stands_where_given(network, a) || !stands_where_given(network, b)) continue;
        const double depth = depth_of(a, link_of(frames, a), b, link_of(frames, b));
        found.count += depth > 0.0;
        if (!(depth > found.depth)) continue;
        found.depth = depth;
        found.deepest = pair;
    }
    return found;
}

static const char *owner_of(const StiNetwork *network, const ContactShape *shape)
{
    return shape->admittance < 0 ? "the world" : network->admittances[shape->admittance].name;
}

static void warn(const StiNetwork *network, const Contact *contact, const Overlap *found,
                 StiReport *report)
{
    const char *a = owner_of(network, &contact->shapes[found->deepest.a]),
               *b = owner_of(network, &contact->shapes[found->deepest.b]);
    if (found->count == 1)
        sti_report_add(report, STI_WARNING, contact->name, "", NAN,
                       "%s and %s overlap by %.3g m at the start: they are put apart in the first "
                       "step, whatever energy that makes",
                       a, b, found->depth);
    else
        sti_report_add(report, STI_WARNING, contact->name, "", NAN,
                       "%d pairs of shapes overlap at the start, %s and %s by %.3g m: they are put "
                       "apart in the first step, whatever energy that makes",
                       found->count, a, b, found->depth);
}

StiStatus sti_network_check_overlaps(const StiNetwork *network, StiReport *report)
{
    Survey survey;
    if (network->contact_count == 0) return STI_OK;
    const StiStatus status = sti_survey_open(network, report, &survey);
    for (int i = 0; status == STI_OK && i < network->contact_count; ++i) {
        const Overlap found = find_overlap(network, &network->contacts[i], survey.now.frames);
        if (found.count > 0) warn(network, &network->contacts[i], &found, report);
    }
    sti_survey_close(&survey);
    return status;
}
