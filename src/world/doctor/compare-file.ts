import { isEntityId } from '../../content/entity/index.ts';
import { type FileRow, mirrorsReferences, sortKeyOf, statusKeyOf } from '../records/index.ts';
import { type EntityState, entityJson, type FileRecord, type ImportItem } from '../texts/index.ts';
import type { StoredEntity } from './doctor.store.ts';
import { type DoctorFinding, FIX, finding } from './finding.ts';

export interface Compared {
  item: ImportItem;
  file: FileRow | undefined;
  entity: StoredEntity | undefined;
}

export function compareFile(compared: Compared): DoctorFinding[] {
  const { item, file } = compared;
  const rows = compareFileRow(item.record, file);
  if (item.state === null) return [...rows, ...unreadable(item.record)];
  const refused = refusedFile(item.record, file);
  if (refused) return [...rows, refused];
  return [...rows, ...compareEntity(item.state, compared.entity), ...checkId(item.state)];
}

function compareFileRow(record: FileRecord, row: FileRow | undefined): DoctorFinding[] {
  const { path } = record;
  const repair = { kind: 'reread', path } as const;
  const report = (message: string, severity: DoctorFinding['severity'] = 'error') => [
    finding('file_row', message, FIX, { path, severity, repair }),
  ];
  if (row === undefined || row.deleted_at !== null) return report('the database does not know the file');
  if (row.sha256 !== record.sha256)
    return report(
      sameStat(record, row)
        ? 'the content differs from what was recorded, though size and times are the same'
        : 'the file was changed, and the database has not followed yet',
    );
  if (!sameStat(record, row))
    return report('size, times or inode differ from what was recorded; the content is the same', 'warning');
  if (row.entry_type !== record.entry_type || row.entity_type !== record.entity_type)
    return report(`the file is recorded as ${row.entry_type}, but is ${record.entry_type}`);
  return [];
}

/** For a file that was read right after a change, the row has no change time. */
const sameStat = (record: FileRecord, row: FileRow): boolean =>
  row.size === record.size &&
  row.mtime_ms === record.mtimeMs &&
  row.ino === record.ino &&
  (row.ctime_ms === record.ctimeMs || row.ctime_ms === 0 || record.ctimeMs === 0);

function unreadable({ path, problem }: FileRecord): DoctorFinding[] {
  if (problem === null) return [];
  const { reason, line, column } = JSON.parse(problem) as { reason: string; line: number; column: number };
  const advice = 'fix the file; until then its entity stays as it was last read';
  return [finding('unreadable_file', reason, advice, { path, line, column })];
}

function refusedFile({ path, sha256 }: FileRecord, row: FileRow | undefined): DoctorFinding | undefined {
  if (!row?.problem || row.sha256 !== sha256) return undefined;
  const { reason } = JSON.parse(row.problem) as { reason: string };
  return finding('refused_file', reason, 'give the entity another id, or remove one of the files', { path });
}

function compareEntity(state: EntityState, row: StoredEntity | undefined): DoctorFinding[] {
  const { path } = state;
  const what = `${state.entity_type} '${state.entity_id}'`;
  const report = (message: string) => [
    finding('entity_row', message, FIX, { path, repair: { kind: 'reread', path } }),
  ];
  if (row === undefined) return report(`there is no row for ${what}`);
  if (row.path !== path) return report(`the row of ${what} belongs to ${row.path}`);
  if (row.file_checksum !== state.file_checksum)
    return report(`the row of ${what} mirrors another state of the file`);
  const wrong = wrongParts(state, row);
  return wrong.length === 0 ? [] : report(`the row of ${what} is wrong in ${wrong.join(', ')}`);
}

function wrongParts(state: EntityState, row: StoredEntity): string[] {
  const expected: Partial<StoredEntity> = {
    name: state.name,
    name_key: sortKeyOf(state.name),
    status: statusKeyOf(state.status),
    is_valid: state.is_valid ? 1 : 0,
    checksum: state.checksum,
    head: state.head,
    json: entityJson(state, row),
  };
  const columns = Object.keys(expected) as (keyof typeof expected)[];
  const wrong: string[] = columns.filter((column) => row[column] !== expected[column]);
  return mirrorsReferences(row.edges, state.references) ? wrong : [...wrong, 'references'];
}

function checkId({ path, entity_id: id }: EntityState): DoctorFinding[] {
  if (isEntityId(id)) return [];
  const message = `the id '${id}' cannot be used by the API: lower-case letters, digits and underscores are allowed`;
  return [
    finding('entity_id', message, `rename the folder, or ${FIX}`, {
      path,
      severity: 'warning',
      repair: { kind: 'rename', path },
    }),
  ];
}
