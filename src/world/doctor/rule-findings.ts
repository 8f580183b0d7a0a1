import { classifyPath } from '../../content/paths/index.ts';
import { compiledRules, type RuleFinding, runRules } from '../../content/rules/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileScanner } from '../../platform/files/files.ts';
import type { TemplateSet } from '../templates/index.ts';
import { contentJson, type EntityState } from '../texts/index.ts';
import { createOnce, findingsOf, placed, type StoredReply } from '../validation/index.ts';
import type { ContentFinding } from './content-finding.ts';

interface Asked {
  type: string | null;
  id: string;
  finding: ContentFinding;
}

const keyOf = (type: string | null, id: string): string => `${type ?? ''}/${id}`;

/**
 * Checks entities as they are read against their rules and templates. What asks for other entities is answered at the
 * end, when all of them are known; those that lie outside what is read are known by their folders.
 */
export function createRuleCheck({ set, scanner }: { set: TemplateSet; scanner: FileScanner }) {
  const ids = new Set<string>();
  const asked: Asked[] = [];
  const once = createOnce();

  const toFinding = (state: EntityState, finding: RuleFinding): ContentFinding => {
    const about = { entity_type: state.entity_type, entity_id: state.entity_id, file: state.path };
    const { line, message, severity, rule_id } = placed({ ...about, ...finding, line: null }, state.head);
    return { path: state.path, line: line ?? 1, column: 1, severity, message, rule_id };
  };

  function ask(template: TemplateDefinition, reply: StoredReply, state: EntityState): void {
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
        asked.push({ type, id, finding: toFinding(state, finding) });
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
      ask(template, reply, state);
      return findingsOf(template, reply, state.path, () => true).flatMap((unplaced) => {
        const { line, message, severity, rule_id } = placed(unplaced, state.head);
        const found = { path: state.path, line: line ?? 1, column: 1, severity, message, rule_id };
        return once.isNew(unplaced, found) ? [found] : [];
      });
    },

    /** What is named and is not there. `under`: what was read; null for everything. */
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
