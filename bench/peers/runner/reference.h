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
// Chain: angles of its first joints, chain_read() of them, with steps of h. Of second order: halving
// steps of 1 ms changes them by at most 0.4 %.
void reference_chain(int links, double t, double h, double *angles);

#endif
