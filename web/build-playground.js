// node build-playground.js MODULE OUTPUT: the playground as one HTML file, with the module, the gallery and the page of reports in it.
import {mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {bundle, licences, reportPage} from './bundle.js';

const [, , module, output] = process.argv;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// What the scenes of the gallery consist of.
function* filesOf(folder) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (/\.(yaml|csv|urdf|xml|sdf)$/.test(entry.name) && !/reference|expected/.test(entry.name) && statSync(path).size < 2e5) yield path;
  }
}

// Of recordings only those that a scene names.
function gallery() {
  const all = ['papers', 'scenes', 'examples/robots'].flatMap(folder => [...filesOf(join(root, folder))]);
  const texts = new Map(all.map(path => [path, readFileSync(path, 'utf8')])), scenes = [...texts].filter(([path]) => path.endsWith('.yaml'));
  const named = path => scenes.some(([scene, text]) => text.includes(path.split('/').pop()) && (dirname(scene) === dirname(path) || text.includes('/')));
  return Object.fromEntries([...texts].filter(([path]) => !path.endsWith('.csv') || named(path)).map(([path, text]) => [`/${relative(root, path)}`, text]));
}

const packed = content => gzipSync(content, {level: 9}).toString('base64');
const inline = text => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const parts = {
  '@LICENCES@': licences(),
  '@STYLE@': await bundle('playground/style.css'),
  '@MODULE@': packed(readFileSync(module)),
  '@FILES@': packed(JSON.stringify(gallery())),
  '@PAGE@': packed(await reportPage()),
  '@WORKER@': inline(await bundle('playground/worker.js')),
  '@SCRIPT@': inline(await bundle('playground/main.js')),
};
const page = readFileSync(join(root, 'web/src/playground/page.html'), 'utf8').replace(/@[A-Z]+@/g, word => parts[word] ?? word);
mkdirSync(dirname(output), {recursive: true});
writeFileSync(output, page);
