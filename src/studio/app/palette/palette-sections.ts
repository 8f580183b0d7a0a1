import type { Command } from '../../data/commands.ts';
import type { Names } from '../../data/use-names.ts';
import type { World } from '../../data/world.tsx';
import { foldName, scoreName } from '../../domain/name-score.ts';
import { addressOf } from '../../domain/places.ts';
import { goTo } from '../../kit/router/router.ts';
import type { PaletteItem, PaletteSection } from '../../kit/ui/command-palette.tsx';
import type { appTexts } from '../app-texts.ts';
import type { paletteTexts } from './palette-texts.ts';

const MOST_NAMES = 12;
const MOST_COMMANDS = 8;

export interface PaletteParts {
  texts: (typeof appTexts)['en'];
  words: (typeof paletteTexts)['en'];
  world: World;
  names: Names;
  commands: readonly Command[];
}

/** The palette's items for a typed text. `>` asks for commands alone, `#` for types, `?` for texts. */
export function sectionsFor(typed: string, parts: PaletteParts): PaletteSection[] {
  const { texts } = parts;
  const rest = typed.slice(1).trim();
  if (typed.startsWith('>')) return [{ label: texts.groups.app, items: commandsFor(rest, parts) }];
  if (typed.startsWith('#')) return [{ label: texts.types, items: typesFor(rest, parts) }];
  if (typed.startsWith('?')) return [{ label: texts.groups.go, items: [searchItem(rest, parts)] }];
  const text = typed.trim();
  const sections = [
    { label: texts.world, items: namesFor(text, parts) },
    { label: texts.types, items: text === '' ? [] : typesFor(text, parts) },
    { label: texts.groups.app, items: commandsFor(text, parts) },
    { label: texts.groups.go, items: text === '' ? [] : [searchItem(text, parts)] },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

const namesFor = (text: string, { names, world }: PaletteParts): PaletteItem[] =>
  names.search(text, { limit: MOST_NAMES }).map(({ type, id, name, alias, ranges }) => ({
    id: `name:${type}:${id}`,
    label: name,
    alias,
    ranges,
    detail: world.typeOf(type)?.label,
    color: world.typeOf(type)?.color ?? null,
    run: () => goTo(addressOf({ screen: 'entity', project: world.project, type, id })),
  }));

const typesFor = (text: string, { world }: PaletteParts): PaletteItem[] =>
  best(text, world.types, ({ plural }) => plural).map(({ type, plural, color }) => ({
    id: `type:${type}`,
    label: plural,
    color: color ?? null,
    run: () => goTo(addressOf({ screen: 'list', project: world.project, type })),
  }));

const commandsFor = (text: string, { commands }: PaletteParts): PaletteItem[] =>
  best(
    text,
    // The command to make anything leads here.
    commands.filter(({ id, isMeant }) => isMeant === undefined && id !== 'make'),
    ({ title }) => title,
  )
    .slice(0, MOST_COMMANDS)
    .map(({ id, title, keys, run }) => ({ id: `command:${id}`, label: title, detail: keys, run }));

const searchItem = (text: string, { words, world }: PaletteParts): PaletteItem => ({
  id: 'search',
  label: words.searchTexts(text),
  run: () => goTo(addressOf({ screen: 'page', project: world.project, page: 'find', q: text })),
});

function best<T>(text: string, all: readonly T[], nameOf: (item: T) => string): T[] {
  if (text === '') return [...all];
  return all
    .map((item) => ({ item, score: scoreName(foldName(text), foldName(nameOf(item))) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
