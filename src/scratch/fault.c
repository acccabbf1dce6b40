#include "scratch/scratch.h"

StiStatus sti_fault(StiScratch *scratch, StiStatus status, const char *component, const char *what,
                    const StiStage *stage)
{
    scratch->fault = (StiFault){
        .status = status, .component = component, .what = what, .t = stage->t, .k = stage->k};
    return status;
}
