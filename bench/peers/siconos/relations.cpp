#include "relations.hpp"

#include <boost/math/quaternion.hpp>

namespace
{

using Quaternion = boost::math::quaternion<double>;

// A place in a body, in world axes from the body's centre.
Quaternion turn(const SiconosVector &q, double x, double y, double z)
{
    const Quaternion turned(q(3), q(4), q(5), q(6));
    return turned * Quaternion(0.0, x, y, z) * conj(turned);
}

void set(SiconosVector &v, double x, double y, double z) { v(0) = x, v(1) = y, v(2) = z; }

} // namespace

void PointOnGround::computeh(double, const BlockVector &q, SiconosVector &y)
{
    const SiconosVector &body = *q.getAllVect()[0];
    const Quaternion at = turn(body, corner_[0], corner_[1], corner_[2]);
    const double px = body(0) + at.R_component_2(), py = body(1) + at.R_component_3(),
                 pz = body(2) + at.R_component_4() - radius_;
    set(*_Pc1, px, py, pz);
    set(*_Pc2, px, py, 0.0);
    set(*_Nc, 0.0, 0.0, 1.0);
    y.zero();
    y(0) = pz;
}

void PointOnFinger::computeh(double, const BlockVector &q, SiconosVector &y)
{
    const SiconosVector &body = *q.getAllVect()[0], &finger = *q.getAllVect()[1];
    const Quaternion at = turn(body, 0.0, along_, 0.0);
    const double face = finger(0) - side_ * half_,
                 skin = body(0) + at.R_component_2() + side_ * radius_;
    set(*_Pc1, skin, body(1) + at.R_component_3(), body(2) + at.R_component_4());
    set(*_Pc2, face, body(1) + at.R_component_3(), body(2) + at.R_component_4());
    set(*_Nc, -side_, 0.0, 0.0); // from the second body to the first
    y.zero();
    y(0) = side_ * (face - skin);
}

void FrictionOfJoints::initialize(Interaction &interaction)
{
    LagrangianScleronomousR::initialize(interaction);
    _jachq->zero();
    for (unsigned i = 0; i < levels_.size(); ++i) (*_jachq)(i, i) = levels_[i];
}

void SphereOfArm::computeh(const BlockVector &q, BlockVector &, SiconosVector &y)
{
    arm_->place(&(*q.getAllVect()[0])(0));
    y(0) = arm_->tip({at_, 0.0, 0.0}).z;
    y(1) = 0.0;
}

void SphereOfArm::computeJachq(const BlockVector &q, BlockVector &)
{
    arm_->place(&(*q.getAllVect()[0])(0));
    const serial_arm::Vector point =
        arm_->tip({at_, 0.0, 0.0}) + serial_arm::Vector{0.0, 0.0, -radius_};
    for (unsigned i = 0; i < arm_->links.size(); ++i) {
        const serial_arm::Vector rate = arm_->rate((int)i, point);
        (*_jachq)(0, i) = rate.z;
        (*_jachq)(1, i) = rate.x;
    }
}
