// Bundles of src/, and the page of reports made of them.
import {readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const source = name => join(here, 'src', name);

export async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [source(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2021',
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

// Of all packages, or of these: "three 0.169.0 (MIT)".
export function licences(names = ['three', 'uplot', ...['codemirror', 'lezer'].flatMap(scope => readdirSync(join(here, 'node_modules', `@${scope}`)).map(name => `@${scope}/${name}`))]) {
  return names.map(name => {
    const {version, license} = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})`;
  }).join(', ');
}

// With @REPORT@ where a report has its data.
export async function reportPage() {
  const script = (await bundle('main.js')).replaceAll('</script', '<\\/script'), style = await bundle('style.css');
  return readFileSync(source('page.html'), 'utf8')
    .replace('@LICENCES@', () => licences(['three', 'uplot']))
    .replace('@STYLE@', () => style)
    .replace('@SCRIPT@', () => script);
}
