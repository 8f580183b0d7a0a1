import type { Kysely } from 'kysely';

import { inProject } from '../../../platform/database/scoped.ts';

import { type Project, scopeColumns } from '../../records/index.ts';

import type { RuleTextRow, RuleTextTables } from './rule-texts.tables.ts';

type Db = Kysely<RuleTextTables>;

/** Texts that are kept per file. */
const MOST_VERSIONS = 200;

export type NewRuleText = Pick<
  RuleTextRow,
  'path' | 'checksum' | 'content' | 'source' | 'created_at' | 'created_by'
>;

const ofProject = (db: Db, project: Project) => inProject(db, project).selectFrom('rule_texts');

const newestVersions = (db: Db, project: Project) =>
  ofProject(db, project)
    .select((eb) => ['path', eb.fn.max('version').as('version')])
    .groupBy('path');

const newest = (db: Db, project: Project) =>
  inProject(db, project)
    .selectFrom('rule_texts')
    .innerJoin(newestVersions(db, project).as('newest'), (join) =>
      join.onRef('newest.path', '=', 'rule_texts.path').onRef('newest.version', '=', 'rule_texts.version'),
    );

export const newestRuleTexts = (project: Project): Promise<RuleTextRow[]> =>
  project.database.read((db: Db) => newest(db, project).selectAll('rule_texts').execute());

export async function newestRuleChecksums(project: Project): Promise<Map<string, string>> {
  const rows = await project.database.read((db: Db) =>
    newest(db, project).select(['rule_texts.path', 'rule_texts.checksum']).execute(),
  );
  return new Map(rows.map(({ path, checksum }) => [path, checksum]));
}

/** Stores each text as the next version of its file, and prunes old ones. */
export async function keepRuleTexts(project: Project, texts: readonly NewRuleText[]): Promise<void> {
  if (texts.length === 0) return;
  await project.database.write(async (db: Db) => {
    const versions = new Map(
      (await newestVersions(db, project).execute()).map(({ path, version }) => [path, Number(version)]),
    );
    for (const text of texts) {
      const version = (versions.get(text.path) ?? 0) + 1;
      versions.set(text.path, version);
      await db
        .insertInto('rule_texts')
        .values({ ...scopeColumns(project), ...text, version })
        .execute();
      await inProject(db, project)
        .deleteFrom('rule_texts')
        .where('path', '=', text.path)
        .where('version', '<=', version - MOST_VERSIONS)
        .execute();
    }
  });
}

/** The former texts of a rule file, newest first, without their content. */
export const listRuleTexts = (project: Project, path: string) =>
  project.database.read((db: Db) =>
    ofProject(db, project)
      .select(['path', 'version', 'checksum', 'source', 'created_at', 'created_by'])
      .where('path', '=', path)
      .orderBy('version', 'desc')
      .execute(),
  );

export const findRuleText = (project: Project, path: string, version: number) =>
  project.database.read((db: Db) =>
    ofProject(db, project)
      .selectAll()
      .where('path', '=', path)
      .where('version', '=', version)
      .executeTakeFirst(),
  );
