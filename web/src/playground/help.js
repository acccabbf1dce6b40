// What the schema says about a place: keys that may stand there, values that they may have, and what they mean.

const resolve = (schema, node) => (node?.$ref ? {...resolve(schema, schema.definitions[node.$ref.split('/').pop()]), ...(node.description ? {description: node.description} : {})} : node);

// Alternatives by what stands beside the cursor: a `kind` that is known leaves one.
function alternatives(schema, node, siblings) {
  const one = resolve(schema, node);
  const several = one?.oneOf ?? one?.anyOf;
  if (!several) return one ? [one] : [];
  const all = several.flatMap(each => alternatives(schema, each, siblings));
  const fitting = all.filter(each => each.properties?.kind?.const !== undefined && each.properties.kind.const === siblings.kind);
  return fitting.length > 0 ? fitting : all;
}

function step(schema, nodes, key, siblings) {
  return nodes.flatMap(node => {
    const next = node.properties?.[key] ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : null);
    return next ? alternatives(schema, next, siblings).flatMap(one => (one.type === 'array' && one.items && !one.properties ? [one, ...alternatives(schema, one.items, siblings)] : [one])) : [];
  });
}

export function nodesAt(schema, path, siblings = {}) {
  return path.reduce((nodes, key, i) => step(schema, nodes, key, i === path.length - 1 ? siblings : {}), [schema]);
}

// [{label, detail, required}], each once.
export function keysAt(schema, {path, siblings}) {
  const found = new Map();
  for (const node of nodesAt(schema, path, siblings))
    for (const [key, value] of Object.entries(node.properties ?? {})) {
      if (key in siblings || found.has(key)) continue;
      found.set(key, {label: key, detail: value.description ?? resolve(schema, value)?.description ?? '', required: (node.required ?? []).includes(key)});
    }
  return [...found.values()];
}

const wordsOf = (schema, node) => {
  const one = resolve(schema, node);
  if (!one) return [];
  if (one.const !== undefined) return [[String(one.const), one.description ?? '']];
  if (one.enum) return one.enum.map(word => [String(word), '']);
  return [...(one.oneOf ?? []), ...(one.anyOf ?? []), ...(one.items ? [one.items] : [])].flatMap(each => wordsOf(schema, each));
};

export function valuesAt(schema, {path, key, siblings}) {
  const others = {...siblings};
  delete others[key];
  const found = new Map();
  for (const node of nodesAt(schema, path, key === 'kind' ? {} : others))
    for (const [word, detail] of wordsOf(schema, node.properties?.[key])) if (!found.has(word)) found.set(word, {label: word, detail});
  return [...found.values()];
}

export function describe(schema, {path, key, siblings}) {
  for (const node of nodesAt(schema, path, siblings)) {
    const value = node.properties?.[key];
    const text = value?.description ?? resolve(schema, value)?.description;
    if (text) return text;
  }
  return null;
}
