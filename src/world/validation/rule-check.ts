import { classifyPath } from '../../content/paths/index.ts';
import { compiledRules, type RuleFinding, runRules } from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileScanner } from '../../platform/files/files.ts';
import type { TemplateSet } from '../definitions/index.ts';
import { contentJson, type EntityState } from '../texts/index.ts';
import { type ContentFinding, createOnce, createPlacer, findingsOf, type StoredReply } from './findings.ts';

interface Asked {
  type: string | null;
  id: string;
  finding: ContentFinding;
}

const keyOf = (type: string | null, id: string): string => `${type ?? ''}/${id}`;

/**
 * Checks entities while they are read. Questions about other entities are answered at the end; entities outside the scan are known by
 * their folders.
 */
export function createRuleCheck({ set, scanner }: { set: TemplateSet; scanner: FileScanner }) {
  const ids = new Set<string>();
  const asked: Asked[] = [];
  const once = createOnce<ContentFinding>();

  /** Looks up the lines of findings in the file of an entity. */
  const placerOf = ({ path, head }: EntityState) => {
    const lineOf = createPlacer(() => head);
    return ({
      kind,
      severity,
      message,
      unable,
      ...found
    }: RuleFinding & { line?: number | null }): ContentFinding => {
      const line = lineOf(path, { line: found.line ?? null, path: found.path }) ?? 1;
      return { path, line, column: 1, severity, message, kind, ...(unable !== undefined && { unable }) };
    };
  };

  function ask(template: TemplateDefinition, reply: StoredReply, place: ReturnType<typeof placerOf>): void {
    for (const compiled of compiledRules(template).runnable) {
      if (!compiled.isReference) continue;
      const wanted: [string | null, string][] = [];
      const note = (type: string | null, id: string) => {
        wanted.push([type, id]);
        return false;
      };
      const findings = runRules(template, reply, note, (rule) => rule === compiled);
      for (const [index, finding] of findings.entries()) {
        const [type, id] = wanted[index] ?? [null, ''];
        asked.push({ type, id, finding: place(finding) });
      }
    }
  }

  function know(type: string, id: string): void {
    ids.add(keyOf(type, id)).add(keyOf(null, id));
  }

  return {
    check(state: EntityState): ContentFinding[] {
      const template = set.types.get(state.entity_type);
      if (template === undefined) return [];
      know(state.entity_type, state.entity_id);
      const reply = JSON.parse(contentJson(state)) as StoredReply;
      const place = placerOf(state);
      ask(template, reply, place);
      return findingsOf(template, reply, state.path, () => true)
        .map(place)
        .filter(once.isNew);
    },

    /** Returns the references to missing entities. `under` is the part that was read; null for everything. */
    missing(under: readonly string[] | null): ContentFinding[] {
      once.finish();
      if (under !== null && asked.length > 0) {
        for (const { files } of scanner.scan()) {
          for (const { path } of files) {
            const { role, entity_type, entity_id } = classifyPath(path, set.byFolder);
            if (role === 'entity' && entity_type !== null && entity_id !== null) know(entity_type, entity_id);
          }
        }
      }
      return asked.filter(({ type, id }) => !ids.has(keyOf(type, id))).map(({ finding }) => finding);
    },
  };
}
