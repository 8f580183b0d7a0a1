import { RULES_FOLDER } from '../../content/rules/index.ts';
import { templateTypeOfName } from '../../content/template/index.ts';
import { ruleTexts } from '../../world/definitions/index.ts';
import {
  findEntityRow,
  newestRevisionWith,
  type Project,
  type RecordsDb,
  readRevision,
  TEMPLATE_ROW_TYPE,
} from '../../world/records/index.ts';

/** An earlier text of a template or rule file, by its hash; undefined if it is not kept. */
export async function formerText(
  project: Project,
  path: string,
  sha256: string,
): Promise<string | undefined> {
  const checksum = `sha256:${sha256}`;
  return path.startsWith(`${RULES_FOLDER}/`)
    ? formerRules(project, path, checksum)
    : formerTemplate(project, path, checksum);
}

async function formerRules(project: Project, path: string, checksum: string): Promise<string | undefined> {
  const known = (await ruleTexts.list(project, path)).find((text) => text.checksum === checksum);
  return known && (await ruleTexts.find(project, path, known.version))?.content;
}

async function formerTemplate(project: Project, path: string, checksum: string): Promise<string | undefined> {
  const type = templateTypeOfName(path.slice(path.lastIndexOf('/') + 1));
  const found = await project.database.read(async (db: RecordsDb) => {
    const row = await findEntityRow(db, project, TEMPLATE_ROW_TYPE, type);
    const version = row && (await newestRevisionWith(db, project.tenantId, row.row_id, checksum));
    return row && version !== undefined ? { rowId: row.row_id, version } : undefined;
  });
  return found && (await readRevision(project, found.rowId, found.version))?.text;
}
