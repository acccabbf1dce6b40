// FMI 3.0: types that no variable of these FMUs has, clocks, and what goes with them.
#include "fmi3/instance3.h"

// Asking for none of them is right.
static fmi3Status none(fmi3Instance c, const char *function, unsigned phases, size_t count)
{
    if (!instance_allows(c, function, phases)) return fmi3Error;
    if (count == 0) return fmi3OK;
    return (fmi3Status)instance_say(c, OUTCOME_ERROR,
                                    "%s: all variables of this FMU are of type Float64", function);
}

#define GETTER(type) \
    fmi3Status FMI3(fmi3Get##type)(fmi3Instance c, const fmi3ValueReference references[], \
                                   size_t count, fmi3##type values[], size_t value_count) \
    { \
        (void)references, (void)values; \
        return none(c, __func__, FMI3_READABLE, count + value_count); \
    }
#define SETTER(type) \
    fmi3Status FMI3(fmi3Set##type)(fmi3Instance c, const fmi3ValueReference references[], \
                                   size_t count, const fmi3##type values[], size_t value_count) \
    { \
        (void)references, (void)values; \
        return none(c, __func__, FMI3_WRITABLE, count + value_count); \
    }
GETTER(Float32)
GETTER(Int8)
GETTER(UInt8)
GETTER(Int16)
GETTER(UInt16)
GETTER(Int32)
GETTER(UInt32)
GETTER(Int64)
GETTER(UInt64)
GETTER(Boolean)
GETTER(String)
SETTER(Float32)
SETTER(Int8)
SETTER(UInt8)
SETTER(Int16)
SETTER(UInt16)
SETTER(Int32)
SETTER(UInt32)
SETTER(Int64)
SETTER(UInt64)
SETTER(Boolean)
SETTER(String)

fmi3Status FMI3(fmi3GetBinary)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                               size_t sizes[], fmi3Binary values[], size_t value_count)
{
    (void)references, (void)sizes, (void)values;
    return none(c, __func__, FMI3_READABLE, count + value_count);
}

fmi3Status FMI3(fmi3SetBinary)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                               const size_t sizes[], const fmi3Binary values[], size_t value_count)
{
    (void)references, (void)sizes, (void)values;
    return none(c, __func__, FMI3_WRITABLE, count + value_count);
}

// ---- clocks -------------------------------------------------------------------------------------

static fmi3Status no_clocks(fmi3Instance c, const char *function, size_t count)
{
    if (!instance_allows(c, function, PHASE_INITIALIZATION | PHASE_EVENT | PHASE_STEP))
        return fmi3Error;
    if (count == 0) return fmi3OK;
    return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: this FMU has no clocks", function);
}

fmi3Status FMI3(fmi3GetClock)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                              fmi3Clock values[])
{
    (void)references, (void)values;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3SetClock)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                              const fmi3Clock values[])
{
    (void)references, (void)values;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3GetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference references[],
                                        size_t count, fmi3Float64 intervals[],
                                        fmi3IntervalQualifier qualifiers[])
{
    (void)references, (void)intervals, (void)qualifiers;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3GetIntervalFraction)(fmi3Instance c, const fmi3ValueReference references[],
                                         size_t count, fmi3UInt64 counters[],
                                         fmi3UInt64 resolutions[],
                                         fmi3IntervalQualifier qualifiers[])
{
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3GetShiftDecimal)(fmi3Instance c, const fmi3ValueReference references[],
                                     size_t count, fmi3Float64 shifts[])
{
    (void)references, (void)shifts;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3GetShiftFraction)(fmi3Instance c, const fmi3ValueReference references[],
                                      size_t count, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3SetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference references[],
                                        size_t count, const fmi3Float64 intervals[])
{
    (void)references, (void)intervals;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3SetIntervalFraction)(fmi3Instance c, const fmi3ValueReference references[],
                                         size_t count, const fmi3UInt64 counters[],
                                         const fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3SetShiftDecimal)(fmi3Instance c, const fmi3ValueReference references[],
                                     size_t count, const fmi3Float64 shifts[])
{
    (void)references, (void)shifts;
    return no_clocks(c, __func__, count);
}

fmi3Status FMI3(fmi3SetShiftFraction)(fmi3Instance c, const fmi3ValueReference references[],
                                      size_t count, const fmi3UInt64 counters[],
                                      const fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return no_clocks(c, __func__, count);
}

static fmi3Status refused(fmi3Instance c, const char *function, const char *why)
{
    if (c == NULL) return fmi3Error;
    return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: %s", function, why);
}

fmi3Status FMI3(fmi3ActivateModelPartition)(fmi3Instance c, fmi3ValueReference clock,
                                            fmi3Float64 time)
{
    (void)clock, (void)time;
    return refused(c, __func__, "this FMU has no scheduled execution");
}

fmi3Status FMI3(fmi3EnterConfigurationMode)(fmi3Instance c)
{
    return refused(c, __func__, "this FMU has no structural parameters");
}

fmi3Status FMI3(fmi3ExitConfigurationMode)(fmi3Instance c)
{
    return refused(c, __func__, "this FMU has no structural parameters");
}

fmi3Status FMI3(fmi3GetAdjointDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[],
                                          size_t unknown_count, const fmi3ValueReference knowns[],
                                          size_t known_count, const fmi3Float64 seed[],
                                          size_t seed_count, fmi3Float64 result[],
                                          size_t result_count)
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed,
        (void)seed_count, (void)result;
    (void)result_count;
    return refused(c, __func__, "providesAdjointDerivatives is false");
}

fmi3Status FMI3(fmi3GetNumberOfVariableDependencies)(fmi3Instance c, fmi3ValueReference reference,
                                                     size_t *count)
{
    (void)reference, (void)count;
    return refused(c, __func__, "providesPerElementDependencies is false");
}

fmi3Status FMI3(fmi3GetVariableDependencies)(fmi3Instance c, fmi3ValueReference dependent,
                                             size_t elements[], fmi3ValueReference independents[],
                                             size_t independent_elements[],
                                             fmi3DependencyKind kinds[], size_t count)
{
    (void)dependent, (void)elements, (void)independents, (void)independent_elements, (void)kinds,
        (void)count;
    return refused(c, __func__, "providesPerElementDependencies is false");
}

fmi3Status FMI3(fmi3GetOutputDerivatives)(fmi3Instance c, const fmi3ValueReference references[],
                                          size_t count, const fmi3Int32 orders[],
                                          fmi3Float64 values[], size_t value_count)
{
    (void)references, (void)count, (void)orders, (void)values, (void)value_count;
    return refused(c, __func__, "maxOutputDerivativeOrder is 0");
}

fmi3Instance FMI3(fmi3InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)update,
        (void)lock, (void)unlock;
    if (log != NULL)
        log(environment, fmi3Error, "logStatusError",
            "fmi3InstantiateScheduledExecution: this FMU has co-simulation and model exchange");
    return NULL;
}
