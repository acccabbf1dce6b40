// The headers as C++ sees them: a block on a spring under Dahl's friction, written with a lambda and
// defaults. Exit status 0 if it comes to rest between stuck and free.
#include <cmath>
#include <cstdio>
#include <memory>

#include <stiction/stiction.h>

template <typename Type, void (*destroy)(Type *)>
struct Destroyer {
    void operator()(Type *object) const { destroy(object); }
};
template <typename Type, void (*destroy)(Type *)>
using Owner = std::unique_ptr<Type, Destroyer<Type, destroy>>;

static void add_parts(StiPlan *plan, StiAdmittanceId &block)
{
    StiPointMass mass = sti_default_point_mass();
    mass.velocity[0] = 0.5;
    block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass, &mass);
    const StiWire wire = sti_wire_coordinate_pair(block, 0, STI_GROUND, 0, 1);
    StiSpringDamper spring = sti_default_spring_damper();
    spring.K = 40.0;
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper, &spring, &wire);
    StiDahl friction = sti_default_dahl();
    friction.law = sti_law_coulomb(1.0);
    friction.K = 500.0;
    sti_plan_add_impedance(plan, "friction", &sti_kind_dahl, &friction, &wire);
    StiTimeFunction push = {};
    push.count = 1;
    push.eval = [](const void *, void *, double t, double *force) { force[0] = t < 1.0 ? 0.2 : 0.0; };
    sti_plan_add_force(plan, "push", &wire, 1, push);
}

int main()
{
    const Owner<StiPlan, sti_plan_destroy> plan(sti_plan_create());
    StiAdmittanceId block{};
    add_parts(plan.get(), block);
    StiNetwork *made = nullptr;
    if (sti_plan_compile(plan.get(), nullptr, &made) != STI_OK) {
        std::puts(sti_report_finding(sti_plan_findings(plan.get()), 0)->text);
        return 1;
    }
    const Owner<StiNetwork, sti_network_destroy> network(made);
    const Owner<StiState, sti_state_destroy> state(sti_state_create(made));
    const Owner<StiScratch, sti_scratch_destroy> scratch(sti_scratch_create(made));
    if (sti_run(made, nullptr, state.get(), scratch.get(), 3000) != STI_OK) {
        const StiFault *fault = sti_scratch_fault(scratch.get());
        std::printf("%s: %s at t = %g s\n", fault->component, sti_status_text(fault->status), fault->t);
        return 1;
    }
    const StiState *read_only = state.get();
    const double x = *sti_state_positions(read_only, made, block);
    std::printf("stiction %s in C++: rests at %g m\n", sti_version(), x);
    const StiAdmittanceId nothing{};
    return std::fabs(x) < 0.026 && sti_state_positions(read_only, made, nothing) == nullptr ? 0 : 1;
}
