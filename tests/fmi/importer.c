#define _XOPEN_SOURCE 700
#include "importer.h"

#include <dlfcn.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Thread_local char last_message[1024];
_Thread_local int message_count;

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    return remove(path);
}

static char *read_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    const bool good = bytes != NULL && fread(bytes, 1, *length, file) == *length;
    fclose(file);
    if (!good) return NULL;
    bytes[*length] = '\0';
    return bytes;
}

char *read_text(const char *path)
{
    size_t length;
    return read_bytes(path, &length);
}

static uint32_t number(const char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) value = (value << 8) | (unsigned char)at[i];
    return value;
}

static bool write_member(const char *folder, const char *name, const char *bytes, size_t length)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    const bool good = fwrite(bytes, 1, length, file) == length;
    return fclose(file) == 0 && good;
}

// By the directory at the end, as archives are read.
bool unpack(const char *archive, const char *folder)
{
    size_t length;
    char *bytes = read_bytes(archive, &length);
    if (bytes == NULL || length < 22) return false;
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    mkdir(folder, 0777);
    const char *end = bytes + length - 22;
    bool good = number(end, 4) == 0x06054b50;
    const int count = (int)number(end + 10, 2);
    const char *at = bytes + number(end + 16, 4);
    for (int i = 0; good && i < count; ++i) {
        char name[800];
        const uint32_t size = number(at + 24, 4), name_length = number(at + 28, 2);
        const char *local = bytes + number(at + 42, 4);
        good = number(at, 4) == 0x02014b50 && number(local, 4) == 0x04034b50 &&
               number(at + 10, 2) == 0 && number(local + 18, 4) == size &&
               name_length < sizeof name;
        if (!good) break;
        snprintf(name, sizeof name, "%.*s", (int)name_length, at + 46);
        good = write_member(folder, name,
                            local + 30 + number(local + 26, 2) + number(local + 28, 2), size);
        at += 46 + name_length;
    }
    free(bytes);
    return good;
}

static void attribute(const char *xml, const char *name, char *value, size_t size)
{
    char search[80];
    snprintf(search, sizeof search, " %s=\"", name);
    const char *at = strstr(xml, search);
    value[0] = '\0';
    if (at == NULL) return;
    at += strlen(search);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)) != NULL; ++text) ++count;
    return count;
}

bool fmu2_open(Fmu2 *fmu, const char *archive, const char *folder)
{
    char path[700], identifier[80], indicators[16], absolute[400];
    memset(fmu, 0, sizeof *fmu);
    if (!unpack(archive, folder)) return false;
    if (getcwd(absolute, sizeof absolute) == NULL) return false;
    if (folder[0] == '/') absolute[0] = '\0';
    snprintf(fmu->folder, sizeof fmu->folder, "%s%s%s", absolute, absolute[0] != '\0' ? "/" : "",
             folder);
    snprintf(fmu->resources, sizeof fmu->resources, "file://%s/resources", fmu->folder);
    snprintf(path, sizeof path, "%s/modelDescription.xml", fmu->folder);
    fmu->xml = read_text(path);
    if (fmu->xml == NULL) return false;
    attribute(fmu->xml, "guid", fmu->guid, sizeof fmu->guid);
    attribute(fmu->xml, "modelIdentifier", identifier, sizeof identifier);
    attribute(fmu->xml, "numberOfEventIndicators", indicators, sizeof indicators);
    fmu->states = count_of(fmu->xml, " derivative=\"");
    fmu->indicators = atoi(indicators);
    snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", fmu->folder, identifier);
    fmu->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (fmu->library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    bool all = true;
#define FIND(name) \
    *(void **)&fmu->name = dlsym(fmu->library, #name); \
    all = all && fmu->name != NULL;
    FMI2_FUNCTIONS(FIND)
#undef FIND
    return all;
}

void fmu2_close(Fmu2 *fmu)
{
    free(fmu->xml);
    if (fmu->library != NULL) dlclose(fmu->library);
}

static void keep_message(fmi2ComponentEnvironment environment, fmi2String instance,
                         fmi2Status status, fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)instance, (void)status, (void)category;
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(last_message, sizeof last_message, message, arguments);
    va_end(arguments);
    ++message_count;
}

static const fmi2CallbackFunctions callbacks = {.logger = keep_message};

fmi2Component fmu2_instantiate(const Fmu2 *fmu, const char *name, fmi2Type type)
{
    return fmu->fmi2Instantiate(name, type, fmu->guid, fmu->resources, &callbacks, fmi2False,
                                fmi2True);
}

int fmu_reference(const char *xml, const char *name)
{
    char search[400];
    snprintf(search, sizeof search, " name=\"%s\" valueReference=\"", name);
    const char *at = strstr(xml, search);
    return at != NULL ? atoi(at + strlen(search)) : -1;
}

double fmu2_get(const Fmu2 *fmu, fmi2Component c, const char *name)
{
    const fmi2ValueReference reference = (fmi2ValueReference)fmu_reference(fmu->xml, name);
    double value = 0.0 / 0.0;
    if (fmu->fmi2GetReal(c, &reference, 1, &value) != fmi2OK)
        fprintf(stderr, "%s: %s\n", name, last_message);
    return value;
}

fmi2Status fmu2_set(const Fmu2 *fmu, fmi2Component c, const char *name, double value)
{
    const fmi2ValueReference reference = (fmi2ValueReference)fmu_reference(fmu->xml, name);
    return fmu->fmi2SetReal(c, &reference, 1, &value);
}

bool fmu2_begin(const Fmu2 *fmu, fmi2Component c, double start)
{
    return fmu->fmi2SetupExperiment(c, fmi2False, 0.0, start, fmi2False, 0.0) == fmi2OK &&
           fmu->fmi2EnterInitializationMode(c) == fmi2OK &&
           fmu->fmi2ExitInitializationMode(c) == fmi2OK;
}
