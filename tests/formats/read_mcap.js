// read_mcap.js FILE.mcap FILE.csv: the same numbers bit for bit, through the index and as a stream.
// read_mcap.js FILE.mcap.partial FILE.csv --cut [ROWS]: a file without an end; at least ROWS rows.
import assert from "node:assert/strict";
import { open, readFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";

const [path, table, cut, least] = process.argv.slice(2);

const [header, ...lines] = (await readFile(table, "utf8")).trimEnd().split("\n");
const names = header.split(",");
const rows = lines.map((line) => line.split(",").map(Number));

// "arm.elbow.q@karnopp" -> topic /karnopp/arm/elbow, field q
function place(name) {
    const [whole, model] = name.split("@");
    const dot = whole.lastIndexOf(".");
    const component = dot < 0 ? whole : whole.slice(0, dot);
    return {
        topic: `/${model ? `${model}/` : ""}${component.replaceAll(".", "/")}`,
        field: dot < 0 ? "value" : whole.slice(dot + 1),
    };
}
const places = names.slice(1).map(place);

function checkJoints(topic, message, logTime, row) {
    const robot = topic.split("/").at(-2);
    assert.ok(message.joints.length > 0);
    for (const joint of message.joints) {
        const q = names.indexOf(`${robot}.${joint.name}.q`);
        const qd = names.indexOf(`${robot}.${joint.name}.qd`);
        assert.ok(q >= 0 || qd >= 0, joint.name);
        if (q >= 0) assert.ok(Object.is(joint.position, row[q]), `${joint.name}.position`);
        if (qd >= 0) assert.ok(Object.is(joint.velocity, row[qd]), `${joint.name}.velocity`);
    }
    const { sec, nsec } = message.timestamp;
    assert.equal(BigInt(sec) * 1000000000n + BigInt(nsec), logTime);
}

// A message of row number k on this topic.
function check(topic, message, logTime, k) {
    const row = rows[k];
    assert.equal(logTime, BigInt(Math.round(row[0] * 1e9)), "log time");
    if (topic.endsWith("/joint_states")) return checkJoints(topic, message, logTime, row);
    assert.ok(Object.is(message.t, row[0]), "t");
    const fields = places.flatMap((p, i) => (p.topic === topic ? [[p.field, row[i + 1]]] : []));
    assert.deepEqual(Object.keys(message).slice(1), fields.map(([field]) => field));
    for (const [field, value] of fields) assert.ok(Object.is(message[field], value), `${topic} ${field}`);
}

class Checker {
    channels = new Map();
    schemas = new Map();
    seen = new Map();
    take(record) {
        if (record.type === "Schema") this.schemas.set(record.id, record);
        if (record.type === "Channel") this.channels.set(record.id, record);
        if (record.type !== "Message") return;
        const channel = this.channels.get(record.channelId);
        const schema = this.schemas.get(channel.schemaId);
        assert.equal(channel.messageEncoding, "json");
        assert.equal(schema.encoding, "jsonschema");
        assert.equal(JSON.parse(new TextDecoder().decode(schema.data)).type, "object");
        if (channel.topic.endsWith("/joint_states")) assert.equal(schema.name, "foxglove.JointStates");
        const k = this.seen.get(channel.topic) ?? 0;
        assert.equal(record.sequence, k);
        check(channel.topic, JSON.parse(new TextDecoder().decode(record.data)), record.logTime, k);
        this.seen.set(channel.topic, k + 1);
    }
    finish(count) {
        for (const { topic } of places) assert.equal(this.seen.get(topic) ?? 0, count, topic);
    }
}

async function asStream() {
    const reader = new McapStreamReader({ validateCrcs: true });
    const checker = new Checker();
    reader.append(await readFile(path));
    for (let record; (record = reader.nextRecord()); ) checker.take(record);
    if (!cut) assert.ok(reader.done(), "the file has no end");
    const count = cut ? Math.max(0, ...checker.seen.values()) : rows.length;
    if (cut) assert.ok(count >= Number(least ?? 0), `${count} rows only`);
    checker.finish(count);
}

async function throughIndex() {
    const file = await open(path);
    const readable = {
        size: async () => BigInt((await file.stat()).size),
        read: async (offset, length) => {
            const buffer = new Uint8Array(Number(length));
            const { bytesRead } = await file.read(buffer, 0, Number(length), Number(offset));
            assert.equal(bytesRead, Number(length));
            return buffer;
        },
    };
    const reader = await McapIndexedReader.Initialize({ readable });
    const checker = new Checker();
    for (const record of reader.schemasById.values()) checker.take(record);
    for (const record of reader.channelsById.values()) checker.take(record);
    for await (const record of reader.readMessages()) checker.take(record);
    checker.finish(rows.length);
    const topics = new Set(places.map((p) => p.topic));
    assert.ok(reader.channelsById.size >= topics.size);
    assert.equal(reader.statistics.messageCount, BigInt(rows.length * reader.channelsById.size));
    assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
    for await (const attachment of reader.readAttachments())
        assert.match(new TextDecoder().decode(attachment.data), /bodies:/);
    const metadata = new Map();
    for await (const record of reader.readMetadata()) metadata.set(record.name, record.metadata);
    assert.match(metadata.get("recording").get("version"), /^stiction /);
    assert.ok(metadata.get("parameters").size > 0);
    // Half of the time only, by the index.
    const middle = BigInt(Math.round(rows[rows.length >> 1][0] * 1e9));
    for await (const record of reader.readMessages({ startTime: middle })) {
        assert.equal(record.logTime, middle);
        break;
    }
    await file.close();
}

await asStream();
if (!cut) await throughIndex();
