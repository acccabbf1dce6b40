// The numbers of a hard contact: friction, resistance to rolling and spinning, restitution.
#include "read/contacts.h"
#include "read/materials.h"

// Friction that is not mu in all directions and at all speeds.
static bool read_own_friction(Reader *reader, const Node *node, StiContact *contact)
{
    double along[3] = {0.0};
    const Node *bristle = scene_node_find(node, "bristle");
    const Node *law = scene_node_find(node, "law"), *direction = scene_node_find(node, "along"),
               *across = scene_node_find(node, "mu_across");
    bool good = scene_number_at(reader, node, "mu_across", &contact->mu_across);
    good = scene_vector_at(reader, node, "along", 3, 3, along) && good;
    contact->along = sti_vec3(along[0], along[1], along[2]);
    if ((direction == NULL) != (across == NULL)) {
        scene_error(reader, (direction != NULL ? direction : across)->mark,
                    "'mu_across' and 'along' go together: mu counts along it");
        good = false;
    }
    if (across != NULL && good && !(contact->mu_across > 0.0)) {
        scene_error(reader, across->mark, "mu_across must be above 0, not %g", contact->mu_across);
        good = false;
    }
    if (bristle != NULL)
        good = scene_read_contact_bristle(reader, bristle, &contact->bristle) && good;
    return law == NULL ? good
                       : scene_read_contact_law(reader, law, contact->mu, contact->mu_static,
                                                &contact->law) &&
                             good;
}

bool scene_read_contact_numbers(Reader *reader, const Node *node, StiContact *contact)
{
    const Node *capacity = scene_node_find(node, "capacity");
    bool good = scene_number_at(reader, node, "mu", &contact->mu);
    good = scene_number_at(reader, node, "mu_static", &contact->mu_static) && good;
    good = read_own_friction(reader, node, contact) && good;
    if (reader->materials != NULL) {
        contact->materials = reader->materials->pairs;
        contact->material_count = reader->materials->pair_count;
    }
    good = scene_number_at(reader, node, "rolling", &contact->rolling) && good;
    good = scene_number_at(reader, node, "spinning", &contact->spinning) && good;
    good = scene_number_at(reader, node, "restitution", &contact->restitution) && good;
    const Node *model = scene_node_find(node, "restitution_model");
    if (model != NULL) {
        const int word = scene_word(reader, model, "restitution_model", scene_restitution_words);
        contact->sequential = word == 1;
        good = good && word >= 0;
    }
    if (capacity != NULL)
        good = scene_count(reader, capacity, "capacity", 1, 1000000, &contact->capacity) && good;
    return good;
}
