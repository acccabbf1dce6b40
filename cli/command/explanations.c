// Notation: v is the velocity of side a against side b, f the resistance along it, F the level of
// friction (of the law, N), T the step, M the mass behind the element, tau the step that a stage is
// carried over, gsat(F, a) = a where |a| <= F, else F a/|a|.
#include "command/explanations.h"

#include <stddef.h>
#include <string.h>

static const Explanation models[] = {
    {.name = "coulomb",
     .equations = "f = F v/|v|    while it slips\n"
                  "|f| <= F       while it sticks: whatever keeps v = 0\n",
     .source =
         "[fixed-step] (1)-(3). Resolved at each step by the finite-time rule: see finite-time.",
     .use =
         "When you mean dry friction and not a particular way to compute it. A static level or a "
         "law of the speed may be added.",
     .drift = "No: what is stuck has velocity zero, exactly."},
    {.name = "finite-time",
     .equations = "vbar = v + T h/M          velocity at the step's end without friction\n"
                  "|vbar| <= T F/M:          f = M vbar/T, and the new v is set to 0: stick\n"
                  "else:                     f = F vbar/|vbar|, new v = vbar - T f/M: slip\n"
                  "With a law F(v) in slip:  u + (T/M) F(u) = |vbar| gives the new speed u.\n"
                  "In general 1/M is W, the velocity per force and time behind the element, a\n"
                  "matrix for several axes; with several elements all are solved together.\n"
                  "static: it sticks up to this level and slips at the other. Slip that would\n"
                  "change its sign comes to rest in between: there the static level acts.\n",
     .switches = "approximate: true  takes F at the speed |vbar| - T F(0)/M, without solving;\n"
                 "                   wrong once T B/M > 1\n"
                 "literal: true      (19) word by word: slip that changes sign in a step goes\n"
                 "                   on at the lower level, though the static one would hold\n",
     .source = "[fixed-step] (13)-(18), [regularization] (11)-(19).",
     .use = "The first choice at a fixed step: nothing to tune, exact rest, any number of "
            "dimensions, laws of the speed, loads.",
     .drift = "No: what is stuck has velocity zero, exactly."},
    {.name = "karnopp",
     .equations = "|v| <= eps:  f = gsat(FS, h)    h: sum of the other forces\n"
                  "else:        f = F(|v|) v/|v|\n",
     .source = "[fixed-step] (5); D. Karnopp 1985.",
     .use = "For comparison with literature and other programs. eps must be tuned: too large and "
            "the mass keeps creeping, too small and it jumps over the band and chatters.",
     .drift = "Yes: inside the band a velocity up to eps remains indefinitely."},
    {.name = "quinn",
     .equations = "vbar = v + eps gsat(1, h/F)     h: sum of the other forces\n"
                  "f = F gsat(1, vbar/eps)         a ramp of width eps\n",
     .source = "[fixed-step] (7); D. D. Quinn 2004.",
     .use = "For comparison. At eps = T F/M it stops as the finite-time rule does; below that it "
            "chatters, above it stops slowly. Constant levels only.",
     .drift = "It does not hold: the velocity fades but is never exactly zero."},
    {.name = "viscous-approximation",
     .equations = "f = gsat(F, F v/eps)\n",
     .source = "[fixed-step] (6); Oden and Martins 1985.",
     .use =
         "For comparison: the simplest regularization, still common. Small eps is stiff and needs "
         "small steps, large eps slides.",
     .drift = "Yes, by nature: under a force h below F it slides at v = eps h/F."},
    {.name = "dahl",
     .equations = "f = K z\n"
                  "zdot = v |1 - r|^alpha sgn(1 - r),    r = K z sgn(v)/F\n",
     .switches = "stiff: true  zdot = (F v - K z|v|)/(F + tau K|v|): survives a level that\n"
                 "             vanishes with its load; alpha = 1 only\n",
     .source = "[dahl] (16)-(19), [fixed-step] (8); P. R. Dahl 1968.",
     .use = "Smooth hysteresis before sliding from one stiffness: bearings, joints of linkages. "
            "K below M/T^2 at the step T, or it rings.",
     .drift = "Yes, under vibration: each small cycle yields a little."},
    {.name = "lugre",
     .equations = "zdot = v - K|v| z/s(v)          s(v): the law, without its viscous part\n"
                  "f = K z + B zdot + sigma2 v     K: stiffness, B: damping, sigma2: viscous\n",
     .switches = "stiff: true  divides zdot by 1 + tau K|v|/s(v): survives a vanishing level\n",
     .source = "[modular] (12); C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky 1995.",
     .use = "Control studies that need friction lag and the Stribeck effect in one smooth state. "
            "Makes energy unless sigma2 >= B (static - level)/level; that is refused.",
     .drift = "Yes, under vibration: a dither below the level walked it 0.69 m in 100 s where "
              "elastic-coulomb stayed in place."},
    {.name = "elastoplastic",
     .equations = "zdot = v (1 - a r),  r = K z sgn(v)/s(v)\n"
                  "f = K z + B zdot + sigma2 v\n"
                  "a = 0 for r <= breakaway, 1 for r >= 1, half a sine in between\n",
     .source = "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter 2002.",
     .use = "LuGre's behaviour where the object must hold, too: positioning under dither.",
     .drift =
         "Not below break-away, where it is purely elastic; above it, it yields as LuGre does."},
    {.name = "elastic-coulomb",
     .equations = "f = gsat(F, (B + tau K) v + K e)\n"
                  "edot = (f - K e)/(B + tau K),   edot = v in stick, by assignment\n"
                  "With a law, F is taken at the slip speed |v - edot|.\n",
     .source = "[modular] (14)-(19), the element of the generalised Runge-Kutta scheme (22).",
     .use = "Friction with a compliant surface, in one to three dimensions, under any method and "
            "with forces that need not know the mass. K may be far stiffer than the step resolves.",
     .drift = "No: in stick the anchor does not move; the body swings on K and B."},
    {.name = "maxwell-slip",
     .equations = "n elements:  f_i = gsat(F_i, (B_i + tau K_i) v + K_i z_i)\n"
                  "             zdot_i = (f_i - K_i z_i)/(B_i + tau K_i),  v in stick\n"
                  "f = sum of f_i\n",
     .source = "[modular] (19) for each element, [fixed-step] Fig. 4; W. D. Iwan 1966.",
     .use = "Measured hysteresis curves: n springs and levels fit any virgin curve that bends "
            "down. Loops close and remember their reversal points.",
     .drift = "No: loops close."},
    {.name = "leuven",
     .equations = "h = force of a bank of springs and sliders (maxwell-slip), driven by z\n"
                  "zdot = v - |v| sgn(h) |h/s(v)|^n        n: exponent\n"
                  "f = h + B zdot + sigma2 v\n",
     .source =
         "J. Swevers, F. Al-Bender, C. G. Ganseman, T. Prajogo 2000, as modified by V. Lampaert, "
         "J. Swevers, F. Al-Bender 2002; named by [fixed-step].",
     .use =
         "Hysteresis with memory before sliding and a Stribeck curve while sliding, in one model.",
     .drift = "Yes, a little: a part |h/s|^n of every movement is slip; the less, the larger n."},
    {.name = "gms",
     .equations = "f = sum of K_i z_i + sigma2 v           a_i: share, Q: rate\n"
                  "stick:  zdot_i = v, until |K_i z_i| reaches a_i s(v)\n"
                  "slip:   zdot_i = sgn(v) (Q a_i/K_i) (1 - K_i z_i sgn(v)/(a_i s(v))),\n"
                  "        until v changes its sign\n",
     .source = "[fixed-step] (9); F. Al-Bender, V. Lampaert, J. Swevers 2005.",
     .use = "Identified machine tools and drives: hysteresis, friction lag and Stribeck together. "
            "Explicit: needs rate * T well below the level.",
     .drift = "No, while its elements stick."},
    {.name = "linear-continuous",
     .equations = "C = M + tau B + tau^2 K       z: deflection, omega: velocity of the mass M\n"
                  "ubar = v + (tau K/C) z - (M/C)(v - omega)\n"
                  "g = gsat(F, C ubar/tau)       what the surface takes\n"
                  "w = ubar - tau g/C            new velocity of the mass; 0 in stick\n"
                  "zdot = v - w,  f = K (z + tau zdot) + B zdot\n",
     .switches = "forward: true  the forward-difference form (22); needs a mass, and\n"
                 "               T^2 K + 2 T B <= 4 M\n",
     .source = "[fixed-step] (19)-(29).",
     .use = "Haptic rendering and friction compensation: a viscoelastic surface with a mass of its "
            "own. With mass 0 it is elastic-coulomb at a fixed step.",
     .drift = "No: in stick the anchor does not move."},
};

static const Explanation laws[] = {
    {.name = "coulomb",
     .equations = "F(v) = level\n",
     .source = "[fixed-step] (3).",
     .use = "Dry friction, and whenever nothing else is known."},
    {.name = "viscous",
     .equations = "F(v) = level + viscous |v|\n",
     .source = "[regularization] (5).",
     .use = "Lubricated contacts well above the Stribeck range."},
    {.name = "stribeck",
     .equations = "F(v) = level + (static - level) exp(-(|v|/stribeck_speed)^stribeck_exponent)\n"
                  "       + viscous |v|\n",
     .source = "[regularization] (6), with its sign corrected.",
     .use =
         "Lubricated contacts at low speed: the fall makes them squeak, hunt and stick. Where it "
         "is steeper than M/T, a step has more than one solution and the fastest slip is taken."},
    {.name = "gear",
     .equations = "F(v) = level + (static - level) exp(-eta |v|) + viscous |v|\n",
     .source = "[semi-implicit] (8).",
     .use = "Geared motors; on the joint's side, N m and rad/s."},
    {.name = "tanh",
     .equations = "F(v) = level tanh(|v|/stribeck_speed)\n",
     .source = "[dahl] (8).",
     .use =
         "Integrators that cannot take a jump. It has no level at rest, so nothing ever sticks."},
    {.name = "directional",
     .equations = "F(v) = level + viscous |v|                     for motion along plus\n"
                  "     = level_backward + viscous_backward |v|   for motion along minus\n",
     .source = "common in identified drives; none of the five papers has it.",
     .use = "Drives and seals that run more easily one way. One dimension only."},
    {.name = "table",
     .equations = "F(v): straight lines between [speed, level] pairs, constant beyond the last\n",
     .source = "[fixed-step] (16): any curve of the speed.",
     .use = "Measured curves."},
};

static const Explanation methods[] = {
    {.name = "euler",
     .equations = "x+ = x + T xdot(x)\n"
                  "tau = T\n",
     .source = "[modular] (13) with one stage; [fixed-step] is written for it.",
     .use = "Reproducing the papers' fixed-step results; stiff elements with look-ahead."},
    {.name = "symplectic-euler",
     .equations = "v+ = v + T vdot(q, v),  q+ = q + T v+\n"
                  "tau = T\n",
     .source = "[fixed-step] (14), (17): positions follow from the new velocity.",
     .use = "Long runs with springs: the energy of an oscillation does not grow."},
    {.name = "heun",
     .equations = "x+ = x + (T/2)(k1 + k2),  k1 = xdot(x),  k2 = xdot(x + T k1)\n"
                  "tau = T, T\n",
     .source = "[modular] (13) with two stages; tau as in (21).",
     .use = "Order 2 in smooth motion for two evaluations a step."},
    {.name = "rk4",
     .equations = "the classical Runge-Kutta method, four stages\n"
                  "tau = T/2, T/2, T, T\n",
     .source = "[modular] (13), (21).",
     .use = "The default of plans in C. Order 4 in smooth sliding in one dimension; order 1 in "
            "stick, in planar "
            "sliding and across stick/slip changes, where each stage looks tau ahead."},
    {.name = "gill",
     .equations = "Runge-Kutta-Gill, four stages\n"
                  "tau = T/2, T/2, T, T\n",
     .source = "[semi-implicit] integrates with it; tau as in [modular] (21).",
     .use = "Comparison with [semi-implicit]; otherwise as rk4."},
    {.name = "rule",
     .equations = "v+ = v + T H^-1 (h(q, v) - J^T f),  q+ = q + T v+\n"
                  "f: friction of the new velocity, J v+ = 0 where it sticks;  tau = T\n",
     .source = "[fixed-step] (14), (17); with contacts the solver that the scene names.",
     .use =
         "The fast choice: one evaluation a step, a half to a tenth of the time of cut, of order "
         "1. The default where cut cannot run: karnopp, quinn, contacts of boxes with each other. "
         "Without reactions the same as symplectic-euler."},
    {.name = "cut",
     .equations = "each step in pieces: within a piece stick and slip are fixed,\n"
                  "a step in which one of them ends is cut there\n",
     .source = "docs/methods.md; rk4-split for rigid friction along one axis, ark4 for elastic and "
               "planar friction.",
     .use =
         "The default of scenes. Order 4 in stick, in slip and across the changes, without drift. "
         "About one piece a step. With contacts a step is cut at impacts and openings, too; one that "
         "cannot be cut is taken by the solver and counted. karnopp, quinn and other models for one "
         "evaluation a step cannot run under it."},
    {.name = "ark4",
     .equations = "the pair ARK4(3)6L[2]SA: smooth forces explicit, friction behind\n"
                  "springs and in a plane implicit, tau = T/4; cut where stick or slip\n"
                  "ends\n",
     .source = "Kennedy and Carpenter 2003; docs/methods.md.",
     .use = "Elastic friction of any stiffness, planar friction."},
    {.name = "ark3",
     .equations = "the pair ARK3(2)4L[2]SA, tau = 0.4359 T; cut as ark4\n",
     .source = "Kennedy and Carpenter 2003; docs/methods.md.",
     .use = "Where stick oscillations are not resolved by the step and must die out quickly."},
    {.name = "rk4-split",
     .equations = "the classical Runge-Kutta method, four stages at tau = 0; cut as\n"
                  "ark4; the spring of a sliding element along one axis exactly\n",
     .source = "docs/methods.md.",
     .use = "Rigid friction along one axis; elastic friction whose stick frequency times T is "
            "below 2."},
    {.name = "ode23",
     .equations = "Bogacki-Shampine 3(2), first same as last; tau = 0\n"
                  "in a scene: method: {adaptive: ode23, rtol: 1e-8, atol: 1e-10}\n",
     .source = "[dahl] section 7 and Table 1, whose counts it reproduces exactly.",
     .use = "Comparison with the paper. Rough tolerances."},
    {.name = "bogacki-shampine",
     .equations = "explicit pair 3(2), 4 stages; tau = 0\n"
                  "in a scene: method: {adaptive: bogacki-shampine, rtol: 1e-8, atol: 1e-10}\n",
     .source = "ARKODE.",
     .use = "Rough tolerances (1e-3 to 1e-5), smooth motion."},
    {.name = "dormand-prince",
     .equations = "explicit pair 5(4), 7 stages; tau = 0\n"
                  "in a scene: method: {adaptive: dormand-prince, rtol: 1e-8, atol: 1e-10}\n",
     .source = "ARKODE.",
     .use = "The usual choice where no element is stiff."},
    {.name = "verner",
     .equations = "explicit pair 6(5), 8 stages; tau = 0\n"
                  "in a scene: method: {adaptive: verner, rtol: 1e-8, atol: 1e-10}\n",
     .source = "ARKODE.",
     .use = "Tight tolerances, smooth motion. It steps onto the rows of the recording."},
    {.name = "fehlberg",
     .equations = "explicit pair 8(7), 13 stages; tau = 0\n"
                  "in a scene: method: {adaptive: fehlberg, rtol: 1e-8, atol: 1e-10}\n",
     .source = "ARKODE.",
     .use = "Reference solutions, tolerances to 1e-13. It steps onto the rows of the recording."},
    {.name = "adams",
     .equations = "Adams-Moulton in Nordsieck form, orders 1 to 12; tau = 0\n"
                  "in a scene: method: {adaptive: adams, rtol: 1e-8, atol: 1e-10}\n",
     .source = "CVODE.",
     .use = "Smooth motion with few evaluations; costly after every restart."},
    {.name = "bdf",
     .equations = "backward differentiation in Nordsieck form, orders 1 to 5; tau = 0\n"
                  "in a scene: method: {adaptive: bdf, rtol: 1e-8, atol: 1e-10}\n",
     .source =
         "CVODE; Jacobians by differences, with columns that share no row perturbed together.",
     .use = "Stiff bristles and contacts (K = 1e7): far fewer evaluations than an explicit method, "
            "and a step that grows while everything is stuck."},
};

static const Explanation solvers[] = {
    {.name = "coupled",
     .equations = "H (v+ - v) = T (tau - b + tau_f + J^T f),    q+ = q + T v+\n"
                  "joint:    v+ = 0 and |tau_f| <= F,  or  tau_f = -sgn(v+) F(|v+|)\n"
                  "contact:  0 <= f_n  perp  v+_n + max(gap, 0)/T >= 0\n"
                  "          v+_t = 0 and |f_t| <= mu f_n,  or  f_t = -mu f_n v+_t/|v+_t|\n",
     .source = "Joint modes inside the articulated-body recursion, contacts by the cone solver.",
     .use = "The default of rule with contacts, or with friction at the joints of robots. Linear in the "
            "number of links; nothing to tune. What is stuck is exactly zero; penetration and the "
            "slip of sticking contacts are taken back by a position projection that leaves "
            "velocities alone. Forces that are not unique are those of least norm. Takes finite-time "
            "friction of any law; steps whose contacts have no solution are solved without "
            "friction and counted (StiStepFigures.unsolved), and so are those that creep (soft).",
     .drift = NULL},
    {.name = "semi-implicit",
     .equations = "joints, one by one; I = gamma^2 I_M (armature), tau: last joint torque\n"
                  "  A = h/I,  c = A (E e - D qd - tau) + qd,  d = q - q_r             (26)\n"
                  "  gamma tau_f = -A/(A^2 + lambda_q/gamma^2) (c + k_q d)             (27)\n"
                  "  beyond the static level: the law's level at qd, and q_r = q  (21)(24)\n"
                  "contacts; A = J H^-1 J^T h by articulated bodies, c: velocity without f\n"
                  "  f = argmin |A f + c + k_v d|^2 + lambda_v |f|^2,  f_n >= 0        (28)\n"
                  "  beyond mu_s f_n: they slide, the others are solved again          (20)\n"
                  "then Runge-Kutta-Gill with f, tau_f and inputs held\n"
                  "\n"
                  "in a scene: solver: {name: semi-implicit, k_q, lambda_q, k_v, lambda_v}\n"
                  "  k_q, lambda_q: 0 if not given; k_v: 0.05/step;\n"
                  "  lambda_v: 1e-8 of the squares of A's diagonal\n"
                  "  literal: true    forces are cut back (20)(21), nothing is solved again\n",
     .source = "[semi-implicit] III, with the corrections of docs/equations.md.",
     .use =
         "The paper's method, to compare with: linear in the number of joints. Friction on joints "
         "of robots only, each with an armature; no restitution. Keep k_q h below armature/H_ii.",
     .drift = "No: what sticks is a stiff spring about an anchor, which stays."},
    {.name = "implicit",
     .equations = "f_M = (f, gamma tau_f),  J_M = (J, 1),\n"
                  "A_M = J_M H^-1 J_M^T h,  c_M = J_M vbar                             (16)\n"
                  "f_M = argmin |A_M f_M + c_M + k_M d_M|^2 + lambda_M |f_M|^2,  f_n >= 0\n"
                  "                                                                    (19)\n"
                  "then (20), (21), and Runge-Kutta-Gill with f_M and inputs held\n"
                  "\n"
                  "in a scene: solver: {name: implicit, k_M, lambda_M}\n"
                  "  k_M: 0.05/step if not given; lambda_M: 1e-8 of A_M's diagonal, squared\n"
                  "  literal: true    forces are cut back (20)(21), nothing is solved again\n",
     .source = "[semi-implicit] II.C, with the corrections of docs/equations.md.",
     .use =
         "The paper's reference: joints and contacts in one least-squares problem, cubic in their "
         "number. Friction along coordinates of any body.",
     .drift = "No: what sticks is a stiff spring about an anchor, which stays."},
    {.name = "sweeps",
     .equations = "v = vbar - T W r    for all reactions r together, W = J H^-1 J^T\n",
     .source = "[fixed-step] (17), [regularization] (18), generalised to any inertia.",
     .use = "Networks with reactions of any kind, karnopp and quinn too, without contacts. Each "
            "element is "
            "solved exactly in turn until all agree; then one direct solve on those that stick "
            "makes their "
            "velocity exactly zero.",
     .drift = NULL},
};

static const Explanation elements[] = {
    {.name = "dc-motor",
     .equations = "torque = gamma K_M/R (e - gamma K_M w)    e: voltage within the rated one\n"
                  "       = E e - D w,    E = gamma K_M/R,    D = gamma^2 K_M^2/R\n"
                  "armature of the joint += gamma^2 rotor_inertia\n"
                  "K_M: torque_constant, R: resistance, gamma: gear_ratio\n",
     .switches = "voltage: V          a function of time, or the name of a pid element\n"
                 "rotor_inertia: I    kg m^2, on the joint of a robot; 0 if it is not given\n",
     .source = "[semi-implicit] (2).",
     .use = "A geared joint with its voltage given or controlled. Friction of the gear is an "
            "element of its own: friction, or gear-loss."},
    {.name = "servo",
     .equations = "at t = 0, period, 2 period, ...:  integral += (q_d - q) period\n"
                  "  e = gamma (kp (q_d - q) + ki integral - kd w), within the rated voltage\n"
                  "in between e is held; torque as of dc-motor\n",
     .switches = "target: q_d         a function of time\n"
                 "rotor_inertia: I    kg m^2, on the joint of a robot; 0 if it is not given\n",
     .source = "[semi-implicit] (30), (2).",
     .use = "The paper's motor unit in one element. dc-motor and pid do the same in two, with "
            "gains that do not know the gear."},
    {.name = "pid",
     .equations = "at t = 0, period, 2 period, ...:  integral += (q_d - q) period\n"
                  "  output = kp (q_d - q) + ki integral - kd (w - w_d), within limit\n"
                  "in between the output is held; integral and output are part of the state\n",
     .switches = "target: q_d         a function of time\n"
                 "target_rate: w_d    a function of time; 0 if it is not given\n",
     .source = "[semi-implicit] (30), without the motor.",
     .use = "It applies nothing itself: name it as the voltage of a dc-motor or the value of a "
            "force. With on: [A, B] each motor takes the controller of its own joint."},
    {.name = "joint-limit",
     .equations = "q > upper:  f = max(0, stiffness (q - upper) + damping w)\n"
                  "q < lower:  f = min(0, stiffness (q - lower) + damping w)\n",
     .source = "A spring and a damper that never pull.",
     .use = "Soft stops. On a joint of a robot lower and upper are its own limits (limits: or "
            "URDF) where the element does not give them."},
    {.name = "contact",
     .equations = "hard, without stiffness, at every point where shapes touch:\n"
                  "    fn >= 0,  vn + max(gap, 0)/T >= 0,  one of them 0    vn: opening speed\n"
                  "    |ft| <= mu_static fn without slip,  or  ft = mu fn v/|v|    v: slip\n"
                  "soft, with stiffness K and damping B, at every point below the plane:\n"
                  "    fn = max(0, K depth + B rate);  ft = gsat(mu fn, (B + tau K) v + K e)\n"
                  "    edot = v in stick, else (ft - K e)/(B + tau K)\n",
     .switches = "on: BODY            its shapes against the plane z = 0, another plane, or what\n"
                 "                    'against' names\n"
                 "between: [A, B]     the shapes of two bodies, links or robots\n"
                 "among: all          each shape of the scene against each; or a list;\n"
                 "                    exclude: [[A, B]] leaves pairs out\n"
                 "shape: {kind: ...}  point, sphere, capsule, cylinder, box, hull, plane;\n"
                 "                    default: the shapes of the body or link\n"
                 "capacity: n         most points at once; default: by the shapes\n",
     .source = "Hard: complementarity and Coulomb's cone at the end of the step, with joint "
               "friction in one system (solver coupled). Soft: [modular] (23).",
     .use = "Hard for things that rest, slide and tip: nothing to tune, and what sticks stays. "
            "Soft where the compliance matters.",
     .drift = "No. Hard: what a sticking point has let pass is taken back. Soft: within the "
              "deflection of its spring."},
    {.name = "gear-loss",
     .equations = "zdot = (w - |w| z)/h        z: deflection of the teeth, -1 to 1\n"
                  "f = mu_avg |torque| z + mu_dif torque z^2\n"
                  "h: presliding; torque: along +w\n",
     .switches =
         "torque: NAME        of a dc-motor, servo or force, or a function of time\n",
     .source = "Load-dependent gear friction with different losses for driving and back-driving.",
     .use = "Gears whose loss grows with what they transmit. Refused where mu_dif is above "
            "mu_avg: back-driving would make energy.",
     .drift = "Yes: like any yielding bristle it creeps under vibration."},
};

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

static const Explanation *find(const Explanation *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

const Explanation *explanation_of_model(const char *name)
{
    return find(models, sizeof models / sizeof models[0], name);
}

const Explanation *explanation_of_law(const char *name)
{
    return find(laws, sizeof laws / sizeof laws[0], name);
}

const Explanation *explanation_of_element(const char *name)
{
    return find(elements, sizeof elements / sizeof elements[0], name);
}

const Explanation *explanation_of_method(const char *name)
{
    return find(methods, sizeof methods / sizeof methods[0], name);
}

const Explanation *explanation_of_solver(const char *name)
{
    return find(solvers, sizeof solvers / sizeof solvers[0], name);
}
