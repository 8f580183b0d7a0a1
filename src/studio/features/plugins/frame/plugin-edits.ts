import type { JsonMap } from '../../../../text/json.ts';
import { cache } from '../../../data/cache.ts';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { applyParts, type ChangedPart, joined, takeBack } from '../../../data/plugins/modify.ts';
import { timers } from '../../../data/timers.ts';
import { schemaQuery } from '../../../data/types.ts';
import { BODY, formPath, keysOf } from '../../../domain/field-path.ts';
import { type FormField, fieldsOfSchema } from '../../../domain/form-field.ts';
import { partsOfPatch } from '../../../domain/plugins/entity-patch.ts';
import { createPace } from '../../../domain/plugins/message-guard.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { textsNow } from '../../../kit/i18n/texts.ts';
import { isToastShown, showToast } from '../../../kit/ui/toasts.tsx';
import { frameTexts } from './frame-texts.ts';

const MOST_NAMES = 3;
const WARNINGS = { most: 1, withinMs: 10_000 };

/** Takes what a plugin changes into the draft of its entity, and offers to take it back. */
export function createPluginEdits({ name: plugin }: Plugin, draft: EntityDraft) {
  const mayWarn = createPace(timers.now, WARNINGS);
  let open: { toast: number; changed: ChangedPart[] } | null = null;

  async function fields(): Promise<FormField[]> {
    const { project, type } = draft.getSnapshot().draft.key;
    // Without the schema the service still checks each value.
    const schema = await cache.ensureQueryData(schemaQuery(project, type)).catch(() => ({}));
    return fieldsOfSchema([], schema);
  }

  return async function modify(patch: JsonMap): Promise<void> {
    const texts = textsNow(frameTexts);
    const known = await fields();
    const { parts, refused } = partsOfPatch(patch, known);
    if (refused.length > 0 && mayWarn())
      showToast({ tone: 'warning', text: texts.unfit(plugin, listed(refused.map((name) => `“${name}”`))) });
    const changed = applyParts(draft, parts);
    if (changed.length === 0) return;
    // A plugin that goes on changing things has one message, which takes all of it back.
    const earlier = open && isToastShown(open.toast) ? open : null;
    const all = joined(earlier?.changed ?? [], changed);
    const names = [...new Set(all.map(({ path }) => nameOf(path, known)))];
    const toast = showToast(
      {
        text: texts.changed(plugin, listed(names), names.length),
        action: { label: texts.undo, onPress: () => takeBack(draft, all) },
      },
      earlier?.toast,
    );
    open = { toast, changed: all };
  };
}

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
