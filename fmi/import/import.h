// FMUs of others as controllers of a scene: co-simulation, one instance each.
#ifndef STICTION_FMI_IMPORT_H
#define STICTION_FMI_IMPORT_H

#include <stiction/scene.h>

typedef struct ForeignFmu ForeignFmu;

// Unpacks the FMU into a folder of its own, loads its binary, and instantiates it. The scene's entry must outlive it.
// NULL without memory; else what went wrong shows in foreign_fmu_error.
ForeignFmu *foreign_fmu_create(const StiSceneFmu *fmu);
// Ends the instance, unloads the binary and removes the folder.
void foreign_fmu_destroy(ForeignFmu *foreign);
// The call that failed, and the reason that the FMU logged; NULL: none failed.
const char *foreign_fmu_error(const ForeignFmu *foreign);

// All of these: false after an error. Values are in the order of the scene's entry.
// From instantiated to the first step, with the parameters of the scene and with inputs as they are at time t.
bool foreign_fmu_begin(ForeignFmu *foreign, double t, const double *inputs);
bool foreign_fmu_set_inputs(ForeignFmu *foreign, const double *inputs);
bool foreign_fmu_step(ForeignFmu *foreign, double t, double period);
// Outputs that are not finite are an error.
bool foreign_fmu_outputs(ForeignFmu *foreign, double *outputs);

#endif
