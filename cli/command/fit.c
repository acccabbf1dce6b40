// stiction fit SCENE: parameters from measured logs.
#include "command/command.h"
#include "fit/fit_run.h"

const Command command_fit = {
    .name = "fit",
    .summary = "parameters from measured logs, and how well they are known",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text = "Looks for the parameters with which the scene does what was measured, as its section "
            "fit says or the "
            "options do: residuals over all logs and channels, the search of Levenberg and "
            "Marquardt from several "
            "starts on all cores, intervals corrected for residuals that depend on each other. "
            "What the logs do not "
            "tell is named.\n\nstiction fit drive.yaml --data log.csv --map m.x=position --drive "
            "u=volts "
            "--free friction.level=0:50,friction.viscous=0:500,m.mass --report fit.html",
    .options = {OPTION_DATA,       OPTION_MAP,      OPTION_DRIVE,  OPTION_FREE,   OPTION_START,
                OPTION_FIT_MODELS, OPTION_WINDOW,   OPTION_STARTS, OPTION_SEED,   OPTION_FOLDS,
                OPTION_PROFILE,    OPTION_EVALUATE, OPTION_FITTED, OPTION_REPORT, OPTION_WRITE_BACK,
                OPTION_RESUME,     OPTION_JOBS,     OPTION_SET,    OPTION_STEP,   OPTION_VARIANT,
                OPTION_CONFINE,    OPTION_QUIET},
    .run = fit_run,
};
