import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

export interface SaveFloor {
  /** Makes an entity's folder with its file, and its row. */
  create(id: string, text: string): void;
  /** Replaces the file and the row. */
  update(id: string, text: string): void;
  read(id: string): string;
  close(): void;
}

/** The single table of saved texts, with synced commits. */
export function openRows(folder: string) {
  const db = new Sqlite(join(folder, 'rows.db'));
  db.exec(`
    pragma journal_mode = WAL;
    pragma synchronous = FULL;
    create table rows (entity_id text primary key, text text);
  `);
  return { db, put: db.prepare('insert or replace into rows values (?, ?)') };
}

/** A minimal durable save: a synced file renamed into place, and a synced commit. */
export function openSaveFloor(folder: string): SaveFloor {
  const { db, put } = openRows(folder);
  const fileOf = (id: string) => join(folder, id, `${id}.md`);
  const syncFolder = (path: string) => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    fsyncSync(fd);
    closeSync(fd);
  };
  const save = (id: string, text: string) => {
    const temporary = join(folder, id, '.temporary');
    const fd = openSync(temporary, 'w');
    writeFileSync(fd, text);
    fsyncSync(fd);
    closeSync(fd);
    renameSync(temporary, fileOf(id));
    syncFolder(join(folder, id));
    put.run(id, text);
  };
  return {
    create(id, text) {
      mkdirSync(join(folder, id));
      save(id, text);
      syncFolder(folder);
    },
    update: save,
    read: (id) => readFileSync(fileOf(id), 'utf8'),
    close: () => db.close(),
  };
}
