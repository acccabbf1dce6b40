// Chromium of the system, headless, driven by playwright-core: nothing is downloaded.
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';

const flags = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
               '--disable-sync', '--disable-default-apps', '--disable-extensions'];
const softwareGl = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

export const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export async function openBrowser(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stiction-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: program, headless: true, args: [...flags, ...softwareGl], viewport: {width: 1100, height: 700}, ...settings});
  return {context, close: async () => { await context.close(); rmSync(folder, {recursive: true, force: true}); }};
}

function withoutWebGl() {
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };
}

// A page that remembers what must not happen: requests to a network, errors on the console.
// own: where requests may go nevertheless.
export async function openPage(context, address, {own = null, webgl = true} = {}) {
  const page = await context.newPage();
  const troubles = [];
  if (!webgl) await page.addInitScript(withoutWebGl);
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url()) && !(own && request.url().startsWith(own))) troubles.push(`request ${request.url()}`); });
  page.on('console', message => { if (message.type() === 'error') troubles.push(`console ${message.text()}`); });
  page.on('pageerror', error => troubles.push(`error ${error.stack || error}`));
  const began = Date.now();
  await page.goto(address);
  if (!await until(page, () => window.report !== undefined, null, 15000)) troubles.push('the page did not start');
  return {page, troubles, milliseconds: Date.now() - began};
}

// Asked from outside: the page's own policy forbids what page.waitForFunction does.
export async function until(page, condition, argument, milliseconds = 25000) {
  for (const end = Date.now() + milliseconds; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 20)))
    if (await page.evaluate(condition, argument)) return true;
  return false;
}
