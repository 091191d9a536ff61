import { visibleLine } from '../visibleLine.ts';
import type { CallProgress } from './toolCall.ts';

const maxLength = 80;

/** How far a call has come, for one short line: `40 %`, `step 3`, `40 % · compiling`; empty when nothing was said. */
export function progressText({ message, progress, total }: CallProgress): string {
  const words = visibleLine((message ?? '').slice(0, 500)).trim();
  const short = words.length <= maxLength ? words : `${words.slice(0, maxLength).toWellFormed()}…`;
  return [howFar(progress, total), short].filter((part) => part !== '').join(' · ');
}

function howFar(progress: number | undefined, total: number | undefined): string {
  if (progress === undefined || !Number.isFinite(progress)) return '';
  if (total === undefined || !Number.isFinite(total) || total <= 0) return '';
  return `${Math.round(Math.min(Math.max(progress / total, 0), 1) * 100)} %`;
}
