// What Siconos is told about joints and contacts. Its kernel has no shapes: a contact is a relation
// that says how far two things are from each other and how this changes.
#ifndef STICTION_PEERS_SICONOS_RELATIONS_HPP
#define STICTION_PEERS_SICONOS_RELATIONS_HPP

#include <SiconosKernel.hpp>

#include "serial_arm.hpp"

// A point of a body above the ground z = 0: a corner, or the lowest point of a ball.
class PointOnGround : public NewtonEuler3DR
{
    double corner_[3], radius_; // place in the body, and how far the surface is below it

  public:
    PointOnGround(double x, double y, double z, double radius) : corner_{x, y, z}, radius_(radius)
    {
    }
    void computeh(double time, const BlockVector &q, SiconosVector &y) override;
};

// A point of a body's middle line, with a round skin, against the flat face of a second body that does
// not turn and whose face looks along x (side = -1: the second body stands on the left).
class PointOnFinger : public NewtonEuler3DR
{
    double along_, radius_, half_, side_;

  public:
    PointOnFinger(double along, double radius, double half, double side)
        : along_(along), radius_(radius), half_(half), side_(side)
    {
    }
    void computeh(double time, const BlockVector &q, SiconosVector &y) override;
};

// Friction in all joints of an arm: rates of the joints, scaled by their levels so that one pair of
// bounds serves all. There is nothing at the level of positions. Siconos 4.4 drops a relay law for one
// step whenever its position would become positive, so that the position is said to be far below.
class FrictionOfJoints : public LagrangianScleronomousR
{
    std::vector<double> levels_;

  public:
    explicit FrictionOfJoints(const std::vector<double> &levels) : levels_(levels) {}
    void computeh(const BlockVector &, BlockVector &, SiconosVector &y) override { y.fill(-1e6); }
    void computeJachq(const BlockVector &, BlockVector &) override {}
    void initialize(Interaction &interaction) override;
};

// A sphere on the last link of an arm in the plane of x and z, above the plane z = -radius.
class SphereOfArm : public LagrangianScleronomousR
{
    serial_arm::Arm *arm_;
    double at_, radius_;

  public:
    SphereOfArm(serial_arm::Arm *arm, double at, double radius)
        : arm_(arm), at_(at), radius_(radius)
    {
    }
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override;
    void computeJachq(const BlockVector &q, BlockVector &) override;
};

#endif
