// Saturation at the level of a law, for elements that slip behind a spring or a mass.
#include "law/norm.h"
#include "law/slip.h"

bool sti_law_saturate_any(const StiLaw *law, int dim, double Z, const double *signals,
                          const double *in, double *out)
{
    const double direction = sti_direction(dim, in);
    const double at_rest = sti_law_level_at(law, 0.0, direction, signals);
    if (sti_gsat(dim, at_rest, in, out)) return true;
    if (law->kind->constant) return false;
    const double size = sti_norm(dim, in), g = 1.0 / Z;
    const StiSlipSolution slip = sti_law_solve(law, g, g * size, direction, signals);
    for (int i = 0; i < dim; ++i) out[i] = slip.level * (in[i] / size);
    return false;
}

void sti_check_friction(const StiCheck *check, int dim, const StiLaw *law)
{
    if (dim < 1 || dim > 3)
        sti_check_error(check, "dim", dim, "%d dimensions: friction acts in 1, 2 or 3", dim);
    if (law->kind == NULL)
        sti_check_error(check, "law", NAN, "no law is given: the simplest is a coulomb law");
    else if (law->kind->directional && dim > 1)
        sti_check_error(check, "law", NAN,
                        "the law '%s' depends on the direction along one axis: it needs 1 "
                        "dimension, not %d",
                        law->kind->name, dim);
}
