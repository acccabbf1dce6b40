// The net: seeded random scenes of all kinds and the scenes of the repository, under every method,
// before all judges. STI_NET_KIND, STI_NET_SEED and STI_NET_METHOD pick out one of them;
// STI_NET_SCENES names a folder for the scenes that fail; STI_NET_MARKS prints the table of marks.
#ifndef STICTION_TESTS_NET_H
#define STICTION_TESTS_NET_H

#include "support/net_judge.h"

// What holds today of a kind under a method: all but these judges, a set of 1 << judge.
typedef struct NetFamily {
    const char *kind;
    NetMethod method;
    unsigned fails;
} NetFamily;

typedef struct NetPlan {
    const NetFamily *families; // those that do not hold; all others do
    int family_count;
    int seeds;       // of each kind: 0 to seeds - 1
    int file_stride; // every so many of the files
    NetMethod methods; // those before this one; 0: all
    bool all; // ask judges that are marked as failing, too: where none fails, the mark has to go
    double seconds; // of processor time for one run
} NetPlan;

// Print a table; return how many families are not as marked.
int net_cast(const NetPlan *plan);
int net_cast_files(const NetPlan *plan, const char *root, const char *const *patterns, int count);

#endif
