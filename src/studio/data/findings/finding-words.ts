import { useMemo } from 'react';
import { BODY } from '../../domain/field-path.ts';
import { BY_PLUGIN, type Evidence, type Finding } from '../../domain/findings.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { type FieldWords, useFieldWords } from '../field-words.ts';
import { type Names, useNames } from '../use-names.ts';
import { useWorld } from '../world.tsx';
import { findingTexts } from './finding-texts.ts';

export interface EvidenceWords {
  key: string;
  name: string;
  address: string;
  color: string | null;
  field: string | null;
  value: string;
  /** File and line; null where they stand elsewhere. */
  place: string | null;
}

export interface FindingWords {
  message: string;
  /** The sort of the finding in words. */
  sort: string | null;
  severity: string;
  evidence: readonly EvidenceWords[];
  /** The entities that a reference may mean. */
  candidates: readonly { key: string; name: string; address: string }[];
}

/** Says findings as users read them. */
export function useFindingWords(findings: readonly Finding[]): (finding: Finding) => FindingWords {
  const texts = useTexts(findingTexts);
  const { project, typeOf } = useWorld();
  const names = useNames(project);
  const types = useMemo(() => typesIn(findings), [findings]);
  const fields = useFieldWords(project, types);
  return useMemo(() => {
    const parts: Parts = { texts, project, names, fields, colorOf: (type) => typeOf(type)?.color ?? null };
    return (finding) => wordsOf(finding, parts);
  }, [texts, project, names, fields, typeOf]);
}

interface Parts {
  texts: (typeof findingTexts)['en'];
  project: string;
  names: Names;
  fields: FieldWords;
  colorOf: (type: string) => string | null;
}

const typesIn = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.flatMap(({ evidence }) => evidence.flatMap(({ entity }) => entity?.type ?? []))),
];

const wordsOf = (finding: Finding, parts: Parts): FindingWords => ({
  message: messageOf(finding, parts),
  sort: sortOf(finding, parts),
  severity: parts.texts.severities[finding.severity],
  evidence: finding.evidence.flatMap((evidence, index) => evidenceWords(finding, evidence, { index, parts })),
  candidates:
    finding.group === 'references'
      ? finding.candidates.map(({ type, id, name }) => ({
          key: `${type}/${id}`,
          name,
          address: addressOf({ screen: 'entity', project: parts.project, type, id }),
        }))
      : [],
});

function messageOf(finding: Finding, { texts }: Parts): string {
  if (finding.group !== 'references') return finding.message;
  return finding.isAmbiguous ? texts.ambiguous(finding.target) : texts.missing(finding.target);
}

function sortOf(finding: Finding, { texts }: Parts): string | null {
  if (finding.group === 'contradictions') return texts.kinds[finding.kind];
  if (finding.group !== 'rules') return null;
  if (finding.rule.startsWith(BY_PLUGIN)) return texts.plugin(finding.rule.slice(BY_PLUGIN.length));
  return finding.rule.startsWith('template.') ? texts.template : texts.rule(finding.rule);
}

interface EvidenceParts {
  index: number;
  parts: Parts;
}

/** Nothing for a file that is no entity, or never became one: there is nothing to open. */
function evidenceWords(
  { group }: Finding,
  { entity, name, field, value, file, line }: Evidence,
  { index, parts }: EvidenceParts,
): EvidenceWords[] {
  const { project, texts, names, fields, colorOf } = parts;
  if (entity === null) return [];
  const { type, id } = entity;
  const known = names.find(type, id);
  if (group === 'files' && known === undefined) return [];
  return [
    {
      key: `${index}`,
      name: name ?? known?.name ?? id,
      address: addressOf({
        screen: 'entity',
        project,
        type,
        id,
        ...(field !== null && { field }),
        ...(field === BODY && line !== null && { line }),
      }),
      color: colorOf(type),
      field: field === null ? null : fields.labelOf(type, field),
      value: field === null ? '' : fields.textOf(type, field, value),
      place: file === null || group === 'files' ? null : texts.place(file, line),
    },
  ];
}
