// A scene in a link: compressed, in the part of the address that never leaves the browser.
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export const unpack = async bytes => through(bytes, new DecompressionStream('gzip'));

export function fromBase64(text) {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, letter => letter.charCodeAt(0));
}

function toBase64(bytes) {
  let raw = '';
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

// {path, text, variant, turned: [[parameter, value], ...]}
export async function toFragment(scene) {
  const packed = await through(new TextEncoder().encode(JSON.stringify(scene)), new CompressionStream('deflate-raw'));
  return `#scene=${toBase64(packed)}`;
}

// null: there is none in it, or what is in it is damaged.
export async function fromFragment(fragment) {
  const match = /^#scene=([\w-]+)$/.exec(fragment);
  if (!match) return null;
  try {
    const text = new TextDecoder().decode(await through(fromBase64(match[1]), new DecompressionStream('deflate-raw')));
    const scene = JSON.parse(text);
    return typeof scene.text === 'string' ? {path: '/scene.yaml', turned: [], ...scene} : null;
  } catch {
    return null;
  }
}
