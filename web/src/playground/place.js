// Where a cursor stands in the YAML of a scene: the keys that lead there, and whether a key or a value is being written.
// Scenes are written by hand and half finished while one types: so it is read by indentation and brackets, not by a parser.

// The keys of the block lines above, by indentation: [{indent, key}], outermost first.
function blockKeys(lines, row, indent) {
  const keys = [];
  let limit = indent;
  for (let i = row - 1; i >= 0 && limit > 0; --i) {
    const match = /^(\s*)(?:- )?([\w.-]+):/.exec(lines[i]), dash = /^(\s*)- ([\w.-]+):/.exec(lines[i]);
    if (!match || /^\s*#/.test(lines[i])) continue;
    const at = match[1].length;
    if (dash && at + 2 <= limit && at < limit) { if (at + 2 < limit) keys.unshift(dash[2]); limit = at; continue; }
    if (at >= limit) continue;
    keys.unshift(match[2]);
    limit = at;
  }
  return keys;
}

// Within brackets: a stack of open ones; maps know the key before the cursor.
function flowOf(text) {
  const stack = [];
  let word = '', quote = '';
  const top = () => stack[stack.length - 1];
  for (const letter of text) {
    if (quote) { if (letter === quote) quote = ''; else word += letter; continue; }
    if (letter === '"' || letter === "'") { quote = letter; word = ''; continue; }
    if (letter === '{' || letter === '[') { stack.push({map: letter === '{', key: null}); word = ''; }
    else if (letter === '}' || letter === ']') { stack.pop(); word = ''; }
    else if (letter === ':' && top()?.map && top().key === null) { top().key = word.trim(); word = ''; }
    else if (letter === ',') { if (top()) top().key = null; word = ''; }
    else word += letter;
  }
  return {stack, word: word.replace(/^\s+/, ''), quote};
}

// The brackets that are open where a line begins: of a value that goes on over several lines.
function openBefore(lines, row) {
  for (let i = row; i >= 0 && i > row - 40; --i) {
    const match = /^(\s*)(?:- )?([\w.-]+):\s*(?=[[{])/.exec(lines[i]) ?? /^(\s*)- (?=[[{])/.exec(lines[i]);
    if (match) return i;
    if (i < row && /^\S/.test(lines[i])) return row;
  }
  return row;
}

// {path: ['elements', 'friction'], key: null or 'model', word: what stands before the cursor, siblings: {kind: 'friction'}}
export function placeAt(text, offset) {
  const before = text.slice(0, offset), lines = text.split('\n'), row = before.split('\n').length - 1;
  const column = offset - (before.lastIndexOf('\n') + 1), line = lines[row].slice(0, column);
  const first = openBefore(lines, row);
  const joined = first < row ? [...lines.slice(first, row), line].join('\n') : line;
  const begin = /^(\s*)((?:- )*)(?:([\w.-]+):(?:\s+|$))?/.exec(joined);
  const value = joined.slice(begin[0].length);
  const {stack, word, quote} = flowOf(value);
  const indent = begin[1].length + begin[2].length;
  const outer = blockKeys(lines, first, begin[2] ? begin[1].length + 1 : indent);
  const leading = begin[3] === undefined ? [] : [begin[3]];
  if (stack.length === 0) {
    const key = leading[0] ?? null;
    return {path: outer, key, list: begin[2] !== '', word: key === null ? value : word, quoted: quote !== '', siblings: blockSiblings(lines, row, indent)};
  }
  const inner = stack.slice(0, -1).filter(one => one.map && one.key !== null).map(one => one.key), last = stack[stack.length - 1];
  return {path: [...outer, ...leading, ...inner], key: last.map ? last.key : null, list: !last.map, word, quoted: quote !== '',
          siblings: flowSiblings(text, offset)};
}

function pairsOf(text) {
  return Object.fromEntries([...text.matchAll(/([\w.-]+):\s*"?([\w.-]+)/g)].map(match => [match[1], match[2]]));
}

function flowSiblings(text, offset) {
  let depth = 0, from = offset, to = offset;
  while (from > 0 && !(text[from - 1] === '{' && depth === 0)) { --from; if (text[from] === '}') ++depth; else if (text[from] === '{') --depth; }
  depth = 0;
  while (to < text.length && !(text[to] === '}' && depth === 0)) { if (text[to] === '{') ++depth; else if (text[to] === '}') --depth; ++to; }
  return pairsOf(text.slice(from, to));
}

function blockSiblings(lines, row, indent) {
  const found = [];
  const same = line => new RegExp(`^[ -]{${indent}}[\\w.-]+:`).test(line);
  const deeper = line => line.trim() === '' || /^\s*#/.test(line) || line.search(/\S/) > indent;
  for (let i = row - 1; i >= 0 && (same(lines[i]) || deeper(lines[i])); --i) if (same(lines[i])) found.push(lines[i]);
  for (let i = row; i < lines.length && (i === row || same(lines[i]) || deeper(lines[i])); ++i) if (same(lines[i])) found.push(lines[i]);
  return pairsOf(found.join('\n'));
}
