#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "robot/tree.h"
#include "support/random.h"

enum { MOST = 400 };

static void random_parents(Random *random, int count, StiLink *links)
{
    const int bushy = random_below(random, 11);
    int place[MOST];
    for (int i = 0; i < count; ++i) place[i] = i;
    for (int i = count - 1; i > 0; --i) {
        const int j = random_below(random, i + 1), held = place[i];
        place[i] = place[j];
        place[j] = held;
    }
    for (int i = 0; i < count; ++i) {
        const int parent =
            random_below(random, 10) < bushy ? random_below(random, i + 1) - 1 : i - 1;
        links[place[i]] = (StiLink){.name = "link", .parent = parent < 0 ? -1 : place[parent]};
    }
}

// Runs both kinds of passes with the links' numbers in place of values.
static void assert_order(const StiLink *links, const TreeOrder *orders, int count)
{
    int waiting[STI_TREE_SLOTS], here = -1, seen[MOST] = {0}, sorted[MOST];
    waiting[0] = here;
    for (int i = 0; i < count; ++i) {
        const TreeOrder *o = &orders[i];
        assert_in_range(o->link, 0, (uintmax_t)count - 1);
        assert_int_equal(seen[o->link]++, 0);
        sorted[o->link] = i;
        const int parent = links[o->link].parent;
        assert_int_equal(o->parent, parent < 0 ? -1 : sorted[parent]);
        if (o->slot != STI_TREE_PREVIOUS) {
            assert_in_range(o->slot, 0, STI_TREE_SLOTS - 1);
            here = waiting[o->slot];
        }
        assert_int_equal(here, parent); // what a pass from root to leaves finds
        here = o->link;
        if (o->keep != STI_TREE_NONE) waiting[o->keep] = here;
    }
    int sums[STI_TREE_SLOTS], carried = 0, size[MOST];
    for (int i = 0; i < count; ++i) size[i] = 1;
    for (int i = count - 1; i >= 0; --i) {
        const TreeOrder *o = &orders[i];
        int total = o->leaf ? 1 : 1 + carried;
        if (o->keep != STI_TREE_NONE) total += sums[o->keep];
        assert_int_equal(total, size[i]); // what a pass from leaves to root collects
        if (o->parent >= 0) size[o->parent] += size[i];
        carried = total;
        if (o->slot != STI_TREE_PREVIOUS)
            sums[o->slot] = o->last ? carried : sums[o->slot] + carried;
    }
}

static void passes_find_parents_and_collect_branches(void **state)
{
    (void)state;
    Random random = {81};
    for (int trial = 0; trial < 500; ++trial) {
        StiLink links[MOST];
        TreeOrder orders[MOST];
        const int count = 1 + random_below(&random, MOST);
        random_parents(&random, count, links);
        assert_true(sti_tree_sort(links, count, orders, NULL));
        assert_order(links, orders, count);
        for (int i = 0; i < count; ++i) assert_true(orders[i].keep < 8); // 2^8 - 1 < 400 < 2^9
    }
}

// The worst case for slots: a balanced binary tree of 2^17 - 1 links.
static void few_slots_are_enough(void **state)
{
    (void)state;
    const int count = (1 << 17) - 1;
    StiLink *links = calloc((size_t)count, sizeof *links);
    TreeOrder *orders = calloc((size_t)count, sizeof *orders);
    int most = 0;
    for (int i = 0; i < count; ++i) links[i] = (StiLink){.name = "link", .parent = (i + 1) / 2 - 1};
    assert_true(sti_tree_sort(links, count, orders, NULL));
    for (int i = 0; i < count; ++i) most = orders[i].keep > most ? orders[i].keep : most;
    assert_int_equal(most, 15);
    free(links), free(orders);
}

static void every_link_of_a_cycle_is_named(void **state)
{
    (void)state;
    // 0 on the world; 1 -> 2 -> 3 -> 1; 4 hangs on 3 but is no part of the cycle.
    const StiLink links[5] = {{.name = "base", .parent = -1},
                              {.name = "a", .parent = 3},
                              {.name = "b", .parent = 1},
                              {.name = "c", .parent = 2},
                              {.name = "leaf", .parent = 3}};
    TreeOrder orders[5];
    StiReport *report = sti_report_create();
    assert_false(sti_tree_sort(links, 5, orders, report));
    assert_int_equal(sti_report_error_count(report), 3);
    static const char *const names[3] = {"a", "b", "c"};
    for (int i = 0; i < 3; ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        assert_string_equal(finding->component, names[i]);
        assert_string_equal(finding->parameter, "parent");
    }
    sti_report_destroy(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_find_parents_and_collect_branches),
        cmocka_unit_test(few_slots_are_enough),
        cmocka_unit_test(every_link_of_a_cycle_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
