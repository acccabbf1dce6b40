// The generalised saturation of [modular] (15).
#include "law/norm.h"
#include "stiction/law.h"

bool sti_gsat(int dim, double limit, const double *in, double *out)
{
    const double size = sti_norm(dim, in);
    const bool stuck = size <= limit;
    for (int i = 0; i < dim; ++i) out[i] = stuck ? in[i] : limit * (in[i] / size);
    return stuck;
}
