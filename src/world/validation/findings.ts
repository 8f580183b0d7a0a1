import { unknownFields, type ValidationError } from '../../content/entity/index.ts';
import {
  createLines,
  createTally,
  type Finding,
  type Place,
  type Severity,
} from '../../content/findings/index.ts';
import {
  compiledRules,
  type EntityExists,
  type RuleFinding,
  type RuleSubject,
  runRules,
} from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { faultOf, type RowlessFile, readProblem } from '../records/index.ts';
import { folderNameOf } from '../texts/index.ts';

/** The finding that is not a fault: files may have fields that their template does not know. */
export const UNKNOWN_FIELD = 'template.unknown_field';

/** `kind` is the rule's id, or `template.<code>` for the template's schema. */
export interface EntityFinding extends RuleFinding {
  entity_type: string;
  entity_id: string;
  file: string;
  /** From 1; null if it is not looked up yet, or the finding has no position in the file. */
  line: number | null;
}

export interface ShownFinding
  extends Pick<EntityFinding, 'entity_type' | 'entity_id' | 'field' | 'message' | 'value' | 'file' | 'line'> {
  rule_id: string;
  severity: Severity;
}

/** A fault of a file in the content folder; without a kind it is about the file itself. */
export interface ContentFinding extends Finding<string | null>, Place {
  unable?: string;
}

/** True for a fault, false for a rule's warning or hint. */
export const isFault = ({ severity, kind }: ContentFinding): boolean =>
  severity === 'error' || kind === null || (kind.startsWith('template.') && kind !== UNKNOWN_FIELD);

/** A rule that no program can check: it is listed and never passes. */
export interface Advice {
  rule_id: string;
  description: string;
  reason: string;
  file: string;
}

export interface StoredReply extends RuleSubject {
  validation_errors: readonly ValidationError[];
}

/** Returns an entity's findings. With `rulesOf`, the path of a rule file, only that file's rules are checked. */
export function findingsOf(
  template: TemplateDefinition,
  reply: StoredReply,
  file: string,
  exists: EntityExists,
  rulesOf: string | null = null,
): EntityFinding[] {
  const { entity_type, entity_id } = reply;
  const about = { entity_type, entity_id, file };
  const broken = runRules(template, reply, exists, ({ rule }) => rulesOf === null || rule.path === rulesOf);
  const schema = rulesOf === null ? reply.validation_errors.filter(({ code }) => code !== 'rule') : [];
  const unknown = rulesOf === null ? unknownFields(template, reply.fields) : [];
  return [
    ...schema.map(({ code, field, severity, message, line }) => ({
      ...about,
      kind: `template.${code}`,
      field,
      severity,
      message: field === null ? message : `${field} ${message}`,
      value: field === null ? null : valueAt(reply.fields, field),
      line: line ?? null,
      path: [],
    })),
    ...broken.map((finding) => ({ ...about, ...finding, line: null })),
    ...unknown.map(({ field, path, message }) => ({
      ...about,
      kind: UNKNOWN_FIELD,
      field,
      severity: 'warning' as const,
      message: `${field} ${message}`,
      value: valueAt(reply.fields, field),
      line: null,
      path,
    })),
  ];
}

function valueAt(fields: Readonly<Record<string, unknown>>, field: string): unknown {
  let value: unknown = fields;
  for (const step of field.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = isThere ? (value as Record<string, unknown>)[step] : null;
  }
  return typeof value === 'object' ? null : value;
}

/** The finding of a faulty file without an entity's row. */
export function faultFinding({ path, problem, entity_type, entity_id }: RowlessFile): EntityFinding {
  const { code, message, line } = faultOf(readProblem(problem));
  return {
    entity_type,
    entity_id: entity_id ?? folderNameOf(path),
    file: path,
    kind: `template.${code}`,
    field: null,
    severity: 'error',
    message,
    value: null,
    line: line ?? null,
    path: [],
  };
}

/** Looks up the lines of findings. `headOf` returns the part of a file before its body. */
export function createPlacer<File>(headOf: (file: File) => string | undefined) {
  const lineOf = createLines(headOf);
  return (file: File, { line, path }: Pick<EntityFinding, 'line' | 'path'>): number | null => {
    const [top] = path;
    if (line !== null || top === undefined) return line;
    const isBody = top === 'markdown_body' || top === 'body';
    return isBody ? (headOf(file)?.split('\n').length ?? null) : lineOf(file, path);
  };
}

/** Reports a rule that could not be checked once for all entities: the fault is in the rule, or the same everywhere. */
export function createOnce<Found extends Finding<string | null> & { unable?: string }>() {
  const unchecked = createTally({
    keyOf: ({ unable, kind }: Found) => `${unable} ${kind}`,
    mostOfEach: 1,
  });
  return {
    /** True unless the finding repeats one of a rule that could not be checked. */
    isNew: (finding: Found): boolean => finding.unable === undefined || unchecked.add(finding),

    /** Adds the number of entities to the first findings. */
    finish(): void {
      for (const first of unchecked.kept) {
        const others = unchecked.likeOf(first) - 1;
        if (others > 0) first.message += ` (and so for ${others} more, which are not told)`;
      }
    },
  };
}

/** The rules of templates that no program can check, or only in part, each once. */
export function adviceOf(templates: Iterable<TemplateDefinition>, rulesOf: string | null = null): Advice[] {
  const advice = new Map<string, Advice>();
  for (const template of templates) {
    for (const { id, description, path, check } of compiledRules(template).advisory) {
      const reason = check.kind === 'advisory' ? check.reason : 'it cannot be run';
      advice.set(`${path} ${id}`, { rule_id: id, description, reason, file: path });
    }
    for (const { id, description, path, slips = [] } of template.rules) {
      if (slips.length === 0) continue;
      const names = slips.map(({ message }) => message).join('; it ');
      const reason = `it ${names}: only entities that have it are looked at`;
      advice.set(`${path} ${id}`, { rule_id: id, description, reason, file: path });
    }
  }
  return [...advice.values()].filter(({ file }) => rulesOf === null || file === rulesOf);
}
