// The words of URDF: which attributes and children an element may have.
#include <stdio.h>
#include <string.h>

#include "urdf/urdf_reader.h"

typedef struct Word {
    const char *element;
    const char *attributes[8];
    const char *children[8];
    const char *ignored[8]; // known, but about other things than motion: no note
    const char *example;
} Word;

static const Word words[] = {
    {"robot",
     {"name", "version"},
     {"link", "joint", "transmission"},
     {"material", "gazebo", "ros2_control"},
     "<robot name=\"arm\">"},
    {"link", {"name", "type"}, {"inertial", "collision"}, {"visual"}, "<link name=\"forearm\">"},
    {"inertial",
     {NULL},
     {"origin", "mass", "inertia"},
     {NULL},
     "<inertial><mass value=\"1\"/><inertia .../></inertial>"},
    {"mass", {"value"}, {NULL}, {NULL}, "<mass value=\"1.5\"/>"},
    {"inertia",
     {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"},
     {NULL},
     {NULL},
     "<inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"/>"},
    {"origin",
     {"xyz", "rpy", "quat_xyzw"},
     {NULL},
     {NULL},
     "<origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/>"},
    {"collision",
     {"name"},
     {"origin", "geometry"},
     {"verbose"},
     "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>"},
    {"geometry",
     {NULL},
     {"sphere", "box", "cylinder", "mesh", "capsule"},
     {NULL},
     "<geometry><sphere radius=\"0.1\"/></geometry>"},
    {"sphere", {"radius"}, {NULL}, {NULL}, "<sphere radius=\"0.1\"/>"},
    {"box", {"size"}, {NULL}, {NULL}, "<box size=\"0.1 0.2 0.3\"/>"},
    {"cylinder", {"radius", "length"}, {NULL}, {NULL}, "<cylinder radius=\"0.1\" length=\"0.5\"/>"},
    {"mesh", {"filename", "scale"}, {NULL}, {NULL}, "<mesh filename=\"arm.stl\"/>"},
    {"capsule", {"radius", "length"}, {NULL}, {NULL}, "<capsule radius=\"0.1\" length=\"0.5\"/>"},
    {"joint",
     {"name", "type"},
     {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
     {"calibration", "safety_controller"},
     "<joint name=\"elbow\" type=\"revolute\">"},
    {"parent", {"link"}, {NULL}, {NULL}, "<parent link=\"upper_arm\"/>"},
    {"child", {"link"}, {NULL}, {NULL}, "<child link=\"forearm\"/>"},
    {"axis", {"xyz"}, {NULL}, {NULL}, "<axis xyz=\"0 0 1\"/>"},
    {"limit",
     {"lower", "upper", "effort", "velocity"},
     {NULL},
     {NULL},
     "<limit lower=\"-1.5\" upper=\"1.5\" effort=\"30\" velocity=\"2\"/>"},
    {"dynamics",
     {"damping", "friction", "armature"},
     {NULL},
     {NULL},
     "<dynamics damping=\"0.5\" friction=\"1.2\"/>"},
    {"mimic", {"joint", "multiplier", "offset"}, {NULL}, {NULL}, "<mimic joint=\"elbow\"/>"},
};

static const Word *find_word(const char *element)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(words[i].element, element) == 0) return &words[i];
    return NULL;
}

const char *urdf_example(const char *element)
{
    const Word *word = find_word(element);
    return word != NULL ? word->example : NULL;
}

static int length_of(const char *const *list)
{
    int count = 0;
    while (count < 8 && list[count] != NULL) ++count;
    return count;
}

static bool in(const char *const *list, const char *name)
{
    for (int i = 0; i < length_of(list); ++i)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

enum { MOST_IGNORED = 16 }; // different words in the table above

// What was noted already, so that a file of a hundred joints gets one note and not a hundred.
typedef struct Seen {
    UrdfReader *reader;
    const char *names[2 * URDF_MOST_MESSAGES]; // of the element, and in it
    int count;
    const char *ignored[MOST_IGNORED];
    int ignored_times[MOST_IGNORED], ignored_count;
    Mark ignored_mark;
} Seen;

static bool is_new(Seen *seen, const char *element, const char *name)
{
    for (int i = 0; i < seen->count; ++i)
        if (strcmp(seen->names[2 * i], element) == 0 && strcmp(seen->names[2 * i + 1], name) == 0)
            return false;
    if (seen->count == URDF_MOST_MESSAGES) return false;
    seen->names[2 * seen->count] = element;
    seen->names[2 * seen->count++ + 1] = name;
    return true;
}

static void note(Seen *seen, Mark mark, const char *what, const char *name, const Word *word,
                 const char *const *known)
{
    if (!is_new(seen, word->element, name)) return;
    const char *nearest = scene_nearest(name, known, length_of(known));
    urdf_say(seen->reader, nearest != NULL ? STI_WARNING : STI_NOTE, mark,
             "%s '%.60s' of <%s> is not known and not used%s%s%s", what, name, word->element,
             nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
             nearest != NULL ? "'?" : "");
}

static void check_attributes(Seen *seen, const XmlElement *element, const Word *word)
{
    for (int i = 0; i < element->attribute_count; ++i) {
        const XmlAttribute *attribute = &element->attributes[i];
        if (begins_with(attribute->name, "xmlns") || in(word->attributes, attribute->name))
            continue;
        note(seen, attribute->mark, "attribute", attribute->name, word, word->attributes);
    }
}

static const XmlElement *child_of(const XmlElement *element, const char *name)
{
    const XmlElement *child = element != NULL ? element->children : NULL;
    while (child != NULL && strcmp(child->name, name) != 0) child = child->next;
    return child;
}

// Meshes of <visual> are drawn in replays (urdf_drawing.c); its boxes, spheres and cylinders are not.
static bool is_drawn(const XmlElement *element)
{
    return strcmp(element->name, "visual") == 0 &&
           child_of(child_of(element, "geometry"), "mesh") != NULL;
}

static void count_ignored(Seen *seen, const XmlElement *element)
{
    if (is_drawn(element)) return;
    int i = 0;
    while (i < seen->ignored_count && strcmp(seen->ignored[i], element->name) != 0) ++i;
    if (i == MOST_IGNORED) return;
    if (i == seen->ignored_count) seen->ignored[seen->ignored_count++] = element->name;
    if (i == 0 && seen->ignored_times[0] == 0) seen->ignored_mark = element->mark;
    ++seen->ignored_times[i];
}

static void say_ignored(const Seen *seen)
{
    for (int i = 0; i < seen->ignored_count; ++i) {
        char text[64];
        snprintf(text, sizeof text, "%d <%s>", seen->ignored_times[i], seen->ignored[i]);
        urdf_gather(seen->reader, STI_NOTE, seen->ignored_mark,
                    "left out: what is about other things than motion and contact", text);
    }
}

// Only what is known is entered, so this goes a few levels deep.
static void check_element(Seen *seen, const XmlElement *element)
{
    const Word *word = find_word(element->name);
    if (word == NULL) return;
    check_attributes(seen, element, word);
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        if (in(word->children, child->name))
            check_element(seen, child);
        else if (begins_with(child->name, "xacro:"))
            urdf_error(seen->reader, child->mark,
                       "<%.60s> is for xacro, which must expand the file first: "
                       "xacro arm.urdf.xacro > arm.urdf",
                       child->name);
        else if (in(word->ignored, child->name))
            count_ignored(seen, child);
        else
            note(seen, child->mark, "element", child->name, word, word->children);
    }
}

void urdf_note_unknown(UrdfReader *reader)
{
    Seen seen = {.reader = reader};
    check_element(&seen, reader->robot);
    say_ignored(&seen);
}
