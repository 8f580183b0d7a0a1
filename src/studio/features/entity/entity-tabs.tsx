import { type ReactNode, Suspense } from 'react';
import { ENTITY_PARTS } from '../../data/appearance.ts';
import { addressOf, ENTITY_TABS, type EntityPlace, type EntityTab } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { late } from '../../kit/ui/late.tsx';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { Tabs } from '../../kit/ui/tabs.tsx';
import { entityTexts } from './entity-texts.ts';
import { usePanelsAt } from './use-plugin-panels.tsx';
import type { ShownParts } from './use-shown-parts.ts';

const EntityHistory = late(async () => (await import('./history/entity-history.tsx')).EntityHistory);
const PluginTab = late(async () => (await import('./plugin-tab.tsx')).PluginTab);
const EntityReferences = late(
  async () => (await import('./references/entity-references.tsx')).EntityReferences,
);

interface EntityTabsProps {
  place: EntityPlace;
  parts: ShownParts;
  /** The text beside the fields. */
  children: ReactNode;
}

/** Each tab has an address of its own. */
export function EntityTabs({ place, parts, children }: EntityTabsProps) {
  const texts = useTexts(entityTexts);
  const { project, type, id, tab = 'text' } = place;
  const panels = usePanelsAt('entity-tab', place);
  const tabOf = (one: EntityTab, label: string) => ({
    id: one,
    label,
    href: addressOf({ screen: 'entity', project, type, id, ...(one !== 'text' && { tab: one }) }),
  });
  const tabs = [
    ...ENTITY_TABS.map((one) => tabOf(one, texts.tabs[one])),
    ...panels.map(({ plugin, id: panel, title }) => tabOf(`plugin:${plugin.id}:${panel}`, title)),
  ];
  const ofPlugin = tab.startsWith('plugin:') ? tab : null;
  // Until the plugins are known, or where one is gone, its tab has no other name.
  if (ofPlugin !== null && !tabs.some((one) => one.id === tab)) tabs.push(tabOf(tab, texts.plugin));
  return (
    <Tabs label={texts.parts} tabs={tabs} selected={tab} end={tab === 'text' && <PartsChoice {...parts} />}>
      {tab === 'text' && children}
      <Suspense>
        {tab === 'references' && <EntityReferences type={type} id={id} />}
        {tab === 'history' && <EntityHistory type={type} id={id} />}
        {ofPlugin && <PluginTab key={ofPlugin} name={ofPlugin} entity={place} />}
      </Suspense>
    </Tabs>
  );
}

function PartsChoice({ shown, choose }: ShownParts) {
  const texts = useTexts(entityTexts);
  return (
    <RadioGroup
      label={texts.show}
      isLabelHidden
      look="segmented"
      options={ENTITY_PARTS.map((id) => ({ id, label: texts.shown[id] }))}
      value={shown}
      onChange={(id) => choose(ENTITY_PARTS.find((one) => one === id) ?? shown)}
    />
  );
}
