// <contact>: pairs, exclusions from the world; friction of two geoms.
#include <string.h>

#include "mjcf/mjcf_reader.h"

// ---- friction -----------------------------------------------------------------------------------

ModelSurface mjcf_surface(MjcfReader *reader, const MjcfPlace *geom)
{
    double friction[3] = {1.0, 0.005, 0.0001};
    mjcf_numbers(reader, geom, "friction", 3, friction);
    return (ModelSurface){.mu = friction[0],
                          .spinning = friction[1],
                          .rolling = friction[2],
                          .dimensions = (int)mjcf_number(reader, geom, "condim", 3.0),
                          .priority = (int)mjcf_number(reader, geom, "priority", 0.0)};
}

// ---- names that matter while geoms are read -----------------------------------------------------

static const XmlElement *next_of(const XmlElement *element, const char *name)
{
    while (element != NULL && strcmp(element->name, name) != 0) element = element->next;
    return element;
}

static const char *text_of(const XmlElement *element, const char *attribute)
{
    const XmlAttribute *found = element != NULL ? xml_attribute(element, attribute) : NULL;
    return found != NULL ? found->value : "";
}

static void find_pair(MjcfReader *reader, const XmlElement *pair)
{
    MjcfContacts *contacts = &reader->contacts;
    const char *floor = text_of(reader->floor.element, "name");
    const char *ends[2] = {text_of(pair, "geom1"), text_of(pair, "geom2")};
    for (int i = 0; i < 2; ++i)
        if (floor[0] != '\0' && strcmp(ends[i], floor) == 0)
            sti_names_put(&contacts->paired_with_floor, reader->base->arena, ends[1 - i], 0);
}

static void find_exclusion(MjcfReader *reader, const XmlElement *exclude)
{
    const char *ends[2] = {text_of(exclude, "body1"), text_of(exclude, "body2")};
    for (int i = 0; i < 2; ++i)
        if (strcmp(ends[i], "world") == 0)
            sti_names_put(&reader->contacts.excluded, reader->base->arena, ends[1 - i], 0);
}

static size_t count_geoms(const XmlElement *element)
{
    size_t count = 0;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        count += (strcmp(child->name, "geom") == 0) + count_geoms(child);
    return count;
}

void mjcf_find_contacts(MjcfReader *reader)
{
    MjcfContacts *contacts = &reader->contacts;
    const size_t most = count_geoms(reader->root) + 1;
    contacts->spots = sti_arena_take(reader->base->arena, most, sizeof *contacts->spots);
    contacts->places = sti_arena_take(reader->base->arena, most, sizeof *contacts->places);
    for (const XmlElement *part = next_of(reader->root->children, "contact"); part != NULL;
         part = next_of(part->next, "contact"))
        for (const XmlElement *child = part->children; child != NULL; child = child->next) {
            if (strcmp(child->name, "pair") == 0) find_pair(reader, child);
            if (strcmp(child->name, "exclude") == 0) find_exclusion(reader, child);
        }
}

void mjcf_keep_geom(MjcfReader *reader, const MjcfPlace *place, MjcfSpot spot)
{
    MjcfContacts *contacts = &reader->contacts;
    const char *name = text_of(place->element, "name");
    if (name[0] == '\0' || contacts->spots == NULL || contacts->places == NULL) return;
    if (sti_names_put(&contacts->geom_names, reader->base->arena, name, contacts->count) !=
        contacts->count)
        return;
    contacts->spots[contacts->count] = spot;
    contacts->places[contacts->count++] = *place;
}

bool mjcf_is_paired_with_floor(const MjcfReader *reader, const XmlElement *geom)
{
    return sti_names_find(&reader->contacts.paired_with_floor, text_of(geom, "name")) >= 0;
}

bool mjcf_is_excluded(const MjcfReader *reader, int link)
{
    return link >= 0 &&
           sti_names_find(&reader->contacts.excluded, reader->model->links[link].name) >= 0;
}

// ---- pairs --------------------------------------------------------------------------------------

// The number of the geom; -1 after an error.
static int find_geom(MjcfReader *reader, const XmlElement *pair, const char *attribute)
{
    const char *name = text_of(pair, attribute);
    const int number = sti_names_find(&reader->contacts.geom_names, name);
    if (number < 0)
        mjcf_error(reader, pair->mark, "%s of this pair is no geom of the model: '%.60s'",
                   attribute, name);
    return number;
}

// What the pair says counts in place of what its geoms say.
static ModelSurface pair_grip(MjcfReader *reader, const MjcfPlace *pair, const int geoms[2])
{
    const ModelSurface a = mjcf_surface(reader, &reader->contacts.places[geoms[0]]),
                       b = mjcf_surface(reader, &reader->contacts.places[geoms[1]]);
    ModelSurface both = model_grip(&a, &b);
    double own[5];
    const int count = mjcf_numbers(reader, pair, "friction", 5, own);
    both.dimensions = (int)mjcf_number(reader, pair, "condim", both.dimensions);
    if (count >= 1) both.mu = own[0];
    if (count >= 3) both.spinning = own[2];
    if (count >= 4) both.rolling = own[3];
    if ((count >= 2 && own[0] != own[1]) || (count == 5 && own[3] != own[4]))
        mjcf_note(reader, STI_WARNING, pair->element->mark,
                  "changed: friction of pairs is the same in all directions, the first number",
                  text_of(pair->element, "geom1"));
    return both;
}

static void read_pair(MjcfReader *reader, const XmlElement *element)
{
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    const MjcfContacts *contacts = &reader->contacts;
    int geoms[2] = {find_geom(reader, element, "geom1"), find_geom(reader, element, "geom2")};
    if (geoms[0] < 0 || geoms[1] < 0) return;
    if (contacts->spots[geoms[0]].link < 0) { // the world stands second
        const int world = geoms[0];
        geoms[0] = geoms[1];
        geoms[1] = world;
    }
    const MjcfSpot *a = &contacts->spots[geoms[0]], *b = &contacts->spots[geoms[1]];
    ModelPair pair = {.name = text_of(element, "name"), .a = a->link, .b = b->link};
    if (pair.name[0] == '\0') pair.name = "pair";
    if (a->link == b->link) {
        mjcf_note(reader, STI_WARNING, element->mark, "left out: pairs of geoms of one body",
                  pair.name);
        return;
    }
    pair.grip = pair_grip(reader, &place, geoms);
    if (!mjcf_geom_shape(reader, a, &contacts->places[geoms[0]], &pair.shape_a) ||
        !mjcf_geom_shape(reader, b, &contacts->places[geoms[1]], &pair.shape_b)) {
        mjcf_note(reader, STI_NOTE, element->mark, "left out: pairs with geoms that have no shape",
                  pair.name);
        return;
    }
    reader->model->pairs[reader->model->pair_count++] = pair;
}

static void note_exclusion(MjcfReader *reader, const XmlElement *exclude)
{
    const char *a = text_of(exclude, "body1"), *b = text_of(exclude, "body2");
    if (strcmp(a, "world") == 0 || strcmp(b, "world") == 0)
        mjcf_note(reader, STI_NOTE, exclude->mark, "read: bodies that the world does not touch",
                  strcmp(a, "world") == 0 ? b : a);
}

void mjcf_read_pairs(MjcfReader *reader)
{
    size_t count = 1;
    const XmlElement *first = next_of(reader->root->children, "contact");
    for (const XmlElement *part = first; part != NULL; part = next_of(part->next, "contact"))
        for (const XmlElement *child = part->children; child != NULL; child = child->next) ++count;
    reader->model->pairs = sti_arena_take(reader->base->arena, count, sizeof *reader->model->pairs);
    if (reader->model->pairs == NULL) return;
    for (const XmlElement *part = first; part != NULL; part = next_of(part->next, "contact"))
        for (const XmlElement *child = part->children; child != NULL; child = child->next) {
            if (strcmp(child->name, "pair") == 0) read_pair(reader, child);
            if (strcmp(child->name, "exclude") == 0) note_exclusion(reader, child);
        }
}
