import { isTypeName, resolveTemplates, templateTypeOfName } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid, tooLarge } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { Project } from '../records/index.ts';
import { unknownType } from './find-type.ts';
import { nextText, refuseText, type TemplateEdit } from './next-text.ts';
import { customPath, type PresentTemplate, readPresent } from './present-template.ts';
import { readTemplateText, TEMPLATE_FILE_LIMIT, type TemplateFile } from './template-files.ts';
import type { TemplateSet } from './template-set.ts';
import { brokenTemplateState } from './template-state.ts';
import { names, requireTag } from './template-tag.ts';
import type { TemplateRegistry } from './templates.registry.ts';
import { findTemplateRows, storeTemplates } from './templates.store.ts';

export interface TemplateUpdate extends TemplateEdit {
  /** Replace a file that cannot be read. */
  overwrite?: boolean | undefined;
}

export interface EditContext {
  actor: string;
  ifMatch: HeaderValue;
}

/** Lossless changes of templates through the API (spec 1 §4.2, decisions). */
export function createTemplateEditor({ registry, clock }: { registry: TemplateRegistry; clock: Clock }) {
  /** The file and the set that knows it: what was changed outside is taken in first, so that it is kept. */
  async function look(project: Project, entityType: string) {
    const set = await registry.of(project);
    const present = await readPresent(project, set, entityType);
    const known = present && set.files.get(present.path)?.checksum === present.checksum;
    if (known || !present) return { set, present };
    return { set: (await registry.reload(project)).set, present };
  }

  async function keepBroken(project: Project, present: PresentTemplate, reason: string): Promise<void> {
    const previous = (await findTemplateRows(project)).get(present.entityType) ?? null;
    const state = brokenTemplateState(present.entityType, present.path, present.text, reason);
    const author = { source: 'file', actor: null } as const;
    await storeTemplates(project, [{ state, previous, author }], [], isoTime(clock.now()));
  }

  async function save(project: Project, entityType: string, update: TemplateUpdate, context: EditContext) {
    const { set, present } = await look(project, entityType);
    requireTag(context.ifMatch, present?.checksum ?? null);
    if (present === null && update.content === undefined) throw unknownType(set, entityType);
    const good = present && 'file' in present.read ? present.read.file : null;
    if (present && good === null) requireConsent(present, update, context);
    const path = present?.path ?? customPath(entityType);
    const next = nextText(path, good, update, isoDate(clock.now()));
    requirePlace(set, next);
    if (next.text === present?.text) return;
    if (Buffer.byteLength(next.text) > TEMPLATE_FILE_LIMIT) {
      throw tooLarge(`The template would be larger than ${TEMPLATE_FILE_LIMIT} bytes`);
    }
    if (present && 'problem' in present.read) await keepBroken(project, present, present.read.problem.reason);
    await project.files.write(path, next.text, present ? { onlyOver: present.bytes } : { ifAbsent: true });
    await registry.reload(project, { checksum: checksumOf(next.text), actor: context.actor });
  }

  return {
    /** Changes a template, or makes one in `_Templates/Custom` from `content`. */
    async update(
      project: Project,
      name: string,
      update: TemplateUpdate,
      context: EditContext,
    ): Promise<void> {
      const entityType = templateTypeOfName(name);
      if (!isTypeName(entityType)) {
        throw invalid(
          `'${name}' cannot be a type: lower-case letters, digits and underscores, such as style_bible`,
        );
      }
      await project.database.exclusive(`template-edits ${project.projectId}`, () =>
        save(project, entityType, update, context),
      );
    },

    /** Puts a template's whole text in place, byte for byte. 409 unless the file has the `expected` checksum, or has the text already. */
    async replace(
      project: Project,
      entityType: string,
      text: string,
      { actor, expected }: { actor: string; expected: string },
    ): Promise<void> {
      await project.database.exclusive(`template-edits ${project.projectId}`, async () => {
        const { set, present } = await look(project, entityType);
        if (present === null) throw unknownType(set, entityType);
        const checksum = checksumOf(text);
        if (present.checksum !== checksum) {
          if (present.checksum !== expected) {
            throw conflict(`${present.path} was changed since`, { code: 'changed_meanwhile' });
          }
          const read = readTemplateText(present.path, text, checksum);
          if ('problem' in read) throw refuseText(read.problem);
          requirePlace(set, read.file);
          await project.files.write(present.path, text, { onlyOver: present.bytes });
        }
        await registry.reload(project, { checksum, actor });
      });
    },
  };
}

export type TemplateEditor = ReturnType<typeof createTemplateEditor>;

/** A file that cannot be read is replaced only by a caller who says so, or who shows to have seen it. */
function requireConsent(present: PresentTemplate, update: TemplateUpdate, context: EditContext): void {
  if (!('problem' in present.read)) return;
  const { reason, line, column } = present.read.problem;
  const asked = update.overwrite === true || names(context.ifMatch, present.checksum);
  if (update.content !== undefined && asked && present.isText) return;
  const help = present.isText
    ? 'Mend the file, or send `content` with `overwrite: true` to replace it; its text then goes to the revisions'
    : 'Mend the file';
  const place = line === null ? '' : ` (line ${line}, column ${column})`;
  throw conflict(`${present.path} cannot be read: ${reason}${place}. ${help}`, {
    code: 'unreadable_file',
    errors: [{ field: present.path, message: reason, ...(line !== null && { line }) }],
  });
}

/** 422 for a template that the others leave no folder. */
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
