// run.mjs CASES.json FOLDER STICTION.wasm [quick] [ID]
// The cases of bench/peers through simulators that exist as WebAssembly, all in this process, alternating. Writes
// FOLDER/web.md and FOLDER/web.csv. Times are processor times of this process; node runs with --no-liftoff.
import {readFileSync, writeFileSync} from 'node:fs';
import {CHAIN_STEPS, chainError, chainTask, experiments, rightMass, sizes} from './experiments.mjs';

const [cases_file, folder, wasm, ...words] = process.argv.slice(2);
const quick = words.includes('quick'), only = words.find(word => word !== 'quick') ?? '';
const c = JSON.parse(readFileSync(cases_file));
const SLOW = 50, TOO_SLOW = 2000; // us per step: not repeated as often; longer chains are left out
const progress = text => process.stderr.write(`${text}\n`);
const cpu = () => { const {user, system} = process.cpuUsage(); return user + system; };
const median = values => values.sort((a, b) => a - b)[values.length >> 1];

async function entrants()
{
    const found = [], missing = [];
    for (const file of ['stiction', 'mujoco', 'physx', 'jolt', 'rapier', 'havok', 'box2d'])
        try {
            const simulator = await import(`./simulators/${file}.mjs`);
            const version = await simulator.start(wasm);
            for (const [variant, settings] of simulator.variants)
                found.push({simulator, version, variant, settings, name: simulator.name});
        } catch (error) {
            missing.push(`${file}: ${error.message.split('\n')[0]}`);
        }
    return {found, missing};
}

// A simulator that was told another mass runs another case: it is not compared at all.
function built(entrant, task)
{
    const world = entrant.simulator.build(c, task, entrant.variant);
    if (world === null) return null;
    const right = rightMass(c, task);
    if (Math.abs(world.mass - right) > 1e-5 * right)
        throw new Error(`${entrant.name}, ${task.which}: ${world.mass} kg in place of ${right}`);
    return world;
}

// Readings at the times, and microseconds per step. Short runs are warmed up in a world of their own.
function perform(entrant, task, times)
{
    const steps = times.map(t => Math.round(t / task.T)), last = steps[steps.length - 1];
    const world = built(entrant, task);
    if (world === null) return null;
    const before = built(entrant, task);
    before.run(Math.min(last, 500));
    before.destroy();
    const readings = [], begin = cpu();
    steps.reduce((from, to) => { world.run(to - from), readings.push(world.read()); return to; }, 0);
    const cost = (cpu() - begin) / last;
    world.destroy();
    return {readings, cost};
}

function runExperiment(e, all)
{
    const rows = [], short = e.times[e.times.length - 1] / e.tasks[0].T < 1000;
    const repetitions = quick ? 1 : short ? 15 : 3;
    for (let r = 0; r < repetitions; ++r)
        all.forEach((entrant, i) => {
            if (r > 0 && (rows[i] === undefined || rows[i].costs[0] > SLOW)) return;
            const runs = e.tasks.map(task => perform(entrant, task, e.times));
            if (runs[0] === null) return;
            rows[i] ??= {entrant, costs: []};
            rows[i].values = e.score(c, runs.map(run => run?.readings ?? null));
            rows[i].costs.push(runs.filter(run => run).reduce((sum, run) => sum + run.cost, 0) / runs.filter(run => run).length);
        });
    const table = rows.filter(row => row).map(row => ({...row, cost: median(row.costs)}));
    const worst = row => Math.max(...row.values.filter(x => !Number.isNaN(x)));
    table.sort((a, b) => e.unsorted ? a.cost - b.cost : worst(a) - worst(b) || a.cost - b.cost);
    return table;
}

function runChains(all)
{
    const rows = all.map(entrant => ({entrant, costs: [], errors: []}));
    sizes.forEach((n, column) => {
        progress(`chain of ${n}`);
        const times = all.map(() => []), repetitions = quick ? 3 : 31;
        for (let r = 0; r < repetitions; ++r)
            rows.forEach((row, i) => {
                if (column > 0 && !(row.costs[column - 1] < TOO_SLOW)) return;
                if (r >= 3 && times[i][0] > 300) return;
                const run = perform(row.entrant, chainTask(n), [CHAIN_STEPS * 1e-3]);
                if (run === null) return;
                times[i].push(run.cost);
                row.errors[column] = chainError(run.readings[0].q, c.right_chain[n]);
            });
        rows.forEach((row, i) => { row.costs[column] = times[i].length > 0 ? median(times[i]) : NaN; });
    });
    return rows.filter(row => !Number.isNaN(row.costs[0]));
}

// ---- text ---------------------------------------------------------------------------------------------------------

const number = x => x === undefined || Number.isNaN(x) ? '-' : x === 0 ? '0' : Number(x.toPrecision(3)).toString().replace(/e([+-])(\d)$/, 'e$10$2');
const bold = entrant => entrant.name === 'stiction' ? '**stiction**' : entrant.name;
const line = cells => `| ${cells.join(' | ')} |`;
function tableText(columns, rows)
{
    return [line(['simulator', 'settings', ...columns]), line(['---', '---', ...columns.map(() => '---:')]),
            ...rows.map(({entrant, cells}) => line([bold(entrant), entrant.variant, ...cells.map(number)]))].join('\n');
}

function ratios(rows)
{
    const own = rows.filter(row => row.entrant.name === 'stiction'), others = rows.filter(row => row.entrant.name !== 'stiction');
    const fastest = (list, column, allowed) => list.filter(row => row.costs[column] > 0 && row.errors[column] < allowed)
        .sort((a, b) => a.costs[column] - b.costs[column])[0];
    const text = allowed => sizes.map((n, column) => {
        const other = fastest(others, column, allowed), mine = fastest(own, column, 1);
        if (!other || !mine) return `n = ${n}: -`;
        return `n = ${n}: ${(other.costs[column] / mine.costs[column]).toFixed(1)} (${other.entrant.name} ${other.entrant.variant})`;
    }).join(', ');
    return `Fastest other, right or wrong, over stiction: ${text(Infinity)}.\n\nFastest correct other over stiction: ${text(1)}.`;
}

// Columns in which another simulator, with any of its settings, is better by more than 2 % and more than rounding.
function lost(e, table)
{
    const own = table.filter(row => row.entrant.name === 'stiction'), found = [];
    if (own.length === 0) return found;
    const judge = (title, value, floor) => {
        const mine = Math.min(...own.map(value));
        const better = table.filter(row => row.entrant.name !== 'stiction' && Math.max(value(row), floor) < 0.98 * Math.max(mine, floor));
        if (better.length > 0)
            found.push(`${e.title}: ${title}, ${better.map(row => `${row.entrant.name} ${row.entrant.variant} ${number(value(row))}`).join(', ')} against ${number(mine)}`);
    };
    if (!e.unsorted) e.columns.forEach((title, i) => judge(title, row => Math.abs(row.values[i]), 1e-12));
    judge('us per step', row => row.cost, 0);
    return found;
}

const {found, missing} = await entrants();
if (!found.some(entrant => entrant.name === 'stiction')) {
    progress(missing.find(text => text.startsWith('stiction')));
    process.exit(1);
}
const parts = [], csv = ['case,simulator,settings,column,value'], losses = [];
for (const e of experiments) {
    if (!e.id.startsWith(only)) continue;
    progress(e.title);
    const table = runExperiment(e, found), columns = [...e.columns, 'us per step'];
    losses.push(...lost(e, table));
    parts.push(`### ${e.title}\n\n${e.about}\n\n${tableText(columns, table.map(row => ({entrant: row.entrant, cells: [...row.values, row.cost]})))}\n`);
    for (const row of table)
        columns.forEach((name, i) => csv.push([e.id, row.entrant.name, row.entrant.variant, `"${name}"`, [...row.values, row.cost][i]].join(',')));
}
if ('chain'.startsWith(only)) {
    const rows = runChains(found), columns = sizes.map(n => `n = ${n}`);
    const sorted = [...rows].sort((a, b) => a.costs[0] - b.costs[0]);
    parts.push(`### Case 7: chain with joint friction and two contacts\n\nMicroseconds per step of the first ${CHAIN_STEPS} steps of 1 ms.\n\n` +
        `${tableText(columns, sorted.map(row => ({entrant: row.entrant, cells: row.costs})))}\n\n${ratios(rows)}\n\n` +
        'Errors of the angles of the first six joints after 32 ms, as parts of what is allowed (5 % and 1e-6 rad); correct is who stays below 1.\n\n' +
        `${tableText(columns, sorted.map(row => ({entrant: row.entrant, cells: row.errors})))}\n`);
    for (const row of rows)
        sizes.forEach((n, i) => csv.push(['chain', row.entrant.name, row.entrant.variant, `"n = ${n}"`, row.costs[i]].join(',')));
}

// Angles of the arm of case 5 over 20 s in two simulators, for the moving picture of the README.
function writeMotion(all)
{
    const pair = [['stiction', 'cut'], ['MuJoCo', 'default']].map(([name, variant]) => all.find(e => e.name === name && e.variant === variant));
    if (pair.includes(undefined)) return;
    const task = {which: 'two_link', T: 1e-3, angle: 0, links: 0}, worlds = pair.map(entrant => built(entrant, task)), every = 100;
    const rows = [['t', ...pair.flatMap(e => [`${e.name} ${e.variant}.q0`, `${e.name} ${e.variant}.q1`])]];
    for (let k = 0; k <= 20000; k += every) {
        rows.push([k * task.T, ...worlds.flatMap(world => world.read().q)]);
        for (const world of worlds) world.run(every);
    }
    writeFileSync(`${folder}/arm_motion.csv`, rows.map(row => row.join(',')).join('\n') + '\n');
}
if ('two_link'.startsWith(only)) writeMotion(found);

const who = tableText(['meaning'], []).split('\n').slice(0, 1).concat(line(['---', '---', '---']),
    found.map(e => line([`${e.name} ${e.version}`, e.variant, e.settings]))).join('\n');
const text = `# The newest simulators, as WebAssembly\n
Written by \`make bench-web\` on ${new Date().toISOString().slice(0, 10)}, node ${process.versions.node}: all simulators as WebAssembly in one process, alternating, stiction's too. \`docs/benchmarks.md\` says how.
${missing.length > 0 ? `\nNot to be had in this run: ${missing.join('; ')}.\n` : ''}
## Where stiction is not the best, as WebAssembly

${losses.length > 0 ? losses.map(l => `- ${l}`).join('\n') : 'Nowhere in this run.'}

## Who ran, as WebAssembly\n\n${who}\n
## The cases, as WebAssembly\n\n${parts.join('\n')}`;
writeFileSync(`${folder}/web.md`, text);
writeFileSync(`${folder}/web.csv`, csv.join('\n') + '\n');
progress(`${found.length} simulators and settings${missing.length > 0 ? `; missing: ${missing.join('; ')}` : ''}`);
