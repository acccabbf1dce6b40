#include "terminal/summary.h"

#include <math.h>
#include <stdio.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

void summary_title(const StiScene *scene, const char *variant)
{
    printf("%s%s%s", terminal_ink(stdout, INK_BOLD), scene->title, terminal_ink(stdout, INK_PLAIN));
    if (variant != NULL) printf(" (%s)", variant);
    putchar('\n');
}

static void print_steps(const Session *session)
{
    const StiScene *scene = session->scene;
    const double per_step = session->seconds / (double)(scene->steps > 0 ? scene->steps : 1);
    const char *what = scene->adaptive != NULL ? "row" : "step";
    printf("  %lld %ss of %g s, t = %g to %g s, in %.3g s (%.3g us per %s)\n",
           (long long)scene->steps, what, sti_network_step(scene->network), scene->start,
           scene->stop, session->seconds, 1e6 * per_step, what);
}

const char *summary_method_name(const StiScene *scene)
{
    const StiMethod *method = sti_network_method(scene->network);
    const bool once = sti_network_has_reactions(scene->network) && !method->cuts;
    return once ? sti_method_rule.name : method->name;
}

void summary_method(const StiScene *scene)
{
    if (scene->why_method == NULL) return;
    const bool cuts = sti_network_method(scene->network)->cuts;
    char text[500];
    snprintf(text, sizeof text, "method %s, as the scene names none%s: %s",
             summary_method_name(scene), cuts ? "" : "; not cut", scene->why_method);
    printf("  ");
    text_wrap(stdout, 4, text);
}

static void print_adaptive(const Session *session)
{
    if (session->adaptive == NULL) return;
    const StiAdaptiveFigures figures = sti_adaptive_figures(session->adaptive);
    printf("  %s: %ld steps, %ld failed attempts, %ld evaluations",
           session->scene->adaptive->method, figures.steps, figures.failures, figures.evaluations);
    if (figures.jacobians > 0) printf(", %ld Jacobians", figures.jacobians);
    printf(", %ld restart%s, %ld event%s\n", figures.restarts, figures.restarts == 1 ? "" : "s",
           figures.events, figures.events == 1 ? "" : "s");
}

static bool has_contacts(const StiNetwork *network)
{
    StiComponent component;
    for (int i = 0; sti_network_component(network, i, &component); ++i)
        if (component.role == STI_CONTACT) return true;
    return false;
}

static void print_pieces(const Session *session)
{
    const StiMethod *method = sti_network_method(session->scene->network);
    if (!method->cuts) return;
    const bool contacts = has_contacts(session->scene->network);
    printf("  %s: %lld piece%s, %lld %s%s%s located", method->name, (long long)session->pieces,
           session->pieces == 1 ? "" : "s", (long long)session->events,
           contacts ? "event" : "change", session->events == 1 ? "" : "s",
           contacts ? "" : " of stick and slip");
    if (session->fallbacks > 0)
        printf(", %lld step%s %s", (long long)session->fallbacks,
               session->fallbacks == 1 ? "" : "s",
               contacts ? "that could not be cut, taken by the solver"
                        : "with more than could be followed");
    if (session->together > 0)
        printf(", %lld piece%s with many taken together", (long long)session->together,
               session->together == 1 ? "" : "s");
    putchar('\n');
}

// Fixed points on the loads that needed help are worth a look: friction is near the edge of what it can be.
static void print_newton(const Session *session)
{
    if (session->newton == 0) return;
    printf("  in %lld step%s loads were found by Newton's method\n", (long long)session->newton,
           session->newton == 1 ? "" : "s");
}

static void print_unended(const Session *session)
{
    if (session->unended == 0) return;
    printf(
        "  in %lld step%s impacts one after the other came to no end, and the rest of them stopped "
        "without restitution\n",
        (long long)session->unended, session->unended == 1 ? "" : "s");
}

static void print_unsolved(const Session *session)
{
    if (session->unsolved == 0) return;
    printf("  in %lld step%s contacts had no answer with friction and were resolved without (the "
           "first at %s)\n",
           (long long)session->unsolved, session->unsolved == 1 ? "" : "s", session->unsolved_at);
}

static void print_soft(const Session *session)
{
    if (session->soft == 0) return;
    printf("  in %lld step%s contacts that should hold crept, by at most %.1g of the speed they "
           "stop\n",
           (long long)session->soft, session->soft == 1 ? "" : "s", session->creep);
}

void summary_sticking(char *text, size_t size, const Sticking *sticking)
{
    const int length = snprintf(text, size, "%lld change%s, ", (long long)sticking->changes,
                                sticking->changes == 1 ? "" : "s");
    if (length < 0 || (size_t)length >= size) return;
    char *rest = text + length;
    size -= (size_t)length;
    if (sticking->now == 1.0)
        snprintf(rest, size, "stuck at the end");
    else if (sticking->now == 0.0)
        snprintf(rest, size, "slipping at the end");
    else
        snprintf(rest, size, "%.0f %% stuck at the end", 100.0 * sticking->now);
}

static void print_sticking(const Session *session)
{
    if (session->sticking_count == 0) return;
    // What changes twice between two rows shows only among those located.
    printf("\n  stick and slip, from row to row\n");
    for (int i = 0; i < session->sticking_count; ++i) {
        const Sticking *sticking = &session->sticking[i];
        char text[80];
        summary_sticking(text, sizeof text, sticking);
        printf("    %-24.*s %s\n", sticking->name_length, sticking->channel, text);
    }
}

static void print_energy(const StiEnergy *energy)
{
    printf("\n  energy, J\n");
    printf("    work of inputs        %14.7g\n", energy->work);
    printf("    stored at the start   %14.7g\n", energy->stored_start);
    printf("    stored at the end     %14.7g\n", energy->stored);
    printf("    dissipated            %14.7g\n", energy->dissipated);
    printf("    numerical             %14.3g  %s by the method\n", energy->numerical,
           energy->numerical < 0.0 ? "lost" : "gained");
    printf("    residual              %14.3g  of this account\n", energy->residual);
}

// Nothing gives energy by being dissipated: then forces change faster than the step resolves, and sums over its
// stages say little of their work.
static void print_unresolved(const StiEnergy *energy)
{
    static const double much = 0.01;
    const double size = fabs(energy->work) + fabs(energy->stored_start) + fabs(energy->stored);
    if (!(energy->dissipated < -much * size)) return;
    printf("  warning: dissipation is below zero: something swings faster than steps of this length "
           "resolve,\n    and what the method damps is not counted right; take a smaller step\n");
}

static void print_suspect(const Session *session)
{
    const StiFault *suspect = sti_recorder_suspect(session->recorder);
    if (suspect == NULL) return;
    printf("  warning: from t = %.9g s on more than half of all that moves, most of it in %s, was "
           "made "
           "by the method: take a smaller step or another method\n",
           suspect->t, suspect->component);
}

void summary_print(const Session *session)
{
    const StiEnergy energy = sti_recorder_energy(session->recorder);
    print_steps(session);
    summary_method(session->scene);
    print_adaptive(session);
    print_newton(session);
    print_unsolved(session);
    print_soft(session);
    print_unended(session);
    print_pieces(session);
    print_sticking(session);
    print_energy(&energy);
    print_suspect(session);
    print_unresolved(&energy);
}
