#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "algebra/neighbours.h"
#include "support/random.h"

enum { MOST = 40 };

static bool touch(const Memberships *m, int a, int b)
{
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (m->of[a][i] >= 0 && m->of[a][i] == m->of[b][j]) return true;
    return false;
}

static Memberships draw(StiArena *arena, Random *random)
{
    Memberships m;
    const int count = random_below(random, MOST + 1), groups = 1 + random_below(random, MOST);
    assert_true(sti_memberships_take(arena, count, groups, &m));
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) m.of[i][k] = random_below(random, groups + 1) - 1;
        if (m.of[i][1] == m.of[i][0]) m.of[i][1] = -1;
    }
    sti_memberships_list(&m);
    return m;
}

static void put_at(int *numbers, int from, int to)
{
    const int number = numbers[from];
    memmove(&numbers[to + 1], &numbers[to], (size_t)(from - to) * sizeof *numbers);
    numbers[to] = number;
}

// Pair by pair, as it is defined.
static void order_by_pairs(const Memberships *m, int *items)
{
    int degrees[MOST] = {0};
    for (int i = 0; i < m->count; ++i) {
        items[i] = i;
        for (int k = 0; k < m->count; ++k) degrees[i] += touch(m, k, i);
    }
    for (int done = 0, front = 0; done < m->count; ++front) {
        if (front == done) {
            int best = done;
            for (int i = done + 1; i < m->count; ++i)
                if (degrees[items[i]] < degrees[items[best]]) best = i;
            put_at(items, best, done++);
        }
        for (int i = done; i < m->count; ++i)
            if (touch(m, items[front], items[i])) put_at(items, i, done++);
    }
}

static void the_order_is_that_of_all_pairs(void **state)
{
    (void)state;
    Random random = {1};
    for (int trial = 0; trial < 2000; ++trial) {
        StiArena arena = {0};
        const Memberships m = draw(&arena, &random);
        int expected[MOST], order[MOST];
        order_by_pairs(&m, expected);
        assert_true(sti_order_neighbours(&arena, &m, order));
        assert_memory_equal(order, expected, (size_t)m.count * sizeof *order);
        sti_arena_release(&arena);
    }
}

static void members_are_those_that_touch(void **state)
{
    (void)state;
    Random random = {2};
    for (int trial = 0; trial < 500; ++trial) {
        StiArena arena = {0};
        const Memberships m = draw(&arena, &random);
        for (int i = 0; i < m.count; ++i) {
            int shared[MOST], count = 0;
            const int found = sti_members_of(&m, m.of[i], shared);
            assert_int_equal(found, sti_members_of(&m, m.of[i], NULL));
            for (int k = 0; k < m.count; ++k)
                if (touch(&m, i, k)) assert_int_equal(shared[count++], k);
            assert_int_equal(count, found);
        }
        sti_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_all_pairs),
        cmocka_unit_test(members_are_those_that_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
