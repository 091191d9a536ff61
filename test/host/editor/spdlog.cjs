// Stands in for the native logger of the editor, so that the test host needs no compiler. Same surface, plain synchronous appends:
// a test reads the log right after something went wrong, so nothing may sit in a buffer.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #plain = false;

  constructor(_type, _name, file) {
    this.#file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, '');
  }

  #write(level, message) {
    if (level < this.#level) return;
    const stamp = new Date().toISOString().replace('T', ' ').slice(0, 23);
    const line = this.#plain ? String(message) : `${stamp} [${names[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.#file, line);
    } catch {
      // The session's folder is gone: the editor is being torn down.
    }
  }

  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.#plain = true;
  }
  flush() {}
  drop() {}
}

async function createLogger(_name, file) {
  return new Logger('rotating', _name, file);
}

// One assignment each: the editor imports them by name from an ES module, which only sees exports written like this.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
