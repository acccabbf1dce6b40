// node build.js OUTPUT: bundles src/ into one HTML file that needs nothing else.
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const source = name => join(here, 'src', name);

async function bundle(entry) {
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

const licences = ['three', 'uplot'].map(name => {
  const {version, license} = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})`;
});
const script = (await bundle('main.js')).replaceAll('</script', '<\\/script');
const style = await bundle('style.css');
const page = readFileSync(source('page.html'), 'utf8')
  .replace('@LICENCES@', () => licences.join(', '))
  .replace('@STYLE@', () => style)
  .replace('@SCRIPT@', () => script);
writeFileSync(process.argv[2], page);
