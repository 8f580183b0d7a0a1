import { useEffect, useMemo, useRef } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useDraftPart } from '../../../data/entity.ts';
import { useFieldWords } from '../../../data/field-words.ts';
import { useEntityFixes } from '../../../data/findings/use-fixes.ts';
import { bodyOf, type Draft, type DraftKey } from '../../../domain/drafts/draft.ts';
import { BODY, draftPath, overlaps } from '../../../domain/field-path.ts';
import type { Finding } from '../../../domain/findings.ts';
import { mendedField, withMeantLinks } from '../../../domain/mend.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { announce } from '../../../kit/ui/live-region.tsx';
import { shownFields } from '../shown-parts.ts';
import { sideTexts } from './side-texts.ts';

interface MendActionsProps {
  finding: Finding;
  draft: EntityDraft;
  /** The line of the text as it is now that the finding is about. */
  line: number | undefined;
  onMended: () => void;
}

interface Mend {
  key: string;
  label: string;
  run: () => void;
}

/** The changes that settle a finding, each of which becomes an edit like any other. */
export function MendActions({ finding, draft, line, onMended }: MendActionsProps) {
  const texts = useTexts(sideTexts);
  const shown = useDraftPart(draft, (view) => view.draft);
  const fixes = useFieldMends(finding, draft, shown);
  const links = linkMends(finding, draft, { shown, line, label: texts.instead });
  const mends = [...fixes, ...links];
  const box = useRef<HTMLSpanElement>(null);
  const isThere = mends.length > 0;
  useEffect(() => {
    // The user asked for them before they were there.
    if (isThere && box.current?.closest('li') === document.activeElement)
      box.current?.querySelector('button')?.focus();
  }, [isThere]);
  return (
    <span ref={box} data-mends style={{ display: 'contents' }}>
      {mends.map(({ key, label, run }) => (
        <Button
          key={key}
          size="s"
          onPress={() => {
            run();
            announce(texts.mended);
            onMended();
          }}
        >
          {label}
        </Button>
      ))}
    </span>
  );
}

/** The service's own fixes of the field that a finding is about. */
function useFieldMends(finding: Finding, draft: EntityDraft, shown: Draft): Mend[] {
  const texts = useTexts(sideTexts);
  const { key } = shown;
  const fixes = useEntityFixes(key).data ?? [];
  const types = useMemo(() => [key.type], [key.type]);
  const { textOf } = useFieldWords(key.project, types);
  const fields = fieldsOf(finding, key);
  const values = { ...shownFields(shown), status: shown.changes.status ?? shown.base?.status };
  return fixes.flatMap((fix): Mend[] => {
    const mended = fields.some((field) => overlaps(field, fix.field)) && mendedField(values, fix);
    if (!mended) return [];
    const { name, value } = mended;
    const words = fix.after === null || fix.after === '' ? '' : textOf(key.type, fix.field, fix.after);
    return [
      {
        key: `${fix.field} ${fix.kind}`,
        label: words === '' ? texts.takeOut : texts.setTo(words),
        run: () => draft.edit(name === 'status' ? name : draftPath(name), value),
      },
    ];
  });
}

const fieldsOf = ({ evidence }: Finding, { type, id }: DraftKey): string[] =>
  evidence.flatMap(({ entity, field }) =>
    entity?.type === type && entity.id === id && field !== null && field !== BODY ? [field] : [],
  );

interface LinkParts {
  shown: Draft;
  line: number | undefined;
  label: (name: string) => string;
}

/** The entities that a link of the text may mean. */
function linkMends(finding: Finding, draft: EntityDraft, { shown, line, label }: LinkParts): Mend[] {
  // A text that somebody else changed too is settled first.
  if (finding.group !== 'references' || line === undefined || shown.conflicts[BODY]) return [];
  const { target, candidates } = finding;
  return candidates.flatMap((meant): Mend[] => {
    const text = withMeantLinks(bodyOf(shown), { target, line, meant });
    if (text === undefined) return [];
    return [
      {
        key: `${meant.type}/${meant.id}`,
        label: label(meant.name),
        // Unlike the user's own typing, this is not in the editor yet.
        run: () => draft.resolve(BODY, text),
      },
    ];
  });
}
