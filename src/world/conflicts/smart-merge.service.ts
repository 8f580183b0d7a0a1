import { invalid } from '../../kit/errors.ts';
import { contentOfText } from '../conflict-records/index.ts';
import type { Entities, VersionInfo } from '../entities/index.ts';
import type { AskedModel } from '../models/index.ts';
import { mergeTexts, type Project } from '../records/index.ts';
import { type ContentSide, type ReadSide, readSide, type SideContext } from './content-side.ts';
import { createMergeProposals, type MergeProposalOptions } from './merge-proposal.ts';

export interface SmartMergeInput {
  entity_id?: string | undefined;
  base?: ContentSide | undefined;
  local: ContentSide;
  remote: ContentSide;
}

/** Merges two states of an entity from their base, or from their common ancestor. Saves nothing. Asks a model only with `asked`. */
export function createSmartMerge({ entities, ...asking }: MergeProposalOptions & { entities: Entities }) {
  const propose = createMergeProposals(asking);
  return async (project: Project, entityType: string, input: SmartMergeInput, asked: AskedModel | null) => {
    const template = await entities.templateOf(project, entityType);
    const { entity_id: id } = input;
    const row = id === undefined ? null : await entities.findRow(project, entityType, id);
    const context = { project, template, row, base: null };
    const base = input.base
      ? await readSide(context, 'base', input.base)
      : await readAncestor(context, input.local, input.remote);
    const onBase = { ...context, base: base.text };
    const local = await readSide(onBase, 'local', input.local);
    const remote = await readSide(onBase, 'remote', input.remote);
    const texts = { base: base.text, local: local.text, remote: remote.text };
    const merged = await mergeTexts(texts);
    const { text, conflicts } = merged;
    const proposal = asked && (await propose({ ...texts, project, template, text, conflicts }, asked));
    return {
      clean: merged.clean,
      structured: merged.structured,
      base_version: base.info?.version ?? null,
      ...contentOfText(template, text),
      content: text,
      conflicts,
      proposed_body: merged.body,
      ...(proposal && { proposal }),
    };
  };
}

export type SmartMerge = ReturnType<typeof createSmartMerge>;

async function readAncestor(
  context: SideContext,
  local: ContentSide,
  remote: ContentSide,
): Promise<ReadSide> {
  if (local.version === undefined || remote.version === undefined) {
    const message = 'may be left out only where local and remote are versions of entity_id';
    throw invalid(`base ${message}`, { code: 'base_needed', errors: [{ field: 'base', message }] });
  }
  const [left, right] = [await readSide(context, 'local', local), await readSide(context, 'remote', remote)];
  if (left.info === null || right.info === null) throw new Error('a side by version has its version');
  return readSide(context, 'base', { version: commonAncestor(left.info, right.info) });
}

/** The newest common ancestor of two versions. Each follows the one before, except that a text that lost a conflict follows its `parent`. */
function commonAncestor(
  left: Pick<VersionInfo, 'version' | 'parent'>,
  right: Pick<VersionInfo, 'version' | 'parent'>,
): number {
  const [older, newer] = left.version <= right.version ? [left, right] : [right, left];
  if (newer.parent === null || newer.version === older.version) return older.version;
  return older.version <= newer.parent ? older.version : Math.min(newer.parent, older.parent ?? newer.parent);
}
