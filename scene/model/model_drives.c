// What drives and binds joints: drives with their inputs, couplings, loops.
#include <math.h>
#include <string.h>

#include "model/model_text.h"
#include "model/model_writer.h"

static void write_number(FILE *to, const char *key, double value, double usual)
{
    if (value == usual) return;
    fprintf(to, ", %s: ", key);
    yaml_number(to, value);
}

void model_write_inputs(Writer *writer, const char **names)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->drive_count; ++i) {
        const ModelDrive *drive = &model->drives[i];
        if (i == 0) fputs("inputs:\n", writer->to);
        names[i] = model_new_name(writer, drive->name);
        fprintf(writer->to, "  %s: {value: ", names[i]);
        yaml_number(writer->to, drive->command);
        fputc('}', writer->to);
        if (drive->ranged) {
            fputs("   # ", writer->to);
            yaml_number(writer->to, drive->least);
            fputs(" to ", writer->to);
            yaml_number(writer->to, drive->most);
        }
        fputc('\n', writer->to);
    }
}

void model_write_drives(Writer *writer, const char *const *inputs)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->drive_count; ++i) {
        const StiActuator *p = &model->drives[i].drive;
        char name[96];
        snprintf(name, sizeof name, "%.31s_actuator", inputs[i]);
        fprintf(writer->to, "  %s: {kind: actuator, on: %s.%s, command: %s",
                model_new_name(writer, name), writer->body,
                model->links[model->drives[i].link].joint_name, inputs[i]);
        write_number(writer->to, "gain", p->gain, 1.0);
        write_number(writer->to, "stiffness", p->K, 0.0);
        write_number(writer->to, "damping", p->B, 0.0);
        write_number(writer->to, "offset", p->offset, 0.0);
        write_number(writer->to, "gear_ratio", p->gear, 1.0);
        write_number(writer->to, "lower", p->lower, 0.0);
        write_number(writer->to, "upper", p->upper, 0.0);
        fputs("}\n", writer->to);
    }
}

// ---- couplings ----------------------------------------------------------------------------------

static void write_couplings(Writer *writer)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->coupling_count; ++i) {
        const ModelCoupling *coupling = &model->couplings[i];
        const char *on = model->links[coupling->link].joint_name;
        char name[96];
        snprintf(name, sizeof name, "%.31s_mimic", on);
        fprintf(writer->to, "  %s: {kind: mimic, on: %s.%s, of: %s.%s",
                model_new_name(writer, name), writer->body, on, writer->body,
                model->links[coupling->to].joint_name);
        write_number(writer->to, "ratio", coupling->factors[1], 1.0);
        write_number(writer->to, "offset", coupling->factors[0], 0.0);
        fputs("}\n", writer->to);
    }
}

bool model_moves(const Model *model, int link)
{
    for (; link >= 0; link = model->links[link].parent)
        if (model->links[link].joint != STI_JOINT_FIXED) return true;
    return false;
}

// ---- loops --------------------------------------------------------------------------------------

static void write_frame(FILE *to, const char *key, StiFrame at)
{
    fprintf(to, ", %s: {position: ", key);
    yaml_vector(to, at.p);
    fputs(", attitude: ", to);
    yaml_quaternion(to, at.q);
    fputc('}', to);
}

static void write_points(FILE *to, const ModelLoop *loop)
{
    fputs(loop->b < 0 ? ", at: " : ", at: [", to);
    yaml_vector(to, loop->at_a.p);
    fputs(loop->b < 0 ? ", anchor: " : ", ", to);
    yaml_vector(to, loop->at_b.p);
    if (loop->b >= 0) fputc(']', to);
}

static void write_loops(Writer *writer)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->loop_count; ++i) {
        const ModelLoop *loop = &model->loops[i];
        if (!model_moves(model, loop->a) && !model_moves(model, loop->b)) {
            gather(writer->gathered, STI_NOTE, (Mark){model->file, 0, 0},
                   "left out: loops between parts that do not move", loop->name, 0.0);
            continue;
        }
        fprintf(writer->to, "  %s: {kind: loop, type: %s, ", model_new_name(writer, loop->name),
                loop->fixed ? "fixed" : "point");
        if (loop->b < 0)
            fprintf(writer->to, "on: %s.%s", writer->body, model->links[loop->a].name);
        else
            fprintf(writer->to, "between: [%s.%s, %s.%s]", writer->body, model->links[loop->a].name,
                    writer->body, model->links[loop->b].name);
        if (loop->fixed) {
            write_frame(writer->to, "frame_a", loop->at_a);
            write_frame(writer->to, "frame_b", loop->at_b);
        } else {
            write_points(writer->to, loop);
        }
        fputs("}\n", writer->to);
    }
}

void model_write_closures(Writer *writer)
{
    write_couplings(writer);
    write_loops(writer);
}
