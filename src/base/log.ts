/** Where messages go. The method names are those of `vscode.LogOutputChannel`. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger whose messages start with `[prefix]`. */
export function prefixed(logger: Logger, prefix: string): Logger {
  const mark = (message: string): string => `[${prefix}] ${message}`;
  return {
    trace: (message) => logger.trace(mark(message)),
    debug: (message) => logger.debug(mark(message)),
    info: (message) => logger.info(mark(message)),
    warn: (message) => logger.warn(mark(message)),
    error: (message) => logger.error(mark(message)),
  };
}
