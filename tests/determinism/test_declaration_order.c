// A network of every kind of component, declared in many orders: the same bits at every step.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "every_case.h"

static void same_bits_in_any_order(const EveryCase *c, const uint64_t *hashes)
{
    const uint64_t orders = c->reactions || c->method == &sti_method_rk4 ? 10 : 3;
    for (uint64_t seed = 1; seed <= orders; ++seed) {
        Built built = every_built(c, seed);
        for (int k = 0; k < every_steps(); ++k) {
            every_step(&built);
            const bool same = sti_state_hash(built.state) == hashes[k];
            if (!same) print_error("order %d differs from step %d on\n", (int)seed, k);
            assert_true(same);
        }
        release(&built);
    }
}

static void the_order_of_declaration_does_not_matter(void **state)
{
    (void)state;
    for_every_case(same_bits_in_any_order);
}

static void nor_does_it_change_the_layout(void **state)
{
    (void)state;
    EveryCase c;
    for (int i = 0; every_case(i, &c); ++i) {
        Built listed = every_built(&c, 0), shuffled = every_built(&c, 5);
        assert_true(sti_network_layout(listed.network) == sti_network_layout(shuffled.network));
        release(&listed);
        release(&shuffled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_declaration_does_not_matter),
        cmocka_unit_test(nor_does_it_change_the_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
