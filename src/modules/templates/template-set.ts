import { typeFolders } from '../../content/paths/index.ts';
import { resolveTemplates, type TemplateDefinition } from '../../content/template/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import type { TemplateFile, TemplateFileProblem, TemplateFiles } from './template-files.ts';

/** The templates that are in force in a project. */
export interface TemplateSet {
  /** By entity type, in alphabetical order. */
  types: ReadonlyMap<string, TemplateDefinition>;
  /** By the name of the type's folder. */
  byFolder: ReadonlyMap<string, TemplateDefinition>;
  /** By path, those included that another folder's template replaces. */
  files: ReadonlyMap<string, TemplateFile>;
  problems: readonly TemplateFileProblem[];
  /** Changes when any definition in force does. */
  version: string;
}

export interface TemplateChange {
  added: string[];
  removed: string[];
  changed: string[];
}

/** What is in force, given all template files of a project. */
export function templateSetOf({ files, problems }: TemplateFiles): TemplateSet {
  const definitions = [...files.values()].map((file) => file.definition);
  const resolved = resolveTemplates(definitions);
  const found = [
    ...definitions.flatMap(({ path, problems: own }) => own.map((problem) => ({ path, ...problem }))),
    ...resolved.problems,
  ];
  const set = { types: resolved.templates, byFolder: typeFolders(resolved.templates.values()), files };
  return {
    ...set,
    problems: [
      ...problems,
      ...found.map(({ path, message, line, severity }) => ({
        path,
        reason: message,
        line: line ?? null,
        column: null,
        severity,
      })),
    ],
    version: sha256Hex([...fingerprints(set)].map((entry) => entry.join(' ')).join('\n')),
  };
}

/** What tells a type's definition from another one of the same type. */
export const fingerprint = (path: string, checksum: string): string => `${path} ${checksum}`;

/** The fingerprint of each type that is in force. */
export function fingerprints(set: Pick<TemplateSet, 'types' | 'files'>): Map<string, string> {
  return new Map(
    [...set.types].map(([type, { path }]) => [type, fingerprint(path, set.files.get(path)?.checksum ?? '')]),
  );
}

/** Which types came, went or got another definition. */
export function changeBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): TemplateChange {
  const types = [...after.keys()];
  return {
    added: types.filter((type) => !before.has(type)),
    removed: [...before.keys()].filter((type) => !after.has(type)),
    changed: types.filter((type) => before.has(type) && before.get(type) !== after.get(type)),
  };
}
