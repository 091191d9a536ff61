import type { Logger } from '../../src/base/log.ts';

/** Keeps what was logged, one `level: message` a line. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = [];

  get text(): string {
    return this.lines.join('\n');
  }

  trace(message: string): void {
    this.lines.push(`trace: ${message}`);
  }

  debug(message: string): void {
    this.lines.push(`debug: ${message}`);
  }

  info(message: string): void {
    this.lines.push(`info: ${message}`);
  }

  warn(message: string): void {
    this.lines.push(`warn: ${message}`);
  }

  error(message: string): void {
    this.lines.push(`error: ${message}`);
  }
}
