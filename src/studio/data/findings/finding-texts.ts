import type { ContradictionKind, FindingGroup, Severity } from '../../domain/findings.ts';
import { defineTexts } from '../../kit/i18n/texts.ts';

interface FindingTexts {
  groups: Readonly<Record<FindingGroup, string>>;
  severities: Readonly<Record<Severity, string>>;
  kinds: Readonly<Record<ContradictionKind, string>>;
  missing: (target: string) => string;
  ambiguous: (target: string) => string;
  place: (file: string, line: number | null) => string;
  rule: (rule: string) => string;
  plugin: (id: string) => string;
  template: string;
}

export const findingTexts = defineTexts<FindingTexts>(
  {
    groups: {
      files: 'Unreadable files',
      contradictions: 'Contradictions',
      rules: 'Rules',
      references: 'Broken references',
    },
    severities: { error: 'Error', warning: 'Warning', info: 'Note' },
    kinds: {
      after_end: 'Takes part after death or end',
      before_start: 'Takes part before birth or beginning',
      place_gone: 'Set in a place that was destroyed before',
      out_of_order: 'Out of order',
      lineage: 'Child older than parent',
      two_places: 'In two places at one time',
      owned_twice: 'A unique thing owned twice',
      cyclic_parents: 'Its own ancestor',
      unreadable_date: 'A date that cannot be read',
    },
    missing: (target) => `“${target}” does not exist`,
    ambiguous: (target) => `“${target}” could mean more than one entry`,
    place: (file, line) => (line === null ? file : `${file}, line ${line}`),
    rule: (rule) => `Rule “${rule}”`,
    plugin: (id) => `Plugin “${id}”`,
    template: 'What the template asks for',
  },
  {
    groups: {
      files: 'Unlesbare Dateien',
      contradictions: 'Widersprüche',
      rules: 'Regeln',
      references: 'Tote Verweise',
    },
    severities: { error: 'Fehler', warning: 'Warnung', info: 'Hinweis' },
    kinds: {
      after_end: 'Nimmt nach Tod oder Ende teil',
      before_start: 'Nimmt vor Geburt oder Anfang teil',
      place_gone: 'Spielt an einem Ort, der vorher zerstört wurde',
      out_of_order: 'Falsche Reihenfolge',
      lineage: 'Kind älter als Elternteil',
      two_places: 'Zur selben Zeit an zwei Orten',
      owned_twice: 'Etwas Einmaliges gehört zweien',
      cyclic_parents: 'Ist sein eigener Vorfahr',
      unreadable_date: 'Ein Datum, das sich nicht lesen lässt',
    },
    missing: (target) => `„${target}“ gibt es nicht`,
    ambiguous: (target) => `„${target}“ kann mehr als einen Eintrag meinen`,
    place: (file, line) => (line === null ? file : `${file}, Zeile ${line}`),
    rule: (rule) => `Regel „${rule}“`,
    plugin: (id) => `Plugin „${id}“`,
    template: 'Was die Vorlage verlangt',
  },
);
