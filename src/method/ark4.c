// ARK4(3)6L[2]SA, Kennedy and Carpenter 2003.
#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "the pair ARK4(3)6L[2]SA: smooth forces explicit, friction behind\n"
                 "springs and in a plane implicit, tau = T/4; cut where stick or slip\n"
                 "ends\n",
    .use = "Elastic friction of any stiffness, planar friction.",
    .source = "Kennedy and Carpenter 2003; docs/methods.md.",
};

const StiMethod sti_method_ark4 = {
    .table_size = sizeof(StiMethod),
    .name = "ark4",
    .summary = "implicit for stiff friction, cut at stick and slip: order 4 in both and across",
    .stages = 6,
    .order = 4,
    .A = {{0.0},
          {0.5},
          {13861.0 / 62500.0, 6889.0 / 62500.0},
          {-116923316275.0 / 2393684061468.0, -2731218467317.0 / 15368042101831.0,
           9408046702089.0 / 11113171139209.0},
          {-451086348788.0 / 2902428689909.0, -2682348792572.0 / 7519795681897.0,
           12662868775082.0 / 11960479115383.0, 3355817975965.0 / 11060851509271.0},
          {647845179188.0 / 3216320057751.0, 73281519250.0 / 8382639484533.0,
           552539513391.0 / 3454668386233.0, 3354512671639.0 / 8306763924573.0, 4040.0 / 17871.0}},
    .b = {82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25},
    .c = {0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0},
    .tau = {0.0, 0.25, 0.25, 0.25, 0.25, 0.25},
    .cuts = true,
    .AI = {{0.0},
           {0.25, 0.25},
           {8611.0 / 62500.0, -1743.0 / 31250.0, 0.25},
           {5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25},
           {15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0,
            2285395.0 / 8070912.0, 0.25},
           {82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0,
            0.25}},
    .gamma = 0.25,
    .explanation = &explanation,
};
