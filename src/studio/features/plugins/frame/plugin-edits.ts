import type { JsonMap } from '../../../../text/json.ts';
import { cache } from '../../../data/cache.ts';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { applyParts, type ChangedPart, joined, takeBack } from '../../../data/plugins/modify.ts';
import { openDraft } from '../../../data/plugins/open-draft.ts';
import { timers } from '../../../data/timers.ts';
import { schemaQuery } from '../../../data/types.ts';
import { BODY, formPath, keysOf, withValueAt } from '../../../domain/field-path.ts';
import { type FormField, fieldsOfSchema } from '../../../domain/form-field.ts';
import { type PatchPart, partsOfPatch } from '../../../domain/plugins/entity-patch.ts';
import { createPace } from '../../../domain/plugins/message-guard.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { textsNow } from '../../../kit/i18n/texts.ts';
import { isToastShown, showToast } from '../../../kit/ui/toasts.tsx';
import { frameTexts } from './frame-texts.ts';

const MOST_NAMES = 3;
const WARNINGS = { most: 1, withinMs: 10_000 };

/**
 * Takes what a plugin changes into the draft of its entity, and offers to take it back.
 * @param tellPage tells the page the entity as it is now
 */
export function createPluginEdits({ name: plugin }: Plugin, draft: EntityDraft, tellPage: () => void) {
  let toldLast: JsonMap | null = null;
  let known: JsonMap | null = null;
  const [mayWarnOfValues, mayWarn] = [createPace(timers.now, WARNINGS), createPace(timers.now, WARNINGS)];
  let open: { toast: number; changed: ChangedPart[] } | null = null;

  async function fields(): Promise<FormField[]> {
    const { project, type } = draft.getSnapshot().draft.key;
    // Without the schema the service still checks each value.
    const schema = await cache.ensureQueryData(schemaQuery(project, type)).catch(() => ({}));
    return fieldsOfSchema([], schema);
  }

  /** The page of the entity may be left meanwhile, and its draft be opened anew. */
  async function change<T>(work: (open: EntityDraft) => T): Promise<T | null> {
    const opened = await openDraft(draft.getSnapshot().draft.key);
    if (!opened) return null;
    const result = work(opened);
    opened.release();
    return result;
  }

  /** A page is not told its own changes, and goes on from them. */
  function apply(opened: EntityDraft, parts: readonly PatchPart[], told: JsonMap | null) {
    if (told !== toldLast) known = told;
    toldLast = told;
    const applied = applyParts(opened, parts, known);
    known = known && parts.reduce((map, { path, value }) => withValueAt(map, path, value), known);
    return applied;
  }

  async function undo(all: readonly ChangedPart[]): Promise<void> {
    const texts = textsNow(frameTexts);
    const stayed = await change((opened) => takeBack(opened, all));
    if (stayed === null) {
      const again = { label: texts.undo, onPress: () => void undo(all) };
      showToast({ tone: 'warning', text: texts.notOpened, action: again });
    } else if (stayed.length > 0) warn(texts.stayed(namesOf(stayed, await fields())));
  }

  /** A plugin that goes on changing things has one message, which takes all of it back. */
  function offerUndo(changed: readonly ChangedPart[], fields: readonly FormField[]): void {
    const texts = textsNow(frameTexts);
    const earlier = open && isToastShown(open.toast) ? open : null;
    const all = joined(earlier?.changed ?? [], changed);
    const paths = new Set(all.map(({ path }) => path));
    const toast = showToast(
      {
        text: texts.changed(plugin, namesOf([...paths], fields), paths.size),
        action: { label: texts.undo, onPress: () => void undo(all) },
      },
      earlier?.toast,
    );
    open = { toast, changed: all };
  }

  /** @param told the entity as the page was told it last */
  return async function modify(patch: JsonMap, told: JsonMap | null): Promise<void> {
    const texts = textsNow(frameTexts);
    const form = await fields();
    const { parts, refused } = partsOfPatch(patch, form);
    if (refused.length > 0 && mayWarnOfValues())
      warn(texts.unfit(plugin, listed(refused.map((name) => `“${name}”`))));
    const applied = await change((opened) => apply(opened, parts, told));
    if (applied === null) {
      if (mayWarn()) warn(texts.notOpened);
      return;
    }
    const { changed, stayed } = applied;
    if (changed.length > 0) offerUndo(changed, form);
    if (stayed.length === 0) return;
    if (mayWarn()) warn(texts.overlapped(plugin, namesOf(stayed, form)));
    tellPage();
  };
}

const warn = (text: string): void => void showToast({ tone: 'warning', text });

const namesOf = (paths: readonly string[], fields: readonly FormField[]): string =>
  listed([...new Set(paths.map((path) => nameOf(path, fields)))]);

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? textsNow(frameTexts).more(shown, names.length - MOST_NAMES) : shown;
}

function nameOf(path: string, fields: readonly FormField[]): string {
  const texts = textsNow(frameTexts);
  if (path === BODY) return texts.text;
  const [first = '', second = ''] = keysOf(path);
  const attribute = ATTRIBUTES.find((name) => name === first);
  if (attribute) return texts[attribute];
  const label = formPath(path) === null ? null : fields.find(({ name }) => name === second)?.label;
  return label ?? second;
}

const ATTRIBUTES = ['name', 'status', 'primary_asset', 'production_status'] as const;
