// What is right: exact solutions, and for the two-link arm and the chain integrations of their own that
// use no simulator's code.
#ifndef STICTION_PEERS_REFERENCE_H
#define STICTION_PEERS_REFERENCE_H

// Spring pull: where the block rests, m.
double reference_spring_pull_rest(void);
// Zero crossing: velocity at a time, m/s.
double reference_crossing_velocity(double t);
// Rolling sphere: distance travelled, m.
double reference_rolling_distance(double t);
// Sliding box: distance travelled, m.
double reference_sliding_distance(double t);
// Two-link arm: q0, q1, v0, v1 at a time, with modes of stick and slip fixed between their changes,
// Runge-Kutta steps of h that end at every change.
void reference_two_link(double t, double h, double state[4]);
// Chain: angle of joint 0, rad, with steps of h. Of second order: 3e-4 of it at 1 ms.
double reference_chain_angle(int links, double t, double h);

#endif
