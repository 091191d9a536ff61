// Stands in for the editor's native SQLite binding, on the SQLite that Node brings along, so that the test host needs no compiler.
// Only what the agent host uses of it: a database with exec, run, get, all, serialize and close, with callbacks.
'use strict';
const { DatabaseSync } = require('node:sqlite');

/** The native binding takes values Node's refuses. */
function toSqlite(value) {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : value;
}

/** The native binding returns plain objects, with buffers for blobs. */
function fromSqlite(row) {
  if (row === undefined) return undefined;
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    value instanceof Uint8Array ? Buffer.from(value) : value,
  ]);
  return Object.fromEntries(entries);
}

class Database {
  #database;

  constructor(file, callback) {
    this.#later(callback, () => {
      this.#database = new DatabaseSync(file, {
        enableForeignKeyConstraints: false,
        enableDoubleQuotedStringLiterals: true,
      });
    });
  }

  exec(sql, callback) {
    this.#later(callback, () => this.#database.exec(sql));
    return this;
  }

  run(sql, values, callback) {
    const context = { changes: 0, lastID: 0 };
    const work = () => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...values.map(toSqlite));
      Object.assign(context, { changes: Number(changes), lastID: Number(lastInsertRowid) });
    };
    this.#later(callback, work, context);
    return this;
  }

  get(sql, values, callback) {
    this.#later(callback, () => fromSqlite(this.#prepare(sql).get(...values.map(toSqlite))));
    return this;
  }

  all(sql, values, callback) {
    this.#later(callback, () =>
      this.#prepare(sql)
        .all(...values.map(toSqlite))
        .map(fromSqlite),
    );
    return this;
  }

  /** Statements run one after another anyway. */
  serialize(work) {
    work?.();
  }

  close(callback) {
    this.#later(callback, () => this.#database.close());
  }

  #prepare(sql) {
    return this.#database.prepare(sql);
  }

  /** Works in the order of the calls and answers in a later turn of the event loop. */
  #later(callback, work, context = this) {
    setImmediate(() => {
      let result;
      try {
        result = work();
      } catch (error) {
        callback?.call(context, error);
        return;
      }
      callback?.call(context, null, result);
    });
  }
}

module.exports = { Database };
