import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Badge, type BadgeTone } from '../../../kit/ui/badge.tsx';
import { manageTexts } from './manage-texts.ts';

const TONES: Readonly<Record<Plugin['state'], BadgeTone>> = {
  enabled: 'success',
  disabled: 'neutral',
  waiting: 'warning',
  blocked: 'warning',
  broken: 'error',
};

export function StateBadge({ state }: Pick<Plugin, 'state'>) {
  const texts = useTexts(manageTexts);
  return <Badge tone={TONES[state]}>{texts.states[state]}</Badge>;
}
