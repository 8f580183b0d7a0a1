import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';
import { type EntryChanges, findAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import { decide, listSuggestions } from './asset-tags.store.ts';
import type { TagDb } from './asset-tags.tables.ts';

export type Decisions = ReturnType<typeof createDecisions>;

/** Suggested tags, until somebody decides. Only accepted ones are written to the sidecar. */
export function createDecisions({ entries, clock }: { entries: EntryChanges; clock: Clock }) {
  async function list(project: Project, assetId: string) {
    await findAsset(project, assetId);
    const rows = await project.database.read((db: TagDb) => listSuggestions(db, project, assetId));
    return {
      asset_id: assetId,
      suggestions: rows.map(
        ({ tag, confidence, origin, provider, model, status, decided_at, decided_by }) => ({
          tag,
          confidence: confidence / 1_000,
          origin,
          provider,
          model,
          status,
          decided_at,
          decided_by,
        }),
      ),
    };
  }

  /** Pending ones, or those of them that are named. 422 for a tag that is not pending. */
  async function chosen(project: Project, assetId: string, tags: readonly string[] | undefined) {
    const { suggestions } = await list(project, assetId);
    const pending = suggestions.filter(({ status }) => status === 'pending').map(({ tag }) => tag);
    const other = tags?.find((tag) => !pending.includes(tag));
    if (other !== undefined)
      throw invalid(`'${other}' is no pending suggestion for '${assetId}'`, { code: 'no_such_suggestion' });
    return tags ?? pending;
  }

  async function settle(
    project: Project,
    assetId: string,
    tags: readonly string[],
    { status, by }: { status: 'accepted' | 'rejected'; by: string | null },
  ): Promise<void> {
    if (tags.length === 0) return;
    // The file first: a crash leaves a tag that is there and still suggested, and accepting it again changes nothing.
    if (status === 'accepted') await entries.addTags(project, assetId, tags);
    const decision = { status, decided_at: isoTime(clock.now()), decided_by: by };
    await project.database.write((db: TagDb) => decide(db, project, assetId, tags, decision));
  }

  return {
    list,
    settle,
    async decide(
      project: Project,
      assetId: string,
      tags: readonly string[] | undefined,
      decision: { status: 'accepted' | 'rejected'; by: string },
    ) {
      await settle(project, assetId, await chosen(project, assetId, tags), decision);
      return list(project, assetId);
    },
  };
}
