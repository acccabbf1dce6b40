// ARK3(2)4L[2]SA, Kennedy and Carpenter 2003.
#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "the pair ARK3(2)4L[2]SA, tau = 0.4359 T; cut as ark4\n",
    .use = "Where stick oscillations are not resolved by the step and must die out quickly.",
    .source = "Kennedy and Carpenter 2003; docs/methods.md.",
};

const StiMethod sti_method_ark3 = {
    .table_size = sizeof(StiMethod),
    .name = "ark3",
    .summary = "like ark4 with order 3: damps what the step does not resolve more strongly",
    .stages = 4,
    .order = 3,
    .A = {{0.0},
          {2.0 * 0.4358665215084589994},
          {0.52758901197630041156, 0.07241098802369958844},
          {0.39909600767607013206, -0.43755765461351944372, 1.03846164693744931166}},
    .b = {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347,
          0.4358665215084589994},
    .c = {0.0, 2.0 * 0.4358665215084589994, 0.6, 1.0},
    .tau = {0.0, 0.4358665215084589994, 0.4358665215084589994, 0.4358665215084589994},
    .cuts = true,
    .AI = {{0.0},
           {0.4358665215084589994, 0.4358665215084589994},
           {0.2576482460664272458, -0.09351476757488624522, 0.4358665215084589994},
           {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347,
            0.4358665215084589994}},
    .gamma = 0.4358665215084589994,
    .explanation = &explanation,
};
