// What explain says about subjects that are no single model, law or method.
#include <stddef.h>
#include <string.h>

#include "command/topics.h"

static const Topic topics[] = {
    {.kind = "paradox",
     .summary = "friction and load that feed each other",
     .name = "painleve",
     .explanation =
         {.equations = "F = mu N against the motion, N = N0 + k F: friction loads its own joint\n"
                       "mu k < 1:  one solution, and repeating the two lines finds it\n"
                       "mu k > 1:  two solutions, or none, by the direction of the motion\n",
          .source = "[dahl] (1)-(7), P. Painleve 1895. A rod that is pushed and rubs at both ends, "
                    "a disc "
                    "that slides with its weight ahead, chalk that hops on a board.",
          .use =
              "Read the fault: 'more than one solution' and 'no solution' are properties of rigid "
              "bodies with dry friction, not of the program; 'did not settle' says that neither is "
              "known: friction with elasticity that slides at mu N, or more than 12 joints that "
              "rub. "
              "The joint is named. A smaller mu, another angle, or friction whose force is its "
              "memory alone (dahl, lugre without damping) makes the motion unique. 'painleve: "
              "go-on' in a scene goes on: "
              "without a solution the joint stops at once, as an impact would do it.",
          .drift = NULL}},
    {.kind = "subject",
     .summary = "which integrator a scene gets, and which to name",
     .name = "methods",
     .explanation =
         {.equations =
              "none named   cut, where all elements can run under it; else rule or rk4\n"
              "             (check and run say which, and why)\n"
              "cut          order 4 in stick, in slip and across; steps are cut there\n"
              "             with contacts at impacts and openings, too (docs/methods.md 12)\n"
              "rule         one evaluation per step, order 1: fast; karnopp, quinn, boxes\n"
              "             on boxes\n"
              "rk4          bristles without modes (dahl, lugre, gms, ...), order 1 in\n"
              "             stick; stiff ones stay stable, each stage looks tau ahead\n"
              "ark4, ark3, rk4-split   the pieces of cut by name\n"
              "euler, symplectic-euler, heun, gill   the papers' schemes, to compare\n"
              "{adaptive: NAME}        error control: stiction explain adaptive\n",
          .source = "docs/methods.md: what each is good for, orders and costs measured.",
          .use =
              "Leave method out, unless time per step is short (rule), a paper's scheme is wanted "
              "(rk4, euler), or the error must be known (adaptive). stiction converge SCENE "
              "compares steps and methods with a reference.",
          .drift = "No: what is stuck stays where it is under all of them."}},
    {.kind = "subject",
     .summary = "error control in place of a step size",
     .name = "adaptive",
     .explanation =
         {.equations = "method: {adaptive: NAME, rtol: 1e-8, atol: 1e-10, longest_step: 0.1}\n"
                       "step is then the distance of rows only\n"
                       "\n"
                       "dormand-prince   5(4), the usual choice\n"
                       "bdf              stiff bristles and soft contacts: steps grow at rest\n"
                       "adams            smooth motion, costly forces\n"
                       "fehlberg 8(7), verner 6(5)   tight tolerances, references\n"
                       "bogacki-shampine 3(2), ode23 rough tolerances; [dahl]\n"
                       "\n"
                       "error of each step < rtol |value| + atol, for positions, velocities,\n"
                       "memories and what stuck friction carries\n",
          .source = "SUNDIALS (ARKODE, CVODE), and [dahl] section 7; docs/scene-format.md.",
          .use =
              "A solution whose error is controlled. Stick and slip are events, found to rounding; "
              "jumps and kinks of inputs (breaks) and samples of controllers begin a new start. "
              "Errors add up over a run: expect 10 to 100 times rtol at the end. Refused where "
              "there is no continuous-time form: karnopp, quinn, some contacts (explain events).",
          .drift = "No: what is stuck has velocity zero by assignment."}},
    {.kind = "subject",
     .summary = "stick, slip and contact, located in continuous time",
     .name = "events",
     .explanation =
         {.equations =
              "stick:    |force| <= F_S (a contact: mu_s f_n), the rows do not move\n"
              "slip:     F along v/|v|; one axis: the sign is kept; from rest in a plane:\n"
              "          along the force, until |v| has a direction of its own\n"
              "closed:   f_n >= 0, the gap does not change;   open: gap > 0\n"
              "impact:   v_n+ >= -e v_n-, impulse in the cone of mu, all that touches;\n"
              "          restitution_model: sequential: the fastest first, then the next\n",
          .source =
              "Filippov 1960, [dahl] (11)-(15), (25)(26); EQUATIONS 2.10 for the direction in a "
              "plane; Newton's restitution.",
          .use =
              "In a scene: method: {adaptive: dormand-prince, rtol: 1e-8, atol: 1e-10}. Between "
              "two events all modes are fixed and the motion is smooth; where a margin runs out "
              "the moment is located to rounding, the accelerations there say what sticks, slips, "
              "opens or closes, and integration begins anew. 'when:' expectations look at events; "
              "the summary counts them. A bounce lower than 1e-12 m, or shorter than 1e-7 of the "
              "run, is the last one. Refused, with the reason: karnopp, quinn and elements that "
              "need a step; contacts other than of points and spheres with any shape and of "
              "capsules, boxes and hulls with a plane. Slow slip in a plane is "
              "stiff: adams or bdf. docs/methods.md, section 11.",
          .drift = "No: what is stuck has velocity zero by assignment."}},
};

// Every paper that a text may name by its key.
const Paper papers[] = {
    {"fixed-step",
     "Kikuuwe et al. 2006: Fixed-step friction simulation: from classical Coulomb model "
     "to modern continuous models"},
    {"regularization", "its Japanese companion: regularization of discontinuous friction models"},
    {"modular", "Kikuuwe 2007: a modular architecture for systems with Coulomb friction under "
                "Runge-Kutta"},
    {"dahl",
     "Pennestri, Valentini, Vita 2007: Multibody dynamics simulation of planar linkages with "
     "Dahl friction"},
    {"semi-implicit",
     "Wakisaka 2013: joint friction and contact of robots by a semi-implicit method"},
    {NULL, NULL},
};

const Topic *topic_at(int number)
{
    const int count = sizeof topics / sizeof topics[0];
    return number >= 0 && number < count ? &topics[number] : NULL;
}

const Topic *topic_find(const char *name)
{
    for (int i = 0; topic_at(i) != NULL; ++i)
        if (strcmp(topics[i].name, name) == 0) return &topics[i];
    return NULL;
}
