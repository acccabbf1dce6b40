#ifndef STICTION_PEERS_EXPERIMENTS_H
#define STICTION_PEERS_EXPERIMENTS_H

#include "table.h"

// Does every simulator model the same machine? Mass, gravity, and the first milliseconds.
bool check_physics(void);
// Cases 1 to 6: accuracy and drift.
void run_experiments(const Report *report, int repetitions);
// Case 7: cost of the chain over its length. Case 9: cost of a six-axis arm.
void run_costs(const Report *report, int repetitions);
// Case 8: error against processor time.
void run_work_precision(const Report *report, int repetitions);
// Case 10: many copies.
void run_batch(const Report *report, int copies);

#endif
