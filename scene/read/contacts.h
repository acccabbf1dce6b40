// Private: contact elements. With a stiffness they are soft (an impedance), without one hard (resolved by the
// solver).
#ifndef STICTION_SCENE_CONTACTS_H
#define STICTION_SCENE_CONTACTS_H

#include "stiction/law.h"
#include "yaml/places.h"

enum { SCENE_CONTACT_KEYS = 26 };
extern const Key scene_contact_keys[SCENE_CONTACT_KEYS];

void scene_read_contact(Reader *reader, const char *name, const Node *node, bool complete);
// The two ways of it.
void scene_read_soft_contact(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_hard_contact(Reader *reader, const char *name, const Node *node, bool complete);

// mu, law, bristle, rolling, restitution and so on of a hard contact; false after an error.
bool scene_read_contact_numbers(Reader *reader, const Node *node, StiContact *contact);
// Friction that yields before it slips: {kind: lugre, stiffness: 1e5, ...}.
bool scene_read_contact_bristle(Reader *reader, const Node *bristle, StiContactBristle *to);
// {kind: stribeck, stribeck_speed: 0.01}: a law of coefficients, its level the contact's mu.
bool scene_read_contact_law(Reader *reader, const Node *law, double mu, double mu_static,
                            StiLaw *to);

// "point", "sphere", "box": a shape written as a word, its sizes beside it.
extern const char *const scene_contact_shapes[];
extern const char *const scene_restitution_words[]; // the second one is sequential
// The key that such a shape needs is there, those of others are not, and its sizes are at least 0.
bool scene_check_contact_shape(Reader *reader, const Node *node, int shape);
// false after a message: a joint is no place for a contact.
bool scene_contact_place(Reader *reader, const Node *on, const char *what, Place *place);

#endif
