// The kinds that a scene may name, for lists and explanations.
#include "read/models.h"

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
    FrictionKeys friction;
    if (from->keys == NULL) scene_friction_keys(&friction);
    *kind = (StiSceneKind){from->name, from->summary,
                           from->keys != NULL ? from->key_count : friction.count};
    return true;
}

bool sti_scene_kind_key(StiSection section, int kind, int number, StiSceneKey *key)
{
    const Kind *from = kind_at(section, kind);
    FrictionKeys friction;
    if (from != NULL && from->keys == NULL) scene_friction_keys(&friction);
    const int count = from == NULL ? 0 : from->keys != NULL ? from->key_count : friction.count;
    if (number < 0 || number >= count) return false;
    const Key *known = from->keys != NULL ? &from->keys[number] : &friction.keys[number];
    *key = (StiSceneKey){known->name, known->meaning, known->required};
    return true;
}
