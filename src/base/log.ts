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
  return rewritten(logger, (message) => `[${prefix}] ${message}`);
}

/** A logger whose messages pass through a function first. */
export function rewritten(logger: Logger, rewrite: (message: string) => string): Logger {
  return {
    trace: (message) => logger.trace(rewrite(message)),
    debug: (message) => logger.debug(rewrite(message)),
    info: (message) => logger.info(rewrite(message)),
    warn: (message) => logger.warn(rewrite(message)),
    error: (message) => logger.error(rewrite(message)),
  };
}
