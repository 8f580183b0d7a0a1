import { Readable } from 'node:stream';
import type { PluginManifest } from '../../content/plugins/index.ts';
import type { ExportPart, ZipSource } from '../exports/index.ts';
import type { Project } from '../records/index.ts';
import { type KeptDb, keptSettings, pluginsWithData } from './kept-data.store.ts';
import type { PluginFolders } from './plugin-folders.ts';
import type { PluginSettings } from './plugin-settings.service.ts';
import type { PluginRecords } from './records.service.ts';

export interface ExportPartOptions {
  folders: PluginFolders;
  settings: PluginSettings;
  records: PluginRecords;
}

/**
 * For each plugin that has any, a removed one too: `_PluginData/{id}/settings.json` with those of the project and the caller's own, and `records.jsonl`
 * with a record a line.
 */
export function createExportPart({ folders, settings, records }: ExportPartOptions): ExportPart {
  async function valuesOf(project: Project, id: string, manifest: PluginManifest | null, userId: string) {
    if (manifest === null)
      return project.database.read((db: KeptDb) => keptSettings(db, project, id, userId));
    const { global: fields, user: ownFields } = manifest.settings;
    const place = { project, pluginId: id };
    const global = await settings.plain({ ...place, fields, holder: 'global' });
    const user = await settings.plain({ ...place, fields: ownFields, holder: { userId } });
    return { global, user };
  }

  async function settingsFile(project: Project, id: string, manifest: PluginManifest | null, userId: string) {
    const { global, user } = await valuesOf(project, id, manifest, userId);
    const isSet = Object.keys(global).length + Object.keys(user).length > 0;
    return isSet ? sourceOf(`${id}/settings.json`, [JSON.stringify({ global, user }, null, 2)]) : null;
  }

  async function* linesOf(project: Project, id: string): AsyncGenerator<string> {
    for await (const page of records.all(project, id))
      yield page.map((record) => `${JSON.stringify(record)}\n`).join('');
  }

  return async function* (project, actor) {
    const present = await folders(project);
    const ids = await project.database.read((db: KeptDb) => pluginsWithData(db, project, actor));
    for (const id of ids) {
      const set = await settingsFile(project, id, present.get(id)?.manifest ?? null, actor);
      if (set !== null) yield set;
      const { bytes } = await records.size(project, id);
      if (bytes > 0) yield { ...sourceOf(`${id}/records.jsonl`, linesOf(project, id)), size: bytes };
    }
  };
}

const sourceOf = (path: string, text: Iterable<string> | AsyncIterable<string>): ZipSource => ({
  path: `_PluginData/${path}`,
  size: 0,
  modifiedMs: 0,
  stream: () => Readable.from(text, { objectMode: false, encoding: 'utf8' }),
});
