// Every way in which a signal of a plan can be wrong.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "spoilt_plans.h"

static void connect(Scene *s, StiSignal signal, int input)
{
    sti_plan_connect(s->plan, signal, s->pusher, input);
}
static StiSignal push(const Scene *s) { return sti_signal_source(s->push, 0); }
static void input_too_high(Scene *s) { connect(s, push(s), 1); }
static void input_negative(Scene *s) { connect(s, push(s), -1); }
static void input_of_one_who_does_not_listen(Scene *s)
{
    sti_plan_connect(s->plan, push(s), s->spring, 0);
}
static void input_of_nobody(Scene *s) { sti_plan_connect(s->plan, push(s), (StiElementId){99}, 0); }
static void input_of_no_body(Scene *s)
{
    sti_plan_connect_admittance(s->plan, push(s), (StiAdmittanceId){-1}, 0);
}
static void input_twice(Scene *s) { connect(s, push(s), 0); }

// A second pusher takes the signal, so that the first one's connection is not in the way.
static void signal_to_second(Scene *s, StiSignal signal)
{
    const StiElementId second = sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source,
                                                       &(StiForceSource){1}, &s->on_block);
    sti_plan_connect(s->plan, signal, second, 0);
}
static void value_too_high(Scene *s) { signal_to_second(s, sti_signal_source(s->push, 1)); }
static void value_negative(Scene *s) { signal_to_second(s, sti_signal_source(s->push, -1)); }
static void source_of_nobody(Scene *s)
{
    signal_to_second(s, sti_signal_source((StiSourceId){99}, 0));
}
static void load_of_one_without(Scene *s) { signal_to_second(s, sti_signal_load(s->block, 0)); }
static void load_of_nobody(Scene *s)
{
    signal_to_second(s, sti_signal_load((StiAdmittanceId){99}, 0));
}
static void force_of_a_reaction(Scene *s) { signal_to_second(s, sti_signal_force(s->friction, 0)); }
static void force_of_nobody(Scene *s)
{
    signal_to_second(s, sti_signal_force((StiElementId){-1}, 0));
}
static void force_component_too_high(Scene *s)
{
    signal_to_second(s, sti_signal_force(s->spring, 1));
}
static void gain_nan(Scene *s) { signal_to_second(s, sti_signal_scaled(push(s), NAN)); }
static void not_connected(Scene *s)
{
    sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source, &(StiForceSource){1},
                           &s->on_block);
}
static void second_value_not_connected(Scene *s)
{
    const StiElementId id = sti_plan_add_impedance(s->plan, "second", &sti_kind_force_source,
                                                   &(StiForceSource){3}, &(StiWire){.kind = NULL});
    sti_plan_connect(s->plan, push(s), id, 0);
    sti_plan_connect(s->plan, push(s), id, 2);
}
static void motion_with_too_few_values(Scene *s)
{
    sti_plan_add_motion(s->plan, "other", 1, (StiTimeFunction){.count = 1, .eval = no_motion});
}
static void motion_with_too_many_values(Scene *s)
{
    sti_plan_add_motion(s->plan, "other", 1, (StiTimeFunction){.count = 3, .eval = no_motion});
}
static void body_that_listens_to_a_force(Scene *s)
{
    const StiAdmittanceId other =
        sti_plan_add_admittance(s->plan, "other", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
    sti_plan_connect_admittance(s->plan, push(s), other, 0);
    sti_plan_connect_admittance(s->plan, sti_signal_force(s->spring, 0), other, 1);
}
static void level_without_load(Scene *s)
{
    add_rule(s->plan, "other", s->on_block, sti_law_times_load(sti_law_coulomb(0.3)), 0.0);
}

static void wrong_signals(void **state)
{
    (void)state;
    const Case cases[] = {
        {input_too_high, "pusher", "signal", 1.0, "there are 1"},
        {input_negative, "pusher", "signal", -1.0, "there are 1"},
        {input_of_one_who_does_not_listen, "spring", "signal", 0.0, "there are 0"},
        {input_of_nobody, "", "signal", 0.0, "input that does not exist"},
        {input_of_no_body, "", "signal", 0.0, "input that does not exist"},
        {input_twice, "pusher", "signal", 0.0, "connected twice"},
        {value_too_high, "second", "signal", 1.0, "there are 1 values there"},
        {value_negative, "second", "signal", -1.0, "there are 1 values there"},
        {source_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {load_of_one_without, "second", "signal", 0.0, "there are 0 values there"},
        {load_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {force_of_a_reaction, "second", "signal", 0.0, "there are 0 values there"},
        {force_of_nobody, "second", "signal", 0.0, "origin does not exist"},
        {force_component_too_high, "second", "signal", 1.0, "there are 1 values there"},
        {gain_nan, "second", "signal", NAN, "gain must be finite"},
        {not_connected, "second", "signal", 0.0, "not connected"},
        {second_value_not_connected, "second", "signal", 1.0, "not connected"},
        {motion_with_too_few_values, "other", "signal", 1.0, "not connected"},
        {motion_with_too_many_values, "other", "signal", 2.0, "there are 2"},
        {body_that_listens_to_a_force, "other", "signal", NAN, "time functions and inputs only"},
        {level_without_load, "other", "signal", 0.0, "a load, an input or a time function"},
    };
    ASSERT_ALL_REFUSED(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_signals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
