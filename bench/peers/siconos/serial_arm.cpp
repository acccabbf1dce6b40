#include "serial_arm.hpp"

#include <cmath>

namespace serial_arm
{

Vector operator+(const Vector &a, const Vector &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator*(double s, const Vector &a) { return {s * a.x, s * a.y, s * a.z}; }
Vector cross(const Vector &a, const Vector &b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

namespace
{

Vector turn(const Vector axes[3], const Vector &a)
{
    return a.x * axes[0] + a.y * axes[1] + a.z * axes[2];
}

// The frame turned about its own y or z.
void turn_about(Vector axes[3], bool about_z, double angle)
{
    const double c = std::cos(angle), s = std::sin(angle);
    Vector &a = about_z ? axes[0] : axes[2], &b = about_z ? axes[1] : axes[0];
    const Vector old = a;
    a = c * old + s * b;
    b = c * b + (-s) * old;
}

Inertia inertia_of(const Link &link, const Frame &frame)
{
    Inertia I;
    const double m = link.mass;
    const Vector c = frame.origin + turn(frame.axes, link.centre);
    I.mass = m;
    I.moment = m * c;
    I.xx = m * (c.y * c.y + c.z * c.z), I.yy = m * (c.x * c.x + c.z * c.z);
    I.zz = m * (c.x * c.x + c.y * c.y);
    I.xy = -m * c.x * c.y, I.xz = -m * c.x * c.z, I.yz = -m * c.y * c.z;
    for (int k = 0; k < 3; ++k) {
        const Vector &a = frame.axes[k];
        const double J = link.inertia[k];
        I.xx += J * a.x * a.x, I.yy += J * a.y * a.y, I.zz += J * a.z * a.z;
        I.xy += J * a.x * a.y, I.xz += J * a.x * a.z, I.yz += J * a.y * a.z;
    }
    return I;
}

double power(const Pair &velocity, const Pair &force)
{
    return dot(velocity.turn, force.turn) + dot(velocity.move, force.move);
}

} // namespace

void Inertia::add(const Inertia &o)
{
    mass += o.mass, moment = moment + o.moment;
    xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
}

Pair Inertia::momentum(const Pair &v) const
{
    const Vector &w = v.turn;
    const Vector turned = {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z,
                           xz * w.x + yz * w.y + zz * w.z};
    return {turned + cross(moment, v.move), mass * v.move + cross(w, moment)};
}

void Arm::place(const double *q)
{
    const size_t n = links.size();
    frames.resize(n), inertias.resize(n);
    Frame frame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {}};
    for (size_t i = 0; i < n; ++i) {
        frame.origin = frame.origin + turn(frame.axes, links[i].place);
        if (links[i].turned) {
            const Vector x = frame.axes[0];
            frame.axes[0] = -1.0 * frame.axes[2], frame.axes[2] = x;
        }
        const Vector axis = frame.axes[links[i].about_z ? 2 : 1];
        turn_about(frame.axes, links[i].about_z, q[i]);
        frame.joint = {axis, cross(frame.origin, axis)};
        frames[i] = frame;
        inertias[i] = inertia_of(links[i], frame);
    }
}

// Joint i feels the momentum that joint j >= i gives to all links after j.
void Arm::mass_matrix(const double *q, double *M)
{
    place(q);
    const int n = (int)links.size();
    Inertia all;
    for (int j = n - 1; j >= 0; --j) {
        all.add(inertias[j]);
        const Pair momentum = all.momentum(frames[j].joint);
        for (int i = 0; i <= j; ++i) M[i + n * j] = M[j + n * i] = power(frames[i].joint, momentum);
    }
}

void Arm::bias(const double *q, const double *v, double *torques)
{
    place(q);
    const int n = (int)links.size();
    std::vector<Pair> forces(n);
    Pair V = {{0, 0, 0}, {0, 0, 0}}, A = {{0, 0, 0}, {0, 0, gravity}};
    for (int i = 0; i < n; ++i) {
        const Pair &s = frames[i].joint;
        V = {V.turn + v[i] * s.turn, V.move + v[i] * s.move};
        A.turn = A.turn + v[i] * cross(V.turn, s.turn);
        A.move = A.move + v[i] * (cross(V.turn, s.move) + cross(V.move, s.turn));
        const Pair rate = inertias[i].momentum(A), p = inertias[i].momentum(V);
        forces[i] = {rate.turn + cross(V.turn, p.turn) + cross(V.move, p.move),
                     rate.move + cross(V.turn, p.move)};
    }
    Pair sum = {{0, 0, 0}, {0, 0, 0}};
    for (int i = n - 1; i >= 0; --i) {
        sum = {sum.turn + forces[i].turn, sum.move + forces[i].move};
        torques[i] = power(frames[i].joint, sum);
    }
}

Vector Arm::tip(const Vector &at) const
{
    return frames.back().origin + turn(frames.back().axes, at);
}

Vector Arm::rate(int joint, const Vector &point) const
{
    const Pair &s = frames[(size_t)joint].joint;
    return s.move + cross(s.turn, point);
}

} // namespace serial_arm
