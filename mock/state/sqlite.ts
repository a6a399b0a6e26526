import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parseJson, writeJson } from '../../spec/index.ts'
import { OptionError } from '../errors.ts'
import type { Persistence } from './store.ts'

/** Tells a file of this program from the database of another one. */
const applicationId = 0x706c_7374
const formatVersion = 1

/** Resources in a file that outlives the mock. Throws OptionError if the file is something else, or another mock has it open. */
export const openSqlite = (file: string): Persistence & { readonly close: () => void } => {
  // Bundles for browsers cannot resolve `node:sqlite`, and never get here.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(file)
    prepare(database, file)
    return persistenceIn(database)
  } catch (error) {
    database?.close()
    if (error instanceof OptionError) throw error
    const { message } = error as Error
    throw new OptionError(
      /locked|busy/i.test(message)
        ? `the state ${file} is in use by another mock: give each a file of its own`
        : `the state ${file} cannot be opened: ${message}`,
    )
  }
}

const prepare = (database: DatabaseSync, file: string): void => {
  const pragma = (name: string): unknown => database.prepare(`PRAGMA ${name}`).get()?.[name]
  const isNew = Number(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count) === 0
  if (!isNew && pragma('application_id') !== applicationId)
    throw new OptionError(`the state ${file} is the database of another program: give a new file`)
  if (!isNew && pragma('user_version') !== formatVersion)
    throw new OptionError(`the state ${file} was written by another version of the mock: give a new file`)
  // One mock at a time: what it keeps is in its memory as well.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(`
    PRAGMA application_id = ${applicationId};
    PRAGMA user_version = ${formatVersion};
    CREATE TABLE IF NOT EXISTS collections (client TEXT, path TEXT, PRIMARY KEY (client, path)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS things (
      number INTEGER PRIMARY KEY, client TEXT, path TEXT, key TEXT, name TEXT, thing TEXT, initial INTEGER,
      UNIQUE (client, path, key)
    );`)
}

const persistenceIn = (database: DatabaseSync): Persistence & { readonly close: () => void } => {
  const statement = (text: string): StatementSync => database.prepare(text)
  const open = statement('INSERT OR IGNORE INTO collections VALUES (?, ?)')
  const put = statement(
    `INSERT INTO things (client, path, key, name, thing, initial) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (client, path, key) DO UPDATE SET name = excluded.name, thing = excluded.thing, initial = excluded.initial`,
  )
  const removeOne = statement('DELETE FROM things WHERE client = ? AND path = ? AND key = ?')
  const removePath = statement('DELETE FROM things WHERE client = ? AND path = ?')
  const closePath = statement('DELETE FROM collections WHERE client = ? AND path = ?')
  let isTogether = false
  return {
    load: function* () {
      for (const { client, path } of statement('SELECT * FROM collections').iterate())
        yield { client: String(client), path: String(path), instance: null }
      for (const row of statement('SELECT * FROM things ORDER BY number').iterate())
        yield {
          client: String(row.client),
          path: String(row.path),
          instance: {
            key: String(row.key),
            name: parseJson(String(row.name)),
            instance: parseJson(String(row.thing)),
            isInitial: row.initial === 1,
          },
        }
    },
    opened: (client, path) => void open.run(client, path),
    put: (client, path, { key, name, instance, isInitial }) => {
      // A resource that is still being made is none after a crash.
      if (instance !== null)
        put.run(client, path, key, writeJson(name), writeJson(instance), isInitial ? 1 : 0)
    },
    remove: (client, path, key) => {
      if (key !== null) removeOne.run(client, path, key)
      else {
        removePath.run(client, path)
        closePath.run(client, path)
      }
    },
    clear: client => {
      const where = client === null ? '' : ' WHERE client = ?'
      for (const table of ['things', 'collections'])
        statement(`DELETE FROM ${table}${where}`).run(...(client === null ? [] : [client]))
    },
    together: changes => {
      if (isTogether) return changes()
      isTogether = true
      database.exec('BEGIN')
      try {
        changes()
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      } finally {
        isTogether = false
      }
    },
    close: () => database.close(),
  }
}
