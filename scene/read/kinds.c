// The kinds that a scene may name, for lists and explanations.
#include "read/reader.h"

static const Kind *kind_at(StiSection section, int number)
{
    int count;
    const Kind *kinds =
        section == STI_SECTION_BODIES ? scene_body_kinds(&count) : scene_element_kinds(&count);
    return number >= 0 && number < count ? &kinds[number] : NULL;
}

bool sti_scene_kind(StiSection section, int number, StiSceneKind *kind)
{
    const Kind *from = kind_at(section, number);
    if (from == NULL) return false;
    *kind = (StiSceneKind){from->name, from->summary, from->key_count};
    return true;
}

bool sti_scene_kind_key(StiSection section, int kind, int number, StiSceneKey *key)
{
    const Kind *from = kind_at(section, kind);
    if (from == NULL || number < 0 || number >= from->key_count) return false;
    const Key *known = &from->keys[number];
    *key = (StiSceneKey){known->name, known->meaning, known->required};
    return true;
}
