import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { isGroupEmpty, signalGroup } from './processSignals.ts';

/**
 * What the guard runs: a set of process groups, changed by the lines `+GROUP` and `-GROUP`. Its input ends when this
 * process is gone, however it ended; then the groups get SIGTERM, and after a second SIGKILL.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in
          *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
        esac ;;
  esac
done
tell() {
  left=
  for group in $groups; do
    if kill "-$1" "-$group"; then left=1; fi
  done 2>/dev/null
}
tell TERM
for tenth in 1 2 3 4 5 6 7 8 9 10; do
  if [ -z "$left" ]; then exit; fi
  sleep 0.1 2>/dev/null || { sleep 1; break; }
  tell 0
done
tell KILL
`;

/** The leaders of the groups that must not outlive this process. */
const guarded = new Set<ChildProcess>();
let guard: ChildProcess | undefined;

/**
 * To be called before a process is started that `guardGroup` is given: starts the guard, a shell of 1 MB that waits. It
 * is in a session of its own, so whatever ends this process or its group does not end it too.
 */
export function prepareGuard(): void {
  if (process.platform === 'win32' || guard !== undefined) return;
  const started = spawn('/bin/sh', ['-c', script, 'mcp-bridge-guard'], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard = started;
  const lost = (): void => {
    if (guard === started) guard = undefined;
  };
  // Without it this process still stops its servers whenever it ends in good order.
  started.on('error', lost).once('exit', lost);
  started.stdin?.on('error', lost);
  // It must not keep this process alive.
  started.unref();
  (started.stdin as { unref?: () => void } | null)?.unref?.();
  for (const child of guarded) tell(`+${child.pid}`);
}

/**
 * From now on the process group that the child leads is killed when this process ends, even when that is killed itself
 * (not so on Windows, where nothing can be done then). Lasts until the group is empty or `releaseGroup` is called.
 */
export function guardGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  // One listener for all: many would look like a leak to Node.
  if (guarded.size === 0) process.on('exit', killAll);
  guarded.add(child);
  tell(`+${child.pid}`);
  // The number of an empty group may be given to a stranger.
  child.once('exit', () => {
    if (isGroupEmpty(child)) releaseGroup(child);
  });
}

/** The group has been killed. */
export function releaseGroup(child: ChildProcess): void {
  if (!guarded.delete(child)) return;
  tell(`-${child.pid}`);
  if (guarded.size > 0) return;
  process.off('exit', killAll);
  guard?.stdin?.end();
  guard = undefined;
}

function tell(line: string): void {
  guard?.stdin?.write(`${line}\n`);
}

function killAll(): void {
  for (const child of guarded) signalGroup(child, 'SIGKILL');
}
