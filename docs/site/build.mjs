// build.mjs ROOT FOLDER: the markdown of the project as a static site. Every page is one file that needs no server; links
// between markdown files become links between pages, figures are copied, scenes get a link that opens them in the
// playground where FOLDER/playground exists.
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, normalize, relative} from 'node:path';
import {deflateRawSync} from 'node:zlib';
import {Marked} from 'marked';

const [root, folder] = process.argv.slice(2);
const here = dirname(new URL(import.meta.url).pathname);
const playground = existsSync(join(folder, 'playground', 'index.html'));

// The menu: what a newcomer needs first comes first. Pages that are not named here follow under "More".
const menu = [
    ['Start', ['README.md', 'docs/scene-format.md', 'scenes/README.md', 'papers/README.md', 'docs/figures.md']],
    ['Use', ['docs/python.md', 'docs/python-reference.md', 'docs/studies.md', 'docs/fit.md', 'docs/fmi.md', 'docs/import.md', 'docs/report.md',
             'docs/recording.md', 'docs/playground.md', 'docs/foreign-scenes.md']],
    ['Understand', ['docs/methods.md', 'docs/linkages.md', 'docs/signs.md', 'docs/equations.md', 'docs/benchmarks.md',
                    'bench/RESULTS.md']],
    ['Build on it', ['docs/architecture.md', 'docs/writing-a-component.md', 'docs/threads.md', 'docs/real-time.md',
                     'docs/compensation.md', 'CONTRIBUTING.md', 'CHANGELOG.md']],
];

const markdown = folderName => readdirSync(join(root, folderName)).filter(name => name.endsWith('.md')).map(name => join(folderName, name));
const named = menu.flatMap(([, pages]) => pages).filter(page => existsSync(join(root, page)));
const others = [...markdown('docs'), ...readdirSync(join(root, 'scenes')).map(name => `scenes/${name}/README.md`)]
    .filter(page => existsSync(join(root, page)) && !named.includes(page));
const pages = [...named, ...others];

const target = page => page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html');
const titleOf = page => {
    const heading = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'));
    return page === 'README.md' ? 'stiction' : heading ? heading[1].replace(/[`*]/g, '') : page;
};
const escape = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const anchorOf = text => text.toLowerCase().replace(/<[^>]*>|[`*]/g, '').replace(/[^\p{L}\p{N}\s-]/gu, '').trim().replace(/\s/g, '-');

// A link of one page: to another page, to a file of the project that is copied, or to a folder's README.
function link(page, href)
{
    if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
    const [path, anchor] = href.split('#'), hash = anchor ? `#${anchor}` : '';
    let file = normalize(join(dirname(page), path));
    if (existsSync(join(root, file, 'README.md'))) file = join(file, 'README.md');
    const up = relative(dirname(target(page)), '.') || '.';
    if (pages.includes(file)) return `${up}/${target(file)}${hash}`;
    if (!existsSync(join(root, file))) throw new Error(`${page}: link to ${href}, which does not exist`);
    copy(file);
    return `${up}/${file}${hash}`;
}
function copy(file)
{
    if (existsSync(join(folder, file)) || !/\.[a-z0-9]+$/i.test(file)) return;
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    copyFileSync(join(root, file), join(folder, file));
}

// The playground reads a scene from its address (web/src/playground/share.js): JSON, deflated, in base64 without padding.
const shared = text => deflateRawSync(Buffer.from(JSON.stringify({text})), {level: 9}).toString('base64').replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const isScene = (text, language) => /^ya?ml$/.test(language ?? '') && /^stop:/m.test(text) && /^bodies:/m.test(text);

function render(page)
{
    const headings = [], up = relative(dirname(target(page)), '.') || '.';
    const marked = new Marked({renderer: {
        heading({tokens, depth}) {
            const text = this.parser.parseInline(tokens), id = anchorOf(text);
            if (depth === 2) headings.push([id, text]);
            return `<h${depth} id="${id}">${text}</h${depth}>\n`;
        },
        link({href, tokens}) {
            return `<a href="${escape(link(page, href))}">${this.parser.parseInline(tokens)}</a>`;
        },
        image({href, text}) {
            return `<img src="${escape(link(page, href))}" alt="${escape(text)}" loading="lazy">`;
        },
        code({text, lang}) {
            const run = playground && isScene(text, lang) ? `<a class="run" href="${up}/playground/index.html#scene=${shared(text)}">Run it</a>` : '';
            return `<div class="code">${run}<pre><code>${escape(text)}</code></pre></div>\n`;
        },
        table(token) {
            const row = (cells, tag) => `<tr>${cells.map(cell => `<${tag}${cell.align ? ` style="text-align:${cell.align}"` : ''}>` +
                `${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
            return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>` +
                   `${token.rows.map(cells => row(cells, 'td')).join('')}</tbody></table></div>\n`;
        },
    }});
    return {body: marked.parse(readFileSync(join(root, page), 'utf8')), headings, up};
}

function navigation(page, headings, up)
{
    const entry = p => `<li${p === page ? ' class="here"' : ''}><a href="${up}/${target(p)}">${escape(titleOf(p))}</a>` +
        (p === page && headings.length > 1 ? `<ul>${headings.map(([id, text]) => `<li><a href="#${id}">${text}</a></li>`).join('')}</ul>` : '') + '</li>';
    const group = ([name, list]) => {
        const there = list.filter(p => pages.includes(p));
        return there.length > 0 ? `<h2>${name}</h2><ul>${there.map(entry).join('')}</ul>` : '';
    };
    const play = playground ? `<p><a class="play" href="${up}/playground/index.html">Open the playground</a></p>` : '';
    return play + [...menu, ['More', others]].map(group).join('');
}

const frame = readFileSync(join(here, 'page.html'), 'utf8'), index = [];
for (const page of pages) {
    const {body, headings, up} = render(page), file = join(folder, target(page));
    index.push({title: titleOf(page), page: target(page), text: body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').toLowerCase()});
    mkdirSync(dirname(file), {recursive: true});
    const fill = {TITLE: escape(titleOf(page)), NAVIGATION: navigation(page, headings, up), BODY: body, UP: up};
    writeFileSync(file, frame.replace(/@([A-Z]+)@/g, (_, word) => fill[word]));
}
// A script and not JSON: pages opened as files may not fetch.
writeFileSync(join(folder, 'search.js'), `window.searchIndex = ${JSON.stringify(index).replace(/</g, '\\u003c')};\n`);
console.log(`${pages.length} pages${playground ? ', with the playground' : '; no playground yet: make playground'}`);
