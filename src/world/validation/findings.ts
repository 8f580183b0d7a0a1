import { unknownFields, type ValidationError } from '../../content/entity/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import {
  compiledRules,
  type EntityExists,
  type RuleFinding,
  type RuleSeverity,
  type RuleSubject,
  runRules,
} from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { faultOf, type RowlessFile, readProblem } from '../records/index.ts';
import { folderNameOf } from '../texts/index.ts';

/** The finding that is no fault: files may hold fields that their template does not know. */
export const UNKNOWN_FIELD = 'template.unknown_field';

/** One place where an entity breaks a rule or its template (decisions: validation replies). */
export interface Finding {
  /** The rule's id; `template.<code>` for what the template's schema asks. */
  rule_id: string;
  entity_type: string;
  entity_id: string;
  field: string | null;
  severity: RuleSeverity;
  message: string;
  value: unknown;
  file: string;
  /** From 1; null where no place in the file is meant. */
  line: number | null;
}

const GRAVITY: readonly RuleSeverity[] = ['error', 'warning', 'info'];

/** For sorting: the gravest first. */
export const byGravity = (a: { severity: RuleSeverity }, b: { severity: RuleSeverity }): number =>
  GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity);

/** A rule that no machine runs: told apart, never passed. */
export interface Advice {
  rule_id: string;
  description: string;
  reason: string;
  file: string;
}

/** An entity as its stored reply says it. */
export interface StoredReply extends RuleSubject {
  validation_errors: readonly ValidationError[];
}

/** A finding before its line is looked up. */
export interface Unplaced extends Omit<Finding, 'line'> {
  line: number | null;
  /** The rule's file, where the rule itself could not be checked. */
  unable?: string;
  path: RuleFinding['path'];
}

/** What is wrong with an entity. `rulesOf`: the path of a rule file; then that file's rules alone are asked. */
export function findingsOf(
  template: TemplateDefinition,
  reply: StoredReply,
  file: string,
  exists: EntityExists,
  rulesOf: string | null = null,
): Unplaced[] {
  const { entity_type, entity_id } = reply;
  const about = { entity_type, entity_id, file };
  const broken = runRules(template, reply, exists, ({ rule }) => rulesOf === null || rule.path === rulesOf);
  const schema = rulesOf === null ? reply.validation_errors.filter(({ code }) => code !== 'rule') : [];
  const unknown = rulesOf === null ? unknownFields(template, reply.fields) : [];
  return [
    ...schema.map(({ code, field, severity, message, line }) => ({
      ...about,
      rule_id: `template.${code}`,
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
      rule_id: UNKNOWN_FIELD,
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

/** The finding of a file that no entity's row stands for. */
export function faultFinding({ path, problem, entity_type, entity_id }: RowlessFile): Unplaced {
  const { code, message, line } = faultOf(readProblem(problem));
  return {
    entity_type,
    entity_id: entity_id ?? folderNameOf(path),
    file: path,
    rule_id: `template.${code}`,
    field: null,
    severity: 'error',
    message,
    value: null,
    line: line ?? null,
    path: [],
  };
}

/** The finding with its line, given what stands before the body of its file. */
export function placed({ path, unable: _, ...finding }: Unplaced, head: string | undefined): Finding {
  if (finding.line !== null || head === undefined || path.length === 0) return finding;
  const [top] = path;
  if (top === 'markdown_body' || top === 'body') return { ...finding, line: head.split('\n').length };
  const document = readDocument(head);
  return { ...finding, line: document.ok ? document.lineOf(path) : null };
}

/**
 * Tells each rule that could not be checked once, whatever the number of entities: what is wrong is the rule, or the same
 * thing everywhere.
 */
export function createOnce() {
  const told = new Map<string, { first: { message: string }; entities: number }>();
  return {
    /** Whether a finding is to be told: all are but the second and later ones of a rule that could not be checked. */
    isNew({ unable, rule_id }: Pick<Unplaced, 'unable' | 'rule_id'>, finding: { message: string }): boolean {
      if (unable === undefined) return true;
      const key = `${unable} ${rule_id}`;
      const known = told.get(key);
      if (known) known.entities += 1;
      else told.set(key, { first: finding, entities: 1 });
      return known === undefined;
    },

    /** Says in the first findings how many entities they are about. */
    finish(): void {
      for (const { first, entities } of told.values()) {
        if (entities > 1) first.message += ` (and so for ${entities - 1} more, which are not told)`;
      }
    },
  };
}

/** The rules of templates that no machine runs, or that it runs in part alone, each once. */
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
