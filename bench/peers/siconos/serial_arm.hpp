// Equations of motion of links in a row, joined by hinges: what a user of Siconos writes for a robot,
// since its Lagrangian systems take the mass matrix and the forces from outside. World axes, and the
// origin of the world as the point of reference of all velocities and forces, so that inertias of
// links add up and no transformation between links is needed.
#ifndef STICTION_PEERS_SICONOS_SERIAL_ARM_HPP
#define STICTION_PEERS_SICONOS_SERIAL_ARM_HPP

#include <vector>

namespace serial_arm
{

struct Vector {
    double x, y, z;
};
Vector operator+(const Vector &a, const Vector &b);
Vector operator*(double s, const Vector &a);
Vector cross(const Vector &a, const Vector &b);
double dot(const Vector &a, const Vector &b);

// A velocity (turning, and of the body's point at the origin) or a force (moment, force).
struct Pair {
    Vector turn, move;
};

struct Link {
    Vector place; // of the joint in the parent, m
    bool turned;  // by 90 degrees about y, before the joint
    bool about_z; // the joint turns about z, else about y
    double mass;
    Vector centre;
    double inertia[3]; // about the centre, along the link's axes
};

struct Frame {
    Vector axes[3], origin;
    Pair joint; // velocity of the link for a joint rate of 1
};

// Mass, first moment and inertia about the origin of the world.
struct Inertia {
    double mass = 0.0;
    Vector moment{0, 0, 0};
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    void add(const Inertia &other);
    Pair momentum(const Pair &velocity) const;
};

struct Arm {
    std::vector<Link> links;
    double gravity = 0.0; // against z, m/s^2
    std::vector<Frame> frames;
    std::vector<Inertia> inertias;

    void place(const double *q);
    // Column by column, n x n.
    void mass_matrix(const double *q, double *M);
    // Torques that hold the arm without acceleration: Coriolis, centrifugal and gravity.
    void bias(const double *q, const double *v, double *torques);
    // Of a point of the last link, given in its axes; needs place().
    Vector tip(const Vector &at) const;
    // Velocity of a point of the world that moves with the last link, for a rate of 1 of a joint.
    Vector rate(int joint, const Vector &point) const;
};

} // namespace serial_arm

#endif
