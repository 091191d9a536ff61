import { existsSync } from 'node:fs';
import { chromium, type BrowserContext } from 'playwright-core';
import { runProgram } from './runProgram.ts';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];
const installTimeoutMs = 4 * 60_000;
const advice =
  'Install Chromium or Chrome, or set MCP_BRIDGE_CHROMIUM to the path of one, then run this again.';

/**
 * Returns the path of a Chromium: `$MCP_BRIDGE_CHROMIUM`, one in a usual place, Playwright's own, else (on Debian, as root) one
 * it installs with apt-get. Throws with what to do when there is none.
 */
export async function findChromium(say: (line: string) => void = console.log): Promise<string> {
  const named = process.env['MCP_BRIDGE_CHROMIUM'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`MCP_BRIDGE_CHROMIUM names ${named}, which does not exist.`);
  }
  const found = [...usualPlaces, chromium.executablePath()].find((path) => existsSync(path));
  if (found !== undefined) return found;
  const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  if (!mayInstall) throw new Error(`The editor tests need a browser and found none. ${advice}`);
  say('No browser found: installing Chromium with apt-get …');
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runProgram('apt-get', ['update'], { env, timeoutMs: installTimeoutMs });
    const install = ['install', '-y', '--no-install-recommends', 'chromium'];
    await runProgram('apt-get', install, { env, timeoutMs: installTimeoutMs });
  } catch (error) {
    throw new Error(`Installing Chromium failed. ${advice}`, { cause: error });
  }
  return '/usr/bin/chromium';
}

/**
 * Starts a Chromium with its profile in `profile`: the web workbench keeps its state there, so a restart of the editor
 * with the same folder finds it again. The caller closes the returned context, which ends the browser.
 */
export async function launchBrowser(
  executablePath: string,
  profile: string,
  env: Record<string, string>,
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1400, height: 900 },
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...definedEnvironment(), ...env },
    timeout: 60_000,
  });
  await context.addInitScript(installFocusSwitch);
  return context;
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

/**
 * Runs in the page before the workbench: headless pages all believe they have the focus, so the page gets a switch
 * (`__mcpBridgeFocus`) that makes `document.hasFocus()` and the focus events say what the test wants.
 */
function installFocusSwitch(): void {
  let focused = true;
  document.hasFocus = () => focused;
  Object.assign(globalThis, {
    __mcpBridgeFocus: (value: boolean) => {
      if (focused === value) return;
      focused = value;
      window.dispatchEvent(new Event(value ? 'focus' : 'blur'));
    },
  });
}
