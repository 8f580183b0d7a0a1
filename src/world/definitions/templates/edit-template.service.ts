import { isTypeName, resolveTemplates, templateTypeOfName } from '../../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../../kit/clock.ts';
import { checksumOf } from '../../../kit/crypto.ts';
import { conflict, invalid } from '../../../kit/errors.ts';
import type { Project } from '../../records/index.ts';
import { names } from '../files/file-tag.ts';
import { type FileChange, unreadable } from '../files/save-file.ts';
import type { DefinitionProblem, PresentFile } from '../files/text-file.ts';
import { createDefinitionEditor, type EditContext } from '../registry/edit-definition.ts';
import type { TemplateRegistry } from '../registry/registry.ts';
import type { TemplateSet } from '../registry/template-set.ts';
import { unknownType } from './find-type.ts';
import { nextText, parsed, refuseText, type TemplateEdit } from './next-text.ts';
import { type TemplateFile, templateKind } from './template-kind.ts';
import { newTemplatePath, templatePath } from './template-path.ts';
import { brokenTemplateState } from './template-state.ts';
import { findTemplateRows, storeTemplates } from './templates.store.ts';

export interface TemplateUpdate extends TemplateEdit {
  /** Replaces a file that cannot be read. */
  overwrite?: boolean | undefined;
}

const HELP = '`content` with `overwrite: true` to replace it; its text is then kept in the revisions';

/** Lossless changes of templates through the API (spec 1 §4.2). */
export function createTemplateEditor({ registry, clock }: { registry: TemplateRegistry; clock: Clock }) {
  const edit = createDefinitionEditor(registry, templateKind);

  async function keepBroken(
    project: Project,
    entityType: string,
    { path, text }: PresentFile<TemplateFile>,
    { reason }: DefinitionProblem,
  ): Promise<void> {
    const previous = (await findTemplateRows(project)).get(entityType) ?? null;
    const state = brokenTemplateState(entityType, path, text, reason);
    const author = { source: 'file', actor: null } as const;
    await storeTemplates(project, [{ state, previous, author }], [], isoTime(clock.now()));
  }

  return {
    /** Changes a template, or creates one in `_Templates/Custom` from `content`. */
    async update(
      project: Project,
      name: string,
      update: TemplateUpdate,
      { actor, ifMatch }: EditContext,
    ): Promise<void> {
      const entityType = templateTypeOfName(name);
      if (!isTypeName(entityType)) {
        throw invalid(
          `'${name}' cannot be a type: lower-case letters, digits and underscores, such as style_bible`,
        );
      }
      const path = (set: TemplateSet) => templatePath(set, entityType);
      const newPath = newTemplatePath(entityType);
      const change = (set: TemplateSet): FileChange<TemplateFile> => ({
        ifMatch,
        // A caller who proves to have seen the file may replace it.
        refuse: (present, problem) => {
          const isAllowed = update.overwrite === true || names(ifMatch, present.checksum);
          const mayReplace = update.content !== undefined && isAllowed && present.isText;
          return mayReplace ? undefined : unreadable(present, problem, HELP);
        },
        next: (present) => {
          if (present === null && update.content === undefined) throw unknownType(set, entityType);
          const good = present && 'file' in present.read ? present.read.file : null;
          const next = nextText(present?.path ?? newPath, good, update, isoDate(clock.now()));
          requirePlace(set, next);
          return next.text;
        },
        keep: (present, problem) => keepBroken(project, entityType, present, problem),
      });
      await edit(project, { path, newPath, change }, actor);
    },

    /** Replaces a template's whole text. 409 unless the file has the `expected` checksum or already has the text. */
    async replace(
      project: Project,
      entityType: string,
      text: string,
      { actor, expected }: { actor: string; expected: string },
    ): Promise<void> {
      const change = (set: TemplateSet): FileChange<TemplateFile> => ({
        refuse: () => undefined,
        next: (present) => {
          if (present === null) throw unknownType(set, entityType);
          if (present.checksum === checksumOf(text)) return present.text;
          if (present.checksum !== expected)
            throw conflict(`${present.path} was changed since`, { code: 'changed_meanwhile' });
          requirePlace(set, parsed(present.path, text));
          return text;
        },
      });
      const path = (set: TemplateSet) => templatePath(set, entityType);
      const isWritten = await edit(project, { path, change }, actor);
      if (!isWritten) await registry.reload(project);
    },
  };
}

export type TemplateEditor = ReturnType<typeof createTemplateEditor>;

/** 422 if other templates leave no folder for this one. */
function requirePlace(set: TemplateSet, next: TemplateFile): void {
  const { path, entity_type } = next.definition;
  const others = [...set.files.values()]
    .map((file) => file.definition)
    .filter((other) => other.path !== path);
  const { templates, problems } = resolveTemplates([...others, next.definition]);
  const lost = [...set.types.keys(), entity_type].some((type) => !templates.has(type));
  const known = new Set(set.problems.map((problem) => problem.reason));
  const refusal = problems.find(({ field, message }) => field === 'folder_name' && !known.has(message));
  if (lost && refusal) throw refuseText({ reason: refusal.message, line: null, column: null });
}
